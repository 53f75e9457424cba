import { usePageTitle } from '../lib/page-title.ts';

export function Component() {
  usePageTitle('Get tickets');
  return (
    <div className="page py-12">
      <h1 className="text-heading">Get tickets</h1>
    </div>
  );
}
