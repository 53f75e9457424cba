import type { ForecastDay, Weather, WeatherSource } from '@beltway/contracts/weather';
import { useQuery } from '@tanstack/react-query';
import { Droplet } from 'lucide-react';
import { explain } from '../../lib/http.ts';
import { ConditionIcon, degrees, weatherQuery } from '../../lib/weather.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Loading, Skeleton } from '../../ui/states.tsx';

/** Of the card, so that nothing moves when the weather comes. */
const frame = 'min-h-72 md:max-xl:min-h-52 rounded-lg border border-line bg-surface p-4 sm:p-5';

/** The weather now, and for five days. */
export function WeatherCard() {
  const { data, error, isFetching, refetch } = useQuery(weatherQuery());
  if (data) return <Card weather={data} />;
  // Beside what people came for it is quiet.
  if (error)
    return (
      <div className={`${frame} grid content-center justify-items-start gap-3`}>
        <p role="status">The weather could not be loaded. {explain(error)}</p>
        <Button variant="secondary" onClick={() => void refetch()} pending={isFetching}>
          Ask for the weather again
        </Button>
      </div>
    );
  return <WeatherSkeleton />;
}

const WeatherSkeleton = () => (
  <Loading label="Loading the weather" className={frame}>
    <Skeleton className="h-5 w-32" />
    <Skeleton className="mt-3 h-10 w-44 max-w-full" />
    <Skeleton className="mt-5 h-14 w-full" />
  </Loading>
);

const SOURCES: Record<WeatherSource, string> = {
  observation: 'Observed by the nearest station; forecast by the national weather service',
  forecast: 'Forecast by the national weather service',
  open: 'From an open weather service',
  seasonal: 'Averages of thirty years, not a measurement or a forecast',
};

function Card({ weather: { location, current, forecast, source } }: { weather: Weather }) {
  const facts = [
    current.feelsLike !== null && current.feelsLike !== current.temp && `Feels like ${degrees(current.feelsLike)}`,
    current.humidity !== null && `Humidity ${current.humidity}%`,
    current.windSpeed !== null && `Wind ${current.windSpeed} mph`,
    current.visibility !== null && `Visibility ${current.visibility} mi`,
  ].filter(Boolean);
  return (
    <section aria-labelledby="weather-title" className={frame}>
      <div className="grid gap-4 md:max-xl:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)] md:max-xl:items-center">
        <div>
          <h2 id="weather-title" className="text-note font-strong text-ink-soft">
            Weather in {location}
          </h2>
          <p className="mt-1 flex items-center gap-3">
            <ConditionIcon condition={current.condition} className="size-9 shrink-0" />
            <span className="tabular font-display text-heading font-strong">{degrees(current.temp)}</span>
            <span className="leading-tight">{current.condition}</span>
          </p>
          {facts.length > 0 && <p className="tabular mt-1 text-note text-ink-soft">{facts.join(' · ')}</p>}
        </div>
        <ol
          aria-label={source === 'seasonal' ? 'Typical for these days' : 'Forecast'}
          className="grid grid-cols-5 gap-1 max-[15rem]:grid-cols-2"
        >
          {forecast.map((day, at) => (
            <Day key={day.date} day={day} isToday={at === 0} />
          ))}
        </ol>
      </div>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-note text-ink-soft">{SOURCES[source]}</p>
        <ButtonLink to="/tonight" variant="secondary">
          Tonight near me
        </ButtonLink>
      </div>
    </section>
  );
}

const Day = ({ day, isToday }: { day: ForecastDay; isToday: boolean }) => (
  <li className="grid justify-items-center gap-0.5 rounded-md bg-sunken px-1 py-2 text-center text-note">
    <span className="font-strong">{isToday ? 'Today' : day.day}</span>
    <ConditionIcon condition={day.condition} className="size-5" />
    <span className="sr-only">{day.condition},</span>
    <span className="tabular">
      <span className="sr-only">high </span>
      {degrees(day.high)}
      <span className="sr-only">, low </span>
      <span className="text-ink-soft"> {degrees(day.low)}</span>
    </span>
    {day.precipitation !== null && (
      <span className="tabular flex items-center gap-0.5 text-ink-soft">
        <Droplet aria-hidden className="size-3" />
        {day.precipitation}%<span className="sr-only"> chance of rain or snow</span>
      </span>
    )}
  </li>
);
