import { dayName, formatDay, formatLongDate } from '../../lib/format.ts';
import { EventCard } from './event-card.tsx';
import type { Day } from './filter.ts';

interface DayStopProps {
  day: Day;
  isFirst: boolean;
  isLast: boolean;
}

/** A day as a station: its name beside the line, its events after it. */
export function DayStop({ day, isFirst, isLast }: DayStopProps) {
  // Noon, so that the day is the same in every zone.
  const noon = `${day.key}T17:00:00Z`;
  return (
    <li className="relative md:grid md:grid-cols-[8rem_minmax(0,1fr)] md:gap-x-4 lg:grid-cols-[9rem_minmax(0,1fr)] lg:gap-x-8">
      <div
        aria-hidden
        className="absolute bottom-0 left-2 top-0 hidden w-1 bg-line md:block"
        data-first={isFirst}
        data-last={isLast}
      />
      <h2 className="mb-3 flex items-baseline gap-2.5 md:sticky md:top-20 md:mb-0 md:block md:self-start md:pl-8 md:pt-1">
        <span
          aria-hidden
          className="size-5 shrink-0 translate-y-0.5 rounded-full border-4 border-ink bg-ground md:absolute md:left-0 md:top-1.5 md:translate-y-0"
        />
        <span aria-hidden className="text-title md:block">
          {dayName(noon)}
        </span>
        <span aria-hidden className="tabular text-body font-regular tracking-normal text-ink-soft md:block">
          {formatDay(noon)}
        </span>
        <span className="sr-only">{formatLongDate(noon)}</span>
      </h2>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-5 pb-9">
        {day.events.map((event, at) => (
          <li key={event.id}>
            <EventCard event={event} priority={isFirst && at === 0} />
          </li>
        ))}
      </ul>
    </li>
  );
}
