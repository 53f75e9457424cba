import type { Event } from '@beltway/contracts/catalog';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useTexts } from '../../lib/catalogue.ts';
import { useEventClock } from '../../lib/clock.ts';
import { happeningNow, isPremium } from '../../lib/event-facts.ts';
import { eventsQuery } from '../../lib/event-queries.ts';
import { useStock } from '../../lib/realtime.ts';
import { Badge } from '../../ui/badge.tsx';
import { EventCard } from './event-card.tsx';
import { texts } from './texts.ts';

/** A row of a desk; what else is on stands in the list below. */
const MOST = 3;
const NONE: Event[] = [];

/** What is on now or starts within three hours (docs/product.md#home); nothing at all when nothing is. */
export function HappeningNow() {
  const t = useTexts(texts);
  const { data = NONE } = useQuery(eventsQuery());
  // The browser may answer touches while they are rendered.
  const known = useDeferredValue(data, NONE);
  const events = happeningNow(known, useEventClock(known)).slice(0, MOST);
  useStock(events.filter(({ hasTickets }) => hasTickets).map(({ id }) => id));
  if (events.length === 0) return null;
  return (
    <section aria-labelledby="now-title">
      <h2 id="now-title" className="mb-4 text-heading">
        {t('happeningNow')}
      </h2>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2 md:gap-5 xl:grid-cols-3">
        {events.map((event) => (
          <li key={event.id}>
            <EventCard event={event} badge={isPremium(event) && <Badge tone="accent">{t('premium')}</Badge>} />
          </li>
        ))}
      </ul>
    </section>
  );
}
