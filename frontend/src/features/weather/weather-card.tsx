import type { ForecastDay, Weather, WeatherSource } from '@beltway/contracts/media/weather';
import { useQuery } from '@tanstack/react-query';
import Droplet from 'lucide-react/icons/droplet';
import type { ReactNode } from 'react';
import { useTexts, type TextsOf } from '../../lib/i18n/catalog.ts';
import { formatMonth, formatShortWeekday } from '../../lib/i18n/format.ts';
import { explain } from '../../lib/http/http.ts';
import { useConditions } from './conditions.ts';
import { ConditionIcon, degrees, weatherQuery } from '../../lib/weather/weather.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { Loading, Skeleton } from '../../ui/states.tsx';
import { texts } from './texts.en.ts';

/** Reserves the card's height, so that nothing shifts when the weather loads. */
const frame = 'min-h-56 md:min-h-29 rounded-lg border border-line bg-surface px-4 py-3';

/** The current weather, and a five-day forecast. */
export function WeatherCard() {
  const t = useTexts(texts);
  const { data, error, isFetching, refetch } = useQuery(weatherQuery());
  if (data) return <Card weather={data} />;
  // The error is unobtrusive, because the weather is not the page's main content.
  if (error)
    return (
      <div className={`${frame} grid content-center justify-items-start gap-3`}>
        <p role="status">{t('notLoaded', { why: explain(error) })}</p>
        <Button variant="secondary" onClick={() => void refetch()} pending={isFetching}>
          {t('askAgain')}
        </Button>
      </div>
    );
  return <WeatherSkeleton />;
}

const WeatherSkeleton = () => (
  <Loading label={useTexts(texts)('loading')} className={frame}>
    <Skeleton className="h-5 w-32" />
    <Skeleton className="mt-3 h-10 w-44 max-w-full" />
    <Skeleton className="mt-5 h-14 w-full" />
  </Loading>
);

const SOURCES = {
  observation: 'observation',
  forecast: 'forecastOnly',
  open: 'open',
} as const satisfies Record<Exclude<WeatherSource, 'seasonal'>, string>;

/** "Usual for late November": a seasonal average, not a forecast. */
function usualFor(t: TextsOf<typeof texts>, date: string): string {
  const day = Number(date.slice(8, 10));
  return t('seasonal', { part: day <= 10 ? 'early' : day <= 20 ? 'mid' : 'late', month: formatMonth(date) });
}

function Card({ weather: { location, current, forecast, source } }: { weather: Weather }) {
  const t = useTexts(texts);
  const conditionOf = useConditions();
  const says = source === 'seasonal' ? usualFor(t, forecast[0]!.date) : t(SOURCES[source]);
  const facts = [
    current.feelsLike !== null &&
      current.feelsLike !== current.temp &&
      t('feelsLike', { degrees: degrees(current.feelsLike) }),
    current.humidity !== null && t('humidity', { percent: String(current.humidity) }),
    current.windSpeed !== null && t('wind', { speed: String(current.windSpeed) }),
    current.visibility !== null && t('visibility', { miles: String(current.visibility) }),
  ].filter(Boolean);
  return (
    <section aria-labelledby="weather-title" className={frame}>
      <div className="grid gap-x-4 md:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)] md:items-center">
        <div>
          <h2 id="weather-title" className="text-note font-strong text-ink-soft">
            {t('weatherIn', { place: location })}
          </h2>
          <p className="mt-1 flex items-center gap-3">
            <ConditionIcon condition={current.condition} className="size-6 shrink-0" />
            <span className="tabular font-display text-title font-strong">{degrees(current.temp)}</span>
            <span className="text-note leading-tight">{conditionOf(current.condition)}</span>
          </p>
          {facts.length > 0 && <Meta className="tabular mt-1">{facts.join(' · ')}</Meta>}
        </div>
        <ol
          aria-label={source === 'seasonal' ? says : t('forecast')}
          className="grid grid-cols-5 gap-1 max-md:mt-2 max-[15rem]:grid-cols-2 md:row-span-2"
        >
          {forecast.map((day, at) => (
            <Day key={day.date} day={day} isToday={at === 0} />
          ))}
        </ol>
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <Meta>{says}</Meta>
          <ButtonLink to="/tonight" variant="quiet" className="max-md:-me-3 px-3 md:-ms-3">
            {t('tonight')}
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}

function Day({ day, isToday }: { day: ForecastDay; isToday: boolean }) {
  const t = useTexts(texts);
  const conditionOf = useConditions();
  const hidden = (words: ReactNode) => <span className="sr-only">{words}</span>;
  return (
    <li className="grid justify-items-center gap-0.5 rounded-md bg-sunken px-1 py-1 text-center text-note">
      <span className="font-strong">{isToday ? t('today') : formatShortWeekday(day.date)}</span>
      <ConditionIcon condition={day.condition} className="size-5" />
      <span className="sr-only">{t('condition', { condition: conditionOf(day.condition) })}</span>
      <span className="tabular">
        {t.rich('highLow', {
          high: degrees(day.high),
          low: degrees(day.low),
          hidden,
          soft: (words) => <span className="text-ink-soft">{words}</span>,
        })}
      </span>
      {day.precipitation !== null && (
        <span className="tabular flex items-center gap-0.5 text-ink-soft">
          <Droplet aria-hidden className="size-3" />
          {t.rich('chance', { percent: String(day.precipitation), hidden })}
        </span>
      )}
    </li>
  );
}
