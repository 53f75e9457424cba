import {
  conditionText,
  percent,
  temperature,
  visibility,
  windSpeed,
  type ForecastDay,
} from '@beltway/contracts/media/weather';
import { dayAt, daysAfter, ZONE } from '@beltway/contracts/common/times';
import type { Position } from '@beltway/places/distance';
import { z } from 'zod';
import type { Weather } from '@beltway/contracts/media/weather';

/** A source's report without the place's name, which is added later. */
export type Report = Omit<Weather, 'location'>;
/** Requests the JSON of one path of a source. */
export type Ask = (path: string) => Promise<unknown>;

export const FORECAST_DAYS = 5;

const weekday = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'short' });
/** "2026-11-28" is "Sat". */
export const dayName = (date: string): string => weekday.format(new Date(date));

const whole = (value: number): number => Math.round(value);
const orNull = (value: number | null | undefined): number | null => (value == null ? null : whole(value));

/**
 * Today and the following days for which the source has a forecast, each day once. Throws if the source does not have
 * today.
 */
function fromToday(days: ForecastDay[], now: Date): ForecastDay[] {
  const today = dayAt(now);
  const wanted = Array.from({ length: FORECAST_DAYS }, (_, at) => daysAfter(today, at));
  const known = wanted.flatMap((date) => days.find((day) => day.date === date) ?? []);
  if (known[0]?.date !== today) throw new Error('A forecast that does not begin today');
  return known;
}

const position = ({ lat, lon }: Position) => ({ lat: lat.toFixed(1), lon: lon.toFixed(1) });

// The national weather service (www.weather.gov/documentation/services-web-api). Further requests use only names from
// the service's responses, never URLs from them.

const Point = z.object({
  properties: z.object({
    gridId: z.string().regex(/^[A-Z]{3}$/),
    gridX: z.int().min(0).max(1_000),
    gridY: z.int().min(0).max(1_000),
  }),
});
const Period = z.object({
  startTime: z.iso.datetime({ offset: true }),
  isDaytime: z.boolean(),
  temperature,
  temperatureUnit: z.literal('F'),
  probabilityOfPrecipitation: z.object({ value: percent.nullable() }).nullish(),
  windSpeed: z.string().max(40).nullish(),
  shortForecast: conditionText,
});
type Period = z.infer<typeof Period>;
const Periods = z.object({ properties: z.object({ periods: z.array(Period).min(1).max(40) }) });

/** "5 to 10 mph" is 10. */
function windOf(text: string | null | undefined): number | null {
  const numbers = [...(text ?? '').matchAll(/\d+/g)].map(([digits]) => Number(digits));
  const strongest = windSpeed.safeParse(Math.max(...numbers));
  return strongest.success ? strongest.data : null;
}

/** Merges periods, which alternate between days and nights, into days. */
function daysOf(periods: Period[]): ForecastDay[] {
  const byDate = Map.groupBy(periods, ({ startTime }) => dayAt(new Date(startTime)));
  return [...byDate].map(([date, all]) => {
    const days = all.filter(({ isDaytime }) => isDaytime);
    const nights = all.filter(({ isDaytime }) => !isDaytime);
    const chances = all.flatMap(({ probabilityOfPrecipitation: chance }) => chance?.value ?? []);
    return {
      date,
      day: dayName(date),
      high: days.length ? whole(Math.max(...days.map((one) => one.temperature))) : null,
      low: nights.length ? whole(Math.min(...nights.map((one) => one.temperature))) : null,
      condition: (days[0] ?? all[0]!).shortForecast,
      precipitation: chances.length ? whole(Math.max(...chances)) : null,
    };
  });
}

/** Requests the place's grid cell from the service, then its forecast. */
export async function serviceForecast(ask: Ask, at: Position, now: Date): Promise<{ report: Report; grid: string }> {
  const { lat, lon } = position(at);
  const { gridId, gridX, gridY } = Point.parse(await ask(`points/${lat},${lon}`)).properties;
  const grid = `gridpoints/${gridId}/${gridX},${gridY}`;
  const { periods } = Periods.parse(await ask(`${grid}/forecast`)).properties;
  // The first period may be over, because a forecast may be a few hours old.
  const present = periods.findLast(({ startTime }) => Date.parse(startTime) <= now.getTime()) ?? periods[0]!;
  const current = {
    temp: whole(present.temperature),
    condition: present.shortForecast,
    humidity: null,
    windSpeed: windOf(present.windSpeed),
    visibility: null,
    feelsLike: null,
  };
  return { report: { current, forecast: fromToday(daysOf(periods), now), source: 'forecast' }, grid };
}

const Stations = z.object({
  features: z
    .array(z.object({ properties: z.object({ stationIdentifier: z.string().regex(/^[A-Z0-9]{3,8}$/) }) }))
    .min(1),
});
const measured = (unit: string) =>
  z.object({ value: z.number().nullable(), unitCode: z.literal(`wmoUnit:${unit}`) }).nullish();
const Observation = z.object({
  properties: z.object({
    timestamp: z.iso.datetime({ offset: true }),
    textDescription: conditionText,
    temperature: z.object({ value: z.number(), unitCode: z.literal('wmoUnit:degC') }),
    relativeHumidity: measured('percent'),
    windSpeed: measured('km_h-1'),
    visibility: measured('m'),
    windChill: measured('degC'),
    heatIndex: measured('degC'),
  }),
});

const HOUR = 3_600_000;
/** Stations report each hour; older reports are not current weather. */
const OBSERVED_WITHIN = 3 * HOUR;
const KM_PER_MILE = 1.609344;
const fahrenheit = (celsius: number): number => (celsius * 9) / 5 + 32;
/** The value in our unit; null if the station does not report the value. Throws if the value is impossible. */
function value(schema: z.ZodNumber, read: { value: number | null } | null | undefined, convert: (n: number) => number) {
  return read?.value == null ? null : whole(schema.parse(convert(read.value)));
}

/** The current weather from the latest observation of the station closest to a grid cell. */
export async function latestObservation(ask: Ask, grid: string, now: Date): Promise<Report['current']> {
  const { features } = Stations.parse(await ask(`${grid}/stations`));
  const station = features[0]!.properties.stationIdentifier;
  const { properties: seen } = Observation.parse(await ask(`stations/${station}/observations/latest`));
  const age = now.getTime() - Date.parse(seen.timestamp);
  if (age > OBSERVED_WITHIN || age < -OBSERVED_WITHIN) throw new Error(`${station} observed at ${seen.timestamp}`);
  return {
    temp: whole(temperature.parse(fahrenheit(seen.temperature.value))),
    condition: seen.textDescription,
    humidity: value(percent, seen.relativeHumidity, (n) => n),
    windSpeed: value(windSpeed, seen.windSpeed, (n) => n / KM_PER_MILE),
    visibility: value(visibility, seen.visibility, (n) => n / 1_000 / KM_PER_MILE),
    feelsLike: value(temperature, seen.heatIndex?.value == null ? seen.windChill : seen.heatIndex, fahrenheit),
  };
}

// The open weather API is Open-Meteo's API (open-meteo.com/en/docs).

const list = <T extends z.ZodType>(of: T) => z.array(of).min(1).max(16);
const Open = z.object({
  current: z.object({
    temperature_2m: temperature,
    relative_humidity_2m: percent.nullish(),
    apparent_temperature: temperature.nullish(),
    weather_code: z.int().min(0).max(99),
    wind_speed_10m: windSpeed.nullish(),
    /** Meters, or feet if the units of length are not metric. */
    visibility: z.number().min(0).max(1_000_000).nullish(),
  }),
  current_units: z.object({ visibility: z.enum(['m', 'ft']).nullish() }).nullish(),
  daily: z.object({
    time: list(z.iso.date()),
    weather_code: list(z.int().min(0).max(99)),
    temperature_2m_max: list(temperature.nullable()),
    temperature_2m_min: list(temperature.nullable()),
    precipitation_probability_max: list(percent.nullable()),
  }),
});

/** WMO code table 4677 as Open-Meteo uses it, in a few words. An entry applies to all codes up to the next entry. */
const CONDITIONS: readonly (readonly [from: number, text: string])[] = [
  [0, 'Clear'],
  [1, 'Mostly Clear'],
  [2, 'Partly Cloudy'],
  [3, 'Cloudy'],
  [4, 'Haze'],
  [45, 'Fog'],
  [51, 'Drizzle'],
  [61, 'Rain'],
  [66, 'Freezing Rain'],
  [71, 'Snow'],
  [80, 'Rain Showers'],
  [85, 'Snow Showers'],
  [95, 'Thunderstorms'],
];
const conditionOf = (code: number): string => CONDITIONS.findLast(([from]) => from <= code)![1];

/** Current weather and forecast of the open weather API. */
export async function openWeather(ask: Ask, at: Position, now: Date): Promise<Report> {
  const { lat, lon } = position(at);
  const query = new URLSearchParams({
    latitude: lat,
    longitude: lon,
    current: 'temperature_2m,relative_humidity_2m,apparent_temperature,weather_code,wind_speed_10m,visibility',
    daily: 'weather_code,temperature_2m_max,temperature_2m_min,precipitation_probability_max',
    temperature_unit: 'fahrenheit',
    wind_speed_unit: 'mph',
    timezone: ZONE,
    forecast_days: String(FORECAST_DAYS),
  });
  const { current, current_units: units, daily } = Open.parse(await ask(`?${query.toString()}`));
  const days = daily.time.map((date, day) => ({
    date,
    day: dayName(date),
    high: orNull(daily.temperature_2m_max[day]),
    low: orNull(daily.temperature_2m_min[day]),
    condition: conditionOf(daily.weather_code[day] ?? current.weather_code),
    precipitation: orNull(daily.precipitation_probability_max[day]),
  }));
  const meters = current.visibility == null ? null : current.visibility * (units?.visibility === 'ft' ? 0.3048 : 1);
  return {
    current: {
      temp: whole(current.temperature_2m),
      condition: conditionOf(current.weather_code),
      humidity: orNull(current.relative_humidity_2m),
      windSpeed: orNull(current.wind_speed_10m),
      visibility: meters === null ? null : whole(Math.min(meters / 1_000 / KM_PER_MILE, 200)),
      feelsLike: orNull(current.apparent_temperature),
    },
    forecast: fromToday(days, now),
    source: 'open',
  };
}
