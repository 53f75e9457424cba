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
import { eventGrid } from './event-grid.ts';
import { PromotedItem } from './promoted-item.tsx';
import { texts } from './texts.en.ts';

/** The maximum number of events of each kind: one row on wide screens. The list below has the other events. */
const MOST = 3;
const NONE: Event[] = [];

export interface NowOn {
  isPending: boolean;
  /** The events in paid slots. */
  promoted: readonly Event[];
  others: readonly Event[];
}

/**
 * Premium promotions in rotation, regardless of their date, and events that are on or start within three hours
 * (frontend/PRODUCT.md#home).
 */
export function useNowOn(): NowOn {
  const { data = NONE, isPending: isListPending } = useQuery(eventsQuery());
  const { data: premium = NONE, isPending } = useQuery(promotedEventsQuery('premium'));
  // Deferred, so that the browser can respond to input while the cards render.
  const known = useDeferredValue(data, NONE);
  const now = useEventClock(useMemo(() => [...known, ...premium], [known, premium]));
  const promoted = premium.filter((event) => isUpcoming(event, now)).slice(0, MOST);
  const others = happeningNow(known, now)
    .filter(({ id }) => !promoted.some((event) => event.id === id))
    .slice(0, MOST);
  return { isPending: isPending || isListPending, promoted, others };
}

/** Renders nothing without events. Everything appears together, so that the layout does not shift. */
export function HappeningNow({ on, impressions }: { on: NowOn; impressions: Impressions }) {
  const t = useTexts(texts);
  const { isPending, promoted, others } = on;
  useStock([...promoted, ...others].filter(({ hasTickets }) => hasTickets).map(({ id }) => id));
  if (isPending || promoted.length + others.length === 0) return null;
  return (
    <section aria-labelledby="now-title" className="mb-6">
      <h2 id="now-title" className="mb-2 text-title">
        {t('happeningNow')}
      </h2>
      <ul className={eventGrid}>
        {promoted.map((event) => (
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
