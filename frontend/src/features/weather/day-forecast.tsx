import type { Event } from '@beltway/contracts/catalog/events';
import { currentDayOf } from '@beltway/contracts/common/times';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { isEnded } from '../../lib/events/event-facts.ts';
import { useConditions } from './conditions.ts';
import { ConditionIcon, degrees, weatherQuery } from '../../lib/weather/weather.tsx';
import { Meta } from '../../ui/meta.tsx';
import { texts } from './texts.en.ts';

/**
 * The forecast for an event's day and place, once it is available. Omits seasonal averages, because they are no
 * forecast.
 */
export function DayForecast({ event }: { event: Event }) {
  const t = useTexts(texts);
  const conditionOf = useConditions();
  const now = useEventClock(event);
  const isAsked = event.place != null && event.status === 'published' && !isEnded(event, now);
  const { data } = useQuery({ ...weatherQuery(event.place ?? undefined), enabled: isAsked });
  const day =
    data?.source === 'seasonal' ? undefined : data?.forecast.find(({ date }) => date === currentDayOf(event, now));
  if (!isAsked || !day) return null;
  const range = { high: degrees(day.high), low: degrees(day.low) };
  return (
    <section
      aria-label={t('onTheDay')}
      className="flex items-center gap-3 rounded-lg border border-line bg-surface p-4"
    >
      <ConditionIcon condition={day.condition} className="size-7 shrink-0" />
      <p className="tabular">
        <span className="font-strong">{conditionOf(day.condition)}</span>
        <Meta as="span" className="block">
          {day.precipitation === null
            ? t('range', range)
            : t('rangeAndChance', { ...range, percent: String(day.precipitation) })}
        </Meta>
      </p>
    </section>
  );
}
