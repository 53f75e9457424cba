import { Event } from '@beltway/contracts/catalog/events';
import { Organizer, type OrganizerEvents } from '@beltway/contracts/catalog/organizers';
import { firstScreen } from '../../lib/events/first-screen.ts';

/** The organizer in the HTML, with the next event at most. Undefined on every other page. */
export function organizerInFirstScreen(id: number): { organizer: Organizer; events: OrganizerEvents } | undefined {
  const { organizer: found, next } = firstScreen()?.raw ?? {};
  const organizer = Organizer.safeParse(found).data;
  if (organizer?.id !== id) return undefined;
  const upcoming =
    Event.array()
      .max(1)
      .safeParse(next === undefined ? [] : [next]).data ?? [];
  return { organizer, events: { upcoming, upcomingCount: upcoming.length, past: [], pastCount: 0 } };
}
