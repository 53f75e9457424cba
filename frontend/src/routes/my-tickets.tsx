import { usePageTitle } from '../lib/page-title.ts';

export function Component() {
  usePageTitle('My Tickets');
  return (
    <div className="page py-12">
      <h1 className="text-heading">My Tickets</h1>
    </div>
  );
}
