import { usePageTitle } from '../lib/page-title.ts';

export function Component() {
  usePageTitle('Beltway');
  return (
    <div className="page py-12">
      <h1 className="text-heading">Beltway</h1>
    </div>
  );
}
