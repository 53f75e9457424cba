import { dayAt, daysAfter, ZONE } from '@beltway/contracts/common/times';
import { dayName, FORECAST_DAYS, type Report } from './sources.ts';

/**
 * Mean highs and lows (°F) and the share of days with rain or snow (%) of each month, at Reagan National Airport, 1991
 * to 2020, rounded; entered by hand. The results are within a degree of the normals in two of the weather service's
 * daily reports for this station (14 April: 68 and 48; 24 August: 87 and 70).
 */
const NORMALS: readonly (readonly [high: number, low: number, wet: number])[] = [
  [45, 30, 31],
  [48, 32, 31],
  [56, 39, 34],
  [68, 48, 36],
  [76, 58, 37],
  [85, 67, 35],
  [90, 72, 33],
  [88, 71, 29],
  [81, 64, 28],
  [69, 52, 26],
  [58, 42, 27],
  [49, 35, 31],
];

/** Interpolates between the middles of two months. */
function normalOf(date: string): { high: number; low: number; wet: number } {
  const [, month = 1, day = 1] = date.split('-').map(Number);
  const into = (day - 15) / 30;
  const here = NORMALS[month - 1]!;
  const there = NORMALS[(month - 1 + (into < 0 ? 11 : 1)) % 12]!;
  const between = (at: 0 | 1 | 2) => Math.round(here[at] + (there[at] - here[at]) * Math.abs(into));
  return { high: between(0), low: between(1), wet: between(2) };
}

const hourOf = new Intl.DateTimeFormat('en-US', { timeZone: ZONE, hour: 'numeric', hourCycle: 'h23' });
/** The coldest hour is about 5 in the morning, the warmest 3 in the afternoon. */
const warmth = (hour: number): number =>
  hour >= 5 && hour <= 15
    ? (1 - Math.cos(((hour - 5) / 10) * Math.PI)) / 2
    : (1 + Math.cos((((hour + 9) % 24) / 14) * Math.PI)) / 2;

export const TYPICAL = 'Typical for the season';

/** Typical weather of the season in Washington, labeled as typical. It is neither a measurement nor a forecast. */
export function seasonal(now: Date): Report {
  const today = dayAt(now);
  const days = Array.from({ length: FORECAST_DAYS }, (_, at) => daysAfter(today, at));
  const { high, low } = normalOf(today);
  return {
    current: {
      temp: Math.round(low + (high - low) * warmth(Number(hourOf.format(now)))),
      condition: TYPICAL,
      humidity: null,
      windSpeed: null,
      visibility: null,
      feelsLike: null,
    },
    forecast: days.map((date) => {
      const normal = normalOf(date);
      return {
        date,
        day: dayName(date),
        high: normal.high,
        low: normal.low,
        condition: TYPICAL,
        precipitation: normal.wet,
      };
    }),
    source: 'seasonal',
  };
}
