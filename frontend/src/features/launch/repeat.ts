import { MOST_DATES, daysOf, isLastOf, nthOf, type Repeat } from '@beltway/contracts/catalog/series';
import { wholeNumber } from '@beltway/contracts/common/typed-number';
import { z } from 'zod';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { formatWeekday } from '../../lib/i18n/format.ts';
import { language } from '../../lib/i18n/language.ts';
import { texts } from './texts.en.ts';

/** The choices for repeating an event. */
export const RepeatChoice = z.enum(['never', 'week', 'month-day', 'month-weekday', 'month-last', 'dates']);
export type RepeatChoice = z.infer<typeof RepeatChoice>;

export interface RepeatForm {
  eventDate: string;
  repeat: RepeatChoice;
  /** The text that was typed for the total number of dates. */
  repeatCount: string;
  /** The dates after the first, in the order in which they were chosen. */
  moreDates: readonly string[];
}

export const isCounted = (choice: RepeatChoice): boolean => choice !== 'never' && choice !== 'dates';
/** Parses a count from 2 to the maximum number of dates in a series; null for anything else. */
export function countOf(typed: string): number | null {
  const count = wholeNumber(typed);
  return count !== null && count >= 2 && count <= MOST_DATES ? count : null;
}

/** The form's repetition in the API's format; undefined for a single date or an incomplete form. */
export function repeatOf({ eventDate, repeat, repeatCount, moreDates }: RepeatForm): Repeat | undefined {
  if (repeat === 'never' || !eventDate) return undefined;
  if (repeat === 'dates') {
    const dates = moreDates.filter((day) => day !== eventDate);
    return dates.length > 0 ? { every: 'date', dates } : undefined;
  }
  const count = countOf(repeatCount);
  if (count === null) return undefined;
  switch (repeat) {
    case 'week':
      return { every: 'week', count };
    case 'month-day':
      return { every: 'month', by: 'day', count };
    case 'month-weekday':
      return { every: 'month', by: 'weekday', count };
    case 'month-last':
      return isLastOf(eventDate) ? { every: 'month', by: 'last-weekday', count } : undefined;
  }
}

/** The days to launch; none for a single date, or while the form is incomplete. */
export function daysOfForm(form: RepeatForm): string[] {
  const repeat = repeatOf(form);
  return repeat ? daysOf(form.eventDate, repeat) : [];
}

const suffix = (date: number) =>
  date % 10 < 4 && Math.floor(date / 10) !== 1 ? ['th', 'st', 'nd', 'rd'][date % 10] : 'th';
/** English uses ordinals for days of the month: 1st, 2nd. */
const dateText = (date: number) => (language() === 'en' ? `${date}${suffix(date)}` : String(date));

/**
 * The choices for a series that begins on `day`, with labels. Offers the last weekday of the month only if `day` is a
 * last weekday or the choice was made earlier.
 */
export function choicesFor(day: string, chosen: RepeatChoice): Array<[RepeatChoice, string]> {
  const t = textsNow(texts);
  const weekday = day && formatWeekday(day);
  const hasLast = chosen === 'month-last' || (day !== '' && isLastOf(day));
  return [
    ['never', t('once')],
    ['week', day ? t('weeklyOn', { weekday }) : t('weekly')],
    ['month-day', day ? t('monthlyOn', { date: dateText(Number(day.slice(8))) }) : t('monthly')],
    ['month-weekday', day ? t('monthlyWeekdayOn', { nth: String(nthOf(day)), weekday }) : t('monthlyWeekday')],
    ...(hasLast
      ? ([['month-last', day ? t('monthlyLastOn', { weekday }) : t('monthlyLast')]] as Array<[RepeatChoice, string]>)
      : []),
    ['dates', t('onDates')],
  ];
}

/** The hint about months that a series skips, or null. */
export function leavesOut({ eventDate, repeat }: RepeatForm): string | null {
  if (!eventDate) return null;
  const t = textsNow(texts);
  if (repeat === 'month-day' && Number(eventDate.slice(8)) > 28) return t('withoutDay');
  if (repeat === 'month-weekday' && nthOf(eventDate) === 5) return t('withoutFifth');
  return null;
}
