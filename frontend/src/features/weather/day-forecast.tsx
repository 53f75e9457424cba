import type { Event } from '@beltway/contracts/catalog';
import { dayOf } from '@beltway/contracts/times';
import { useQuery } from '@tanstack/react-query';
import { isEnded } from '../../lib/event-facts.ts';
import { ConditionIcon, degrees, weatherQuery } from '../../lib/weather.tsx';

/** The forecast of an event's own day where it is, once it is within reach. Averages of the season are no forecast. */
export function DayForecast({ event }: { event: Event }) {
  const isAsked = event.place != null && event.status === 'published' && !isEnded(event);
  const { data } = useQuery({ ...weatherQuery(event.place ?? undefined), enabled: isAsked });
  const day =
    data?.source === 'seasonal' ? undefined : data?.forecast.find(({ date }) => date === dayOf(event.eventDate));
  if (!isAsked || !day) return null;
  return (
    <section
      aria-label="Weather on the day"
      className="flex items-center gap-3 rounded-lg border border-line bg-surface p-4"
    >
      <ConditionIcon condition={day.condition} className="size-7 shrink-0" />
      <p className="tabular">
        <span className="font-strong">{day.condition}</span>
        <span className="block text-note text-ink-soft">
          High {degrees(day.high)}, low {degrees(day.low)}
          {day.precipitation !== null && `, ${day.precipitation}% chance of rain or snow`}
        </span>
      </p>
    </section>
  );
}
