import type { Event } from '@beltway/contracts/catalog/events';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { similarEventsQuery } from '../../lib/events/event-queries.ts';
import { EventTile } from '../../lib/events/event-tile.tsx';
import { texts } from './texts.en.ts';

/** Up to three similar events; renders nothing if there are none. */
export function SimilarEvents({ event }: { event: Event }) {
  const t = useTexts(texts);
  const { data = [] } = useQuery(similarEventsQuery(event.id));
  if (data.length === 0) return null;
  return (
    <section aria-labelledby="similar-title" className="lg:col-span-2">
      <h2 id="similar-title" className="mb-3 text-title">
        {t('moreLikeThis')}
      </h2>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-3 md:grid-cols-3">
        {data.map((one) => (
          <li key={one.id}>
            <EventTile event={one} className="h-full" />
          </li>
        ))}
      </ul>
    </section>
  );
}
