import { isEnded } from '../ticketing/sale-state.ts';
import { startOf } from '../common/times.ts';
import type { Event } from './events.ts';

/** Of the home page's first screen: three columns of three. */
const MOST = 9;

/** What is on now or comes next, soonest first: the home page begins with it, in its HTML and by its script. */
export function comingUp(events: readonly Event[], now: Date): Event[] {
  const starts = (event: Event) => startOf(event).getTime();
  return events
    .filter((event) => event.status === 'published' && event.eventDate !== '' && !isEnded(event, now))
    .toSorted((one, other) => starts(one) - starts(other) || one.id - other.id)
    .slice(0, MOST);
}
