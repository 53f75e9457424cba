import { Tonight } from '../features/tonight/tonight.tsx';
import { usePageTitle } from '../lib/page-title.ts';

/** What one can still get to. */
export function Component() {
  usePageTitle('Tonight near me');
  return <Tonight />;
}
