import { usePageTitle } from '../lib/page-title.ts';

export function Component() {
  usePageTitle('Your tickets');
  return (
    <div className="page py-12">
      <h1 className="text-heading">Your tickets</h1>
    </div>
  );
}
