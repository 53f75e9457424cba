import { isEnded } from '../ticketing/sale-state.ts';
import { startOf } from '../common/times.ts';
import type { Event } from './events.ts';

/** The home page's first screen has three columns of three cards. */
const MOST = 9;

/** Current and upcoming events, soonest first. Shared by the server-rendered HTML of the home page and its script. */
export function comingUp(events: readonly Event[], now: Date): Event[] {
  const starts = (event: Event) => startOf(event).getTime();
  return events
    .filter((event) => event.status === 'published' && event.eventDate !== '' && !isEnded(event, now))
    .toSorted((one, other) => starts(one) - starts(other) || one.id - other.id)
    .slice(0, MOST);
}
