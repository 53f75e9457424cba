import type { Event } from '@beltway/contracts/catalog/events';
import { dayAt, dayOf } from '@beltway/contracts/common/times';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { EventTile } from '../../lib/events/event-tile.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { texts } from './texts.en.ts';

interface ComingUpProps {
  /** Undefined while loading. */
  events: readonly Event[] | undefined;
}

/** Three events per view on a phone, six on wide screens; more by scrolling sideways. */
const RAIL =
  'relative grid snap-x grid-flow-col auto-cols-[88%] grid-rows-3 gap-2.5 overflow-x-auto -mx-4 px-4 pb-1 scroll-px-4 [scrollbar-width:thin] md:mx-0 md:auto-cols-[calc((100%-0.625rem)/2)] md:px-0 md:scroll-px-0 xl:auto-cols-[calc((100%-1.5rem)/3)] xl:grid-rows-2 xl:gap-3';
const PLACES = [1, 2, 3, 4, 5, 6];

/** Current and upcoming events, in rows that scroll sideways. */
export function ComingUp({ events }: ComingUpProps) {
  const t = useTexts(texts);
  const now = useEventClock(events ?? []);
  if (events?.length === 0) return null;
  const tonight = events?.filter((event) => dayOf(event.eventDate) <= dayAt(now)) ?? [];
  const name = tonight.length === 0 ? 'nextUp' : tonight.length === events?.length ? 'tonight' : 'tonightAndNext';
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 className="text-title">{t(events ? name : 'tonightAndNext')}</h2>
      <ul className={RAIL}>
        {events
          ? events.map((event, at) => (
              <li key={event.id} className="snap-start" {...(at === 0 && { 'data-testid': 'next-up' })}>
                <EventTile event={event} priority={at === 0} className="h-full" />
              </li>
            ))
          : PLACES.map((at) => (
              <li key={at}>
                <Skeleton className="h-29 rounded-lg" />
              </li>
            ))}
      </ul>
    </div>
  );
}
