import { z } from 'zod';

/**
 * Source of a summary: the weather service's forecast with a station's observation, its forecast alone, the open
 * weather API, or seasonal averages, which are not a measurement.
 */
export const WeatherSource = z.enum(['observation', 'forecast', 'open', 'seasonal']);
export type WeatherSource = z.infer<typeof WeatherSource>;

/** Degrees Fahrenheit, within the extremes that were ever measured on Earth. */
export const temperature = z.number().min(-130).max(140);
export const percent = z.number().min(0).max(100);
export const conditionText = z.string().trim().min(1).max(80);
/** Miles per hour; the strongest gust ever measured was 253. */
export const windSpeed = z.number().min(0).max(260);
/** In miles. */
export const visibility = z.number().min(0).max(200);

/** One day in New York. null: the source has no value, for example the high of a day that is nearly over. */
export const ForecastDay = z.object({
  date: z.iso.date(),
  /** "Mon" */
  day: z.string(),
  high: temperature.nullable(),
  low: temperature.nullable(),
  condition: conditionText,
  /** Probability of rain or snow in percent. */
  precipitation: percent.nullable(),
});
export type ForecastDay = z.infer<typeof ForecastDay>;

/**
 * GET /api/weather (services/media/PRODUCT.md#weather). In whole degrees Fahrenheit, miles per hour, and miles. null:
 * unknown.
 */
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
  /** From today on, at most five days. */
  forecast: z.array(ForecastDay).min(1).max(5),
  source: WeatherSource,
});
export type Weather = z.infer<typeof Weather>;

/** Parameters of GET /api/weather. */
export const weatherParameters = {
  near: z
    .string()
    .max(100)
    .optional()
    .describe('A position in the region such as `38.9072,-77.0369`, or the id of a place; default Washington'),
};
