import { z } from 'zod';

/**
 * Where a summary comes from: the weather service's forecast with a station's observation, its forecast only, the open
 * weather API, or what is typical for the season: nobody's measurement.
 */
export const WeatherSource = z.enum(['observation', 'forecast', 'open', 'seasonal']);
export type WeatherSource = z.infer<typeof WeatherSource>;

/** Degrees Fahrenheit, from the coldest to the hottest that was ever measured on earth. */
export const temperature = z.number().min(-130).max(140);
export const percent = z.number().min(0).max(100);
export const conditionText = z.string().trim().min(1).max(80);
/** Miles an hour; the strongest gust ever measured was 253. */
export const windSpeed = z.number().min(0).max(260);
/** Miles. */
export const visibility = z.number().min(0).max(200);

/** One day in New York. Null: the source does not say, as the high of a day that is nearly over. */
export const ForecastDay = z.object({
  date: z.iso.date(),
  /** "Mon" */
  day: z.string(),
  high: temperature.nullable(),
  low: temperature.nullable(),
  condition: conditionText,
  /** How likely rain or snow is, in percent. */
  precipitation: percent.nullable(),
});
export type ForecastDay = z.infer<typeof ForecastDay>;

/** GET /api/weather (services/media/PRODUCT.md#weather). Whole degrees Fahrenheit, miles an hour, miles. Null: not known. */
export const Weather = z.object({
  location: z.string(),
  current: z.object({
    temp: temperature,
    condition: conditionText,
    humidity: percent.nullable(),
    windSpeed: windSpeed.nullable(),
    visibility: visibility.nullable(),
    feelsLike: temperature.nullable(),
  }),
  /** From today on, five days at most. */
  forecast: z.array(ForecastDay).min(1).max(5),
  source: WeatherSource,
});
export type Weather = z.infer<typeof Weather>;

/** Of GET /api/weather. */
export const weatherParameters = {
  near: z
    .string()
    .max(100)
    .optional()
    .describe('A position `38.9072,-77.0369` in the region, or the id of a place; Washington when left out'),
};
