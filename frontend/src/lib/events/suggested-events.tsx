import type { Event } from '@beltway/contracts/catalog/events';
import { useQuery } from '@tanstack/react-query';
import { textsNow } from '../i18n/catalog.ts';
import { useEventClock } from './event-clock.ts';
import { isUpcoming, saleState, soonestFirst } from './event-facts.ts';
import { eventsQuery } from './event-queries.ts';
import { EventTile } from './event-tile.tsx';
import { texts } from '../i18n/texts.en.ts';

const MOST = 3;
const NONE: Event[] = [];

/** Three events to come, where the one that was looked for is not to be had; nothing while there are none. */
export function SuggestedEvents({ insteadOf }: { insteadOf?: number }) {
  const { data = NONE } = useQuery(eventsQuery());
  const now = useEventClock(data);
  const suggested = soonestFirst(
    data.filter((event) => event.id !== insteadOf && isUpcoming(event, now) && saleState(event, now) !== 'sold-out'),
    now,
  ).slice(0, MOST);
  if (suggested.length === 0) return null;
  return (
    <section aria-labelledby="suggested-title">
      <h2 id="suggested-title" className="mb-3 text-title">
        {textsNow(texts)('comingUp')}
      </h2>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-3 md:grid-cols-3">
        {suggested.map((event) => (
          <li key={event.id}>
            <EventTile event={event} className="h-full" />
          </li>
        ))}
      </ul>
    </section>
  );
}
