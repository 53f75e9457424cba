import { z } from 'zod';
import { daysAfter } from '../common/times.ts';
import { fault } from '../problems/fault.ts';

/** Maximum number of dates in one series: weekly for a year. */
export const MOST_DATES = 52;

const COUNT_WANTED = fault('invalid.dates', { min: 2, max: MOST_DATES });
const count = z.int(COUNT_WANTED).min(2, COUNT_WANTED).max(MOST_DATES, COUNT_WANTED);

/**
 * The days on which an event repeats; the first is its `eventDate`. `day` repeats on the same day of each month,
 * `weekday` on the same weekday (the second Friday), `last-weekday` on the last such weekday. A month without such a
 * day is skipped: a series on the 31st has no date in June (RFC 5545, section 3.3.10).
 */
export const Repeat = z.discriminatedUnion('every', [
  z.strictObject({ every: z.literal('week'), count }),
  z.strictObject({ every: z.literal('month'), by: z.enum(['day', 'weekday', 'last-weekday']), count }),
  /** Days in addition to the first day. */
  z.strictObject({
    every: z.literal('date'),
    dates: z
      .array(z.iso.date(fault('invalid.date-form')))
      .min(1, fault('invalid.one-more-date'))
      .max(MOST_DATES - 1, fault('invalid.dates-most', { max: MOST_DATES })),
  }),
]);
export type Repeat = z.infer<typeof Repeat>;

const two = (number: number) => String(number).padStart(2, '0');
const partsOf = (day: string) => day.split('-').map(Number) as [year: number, month: number, date: number];
const weekdayOf = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay();
const lengthOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Ordinal of a day among the same weekdays of its month: 3 for the third Friday. */
export const nthOf = (day: string): number => Math.ceil(partsOf(day)[2] / 7);
/** True if no later day of the month has the same weekday. */
export const isLastOf = (day: string): boolean => {
  const [year, month, date] = partsOf(day);
  return date + 7 > lengthOf(year, month);
};

/** The day of a month on which a monthly series takes place; null: none. */
function dayIn(year: number, month: number, first: string, by: 'day' | 'weekday' | 'last-weekday'): string | null {
  const length = lengthOf(year, month);
  const at = (date: number) => `${year}-${two(month)}-${two(date)}`;
  if (by === 'day') {
    const [, , date] = partsOf(first);
    return date <= length ? at(date) : null;
  }
  const earliest = 1 + ((weekdayOf(first) - weekdayOf(at(1)) + 7) % 7);
  if (by === 'weekday') {
    const date = earliest + 7 * (nthOf(first) - 1);
    return date <= length ? at(date) : null;
  }
  return at(earliest + 7 * Math.floor((length - earliest) / 7));
}

/**
 * The days of a series, sorted and without duplicates. The list includes `first`, except that a `last-weekday` series
 * begins on the last such weekday of the month of `first`.
 */
export function daysOf(first: string, repeat: Repeat): string[] {
  switch (repeat.every) {
    case 'week':
      return Array.from({ length: repeat.count }, (_, week) => daysAfter(first, 7 * week));
    case 'month': {
      const [year, month] = partsOf(first);
      const days: string[] = [];
      // The loop terminates, because at least every second month has 31 days, and at least three months a year have a
      // fifth such weekday.
      for (let at = month - 1; days.length < repeat.count; at++) {
        const day = dayIn(year + Math.floor(at / 12), (at % 12) + 1, first, repeat.by);
        if (day !== null) days.push(day);
      }
      return days;
    }
    case 'date':
      return [...new Set([first, ...repeat.dates])].sort();
  }
}
