import type { Event } from '@beltway/contracts/catalog/events';
import { useQuery } from '@tanstack/react-query';
import { cx } from '../../ui/cx.ts';
import { textsNow } from '../i18n/catalog.ts';
import { alternativesTo } from './alternatives.ts';
import { useEventClock } from './event-clock.ts';
import { isUpcoming, saleState, soonestFirst } from './event-facts.ts';
import { eventsQuery } from './event-queries.ts';
import { EventTile } from './event-tile.tsx';
import { texts } from '../i18n/texts.en.ts';

const MOST = 3;
const NONE: Event[] = [];

interface SuggestedEventsProps {
  /**
   * An event whose tickets cannot be bought; similar events with tickets are suggested. Default: the next upcoming
   * events.
   */
  insteadOf?: Event;
  /** Lists the events one below the other, for a narrow column. */
  isNarrow?: boolean;
}

/** Three upcoming events instead of an unavailable one. Renders nothing if there are none. */
export function SuggestedEvents({ insteadOf, isNarrow = false }: SuggestedEventsProps) {
  const { data = NONE } = useQuery(eventsQuery());
  const now = useEventClock(data);
  const isOpen = (event: Event) => isUpcoming(event, now) && saleState(event, now) !== 'sold-out';
  const suggested = (insteadOf ? alternativesTo(insteadOf, data, now) : soonestFirst(data.filter(isOpen), now)).slice(
    0,
    MOST,
  );
  if (suggested.length === 0) return null;
  return (
    <section aria-labelledby="suggested-title">
      <h2 id="suggested-title" className="mb-3 text-title">
        {textsNow(texts)(insteadOf ? 'stillOnSale' : 'comingUp')}
      </h2>
      <ul className={cx('grid grid-cols-[minmax(0,1fr)] gap-3', !isNarrow && 'md:grid-cols-3')}>
        {suggested.map((event) => (
          <li key={event.id}>
            <EventTile event={event} className="h-full" />
          </li>
        ))}
      </ul>
    </section>
  );
}
