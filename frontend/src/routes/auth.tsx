import { usePageTitle } from '../lib/page-title.ts';

export function Component() {
  usePageTitle('Sign in');
  return (
    <div className="page py-12">
      <h1 className="text-heading">Sign in</h1>
    </div>
  );
}
