import type { Event } from '@beltway/contracts/catalog/events';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { happeningNow, isUpcoming } from '../../lib/events/event-facts.ts';
import { eventsQuery, promotedEventsQuery } from '../../lib/events/event-queries.ts';
import type { Impressions } from '../../lib/ads/impressions.ts';
import { useStock } from '../../lib/realtime/realtime.ts';
import { EventCard } from './event-card.tsx';
import { PromotedItem } from './promoted-item.tsx';
import { texts } from './texts.en.ts';

/** A row of a desk; what else is on stands in the list below. */
const MOST = 3;
const NONE: Event[] = [];

/**
 * First whose turn it is of the premium promotions, of whatever date; then what is on now or starts within three hours
 * (frontend/PRODUCT.md#home). Nothing at all when there is neither.
 */
export function HappeningNow({ impressions }: { impressions: Impressions }) {
  const t = useTexts(texts);
  const { data = NONE, isPending: isListPending } = useQuery(eventsQuery());
  const { data: promoted = NONE, isPending } = useQuery(promotedEventsQuery('premium'));
  // The browser may answer touches while they are rendered.
  const known = useDeferredValue(data, NONE);
  const now = useEventClock(useMemo(() => [...known, ...promoted], [known, promoted]));
  const top = promoted.filter((event) => isUpcoming(event, now)).slice(0, MOST);
  const others = happeningNow(known, now)
    .filter(({ id }) => !top.some((event) => event.id === id))
    .slice(0, MOST);
  useStock([...top, ...others].filter(({ hasTickets }) => hasTickets).map(({ id }) => id));
  // All of it appears together, so that nothing moves.
  if (isPending || isListPending || top.length + others.length === 0) return null;
  return (
    <section aria-labelledby="now-title">
      <h2 id="now-title" className="mb-4 text-heading">
        {t('happeningNow')}
      </h2>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2 md:gap-5 xl:grid-cols-3">
        {top.map((event) => (
          <PromotedItem key={event.id} event={event} place="premium" impressions={impressions}>
            <EventCard event={event} />
          </PromotedItem>
        ))}
        {others.map((event) => (
          <li key={event.id}>
            <EventCard event={event} />
          </li>
        ))}
      </ul>
    </section>
  );
}
