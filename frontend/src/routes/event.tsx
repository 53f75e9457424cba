import { usePageTitle } from '../lib/page-title.ts';

export function Component() {
  usePageTitle('Event');
  return (
    <div className="page py-12">
      <h1 className="text-heading">Event</h1>
    </div>
  );
}
