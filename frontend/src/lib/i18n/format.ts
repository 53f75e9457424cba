import { dayAt, dayOf, instantOf, ZONE, zonedText } from '@beltway/contracts/common/times';
import * as when from '@beltway/contracts/common/when';
import type { OrderLine } from '@beltway/contracts/ticketing/order-lines';
import { textsNow } from './catalog.ts';
import { language, locale, perLanguage } from './language.ts';
import { texts } from './texts.en.ts';

// Days, hours, numbers and money in the page's language, always in the events' time zone (docs/decisions/0097).

type Options = Intl.DateTimeFormatOptions;
const dateFormat = (options: Options, inSpanish: Options = options) =>
  perLanguage(() => new Intl.DateTimeFormat(locale(), language() === 'es' ? inSpanish : options));

/** A formatter for an event's day. */
function dayFormat(options: Options, inSpanish?: Options): (eventDate: string | Date) => string {
  const format = dateFormat({ timeZone: 'UTC', ...options }, inSpanish && { timeZone: 'UTC', ...inSpanish });
  return (eventDate) => format().format(new Date(dayOf(eventDate)));
}
const CLOCK: Options = { hour: 'numeric', minute: '2-digit' };
/**
 * Spanish spells out the month, because some readers understand 11/12 as a day in November, others as a day in
 * December.
 */
const SPELT: Options = { month: 'short', day: 'numeric', year: 'numeric' };
const moment = dateFormat(
  { timeZone: ZONE, month: '2-digit', day: '2-digit', year: 'numeric', ...CLOCK },
  { timeZone: ZONE, ...SPELT, ...CLOCK },
);
const hour = dateFormat({ timeZone: ZONE, ...CLOCK });
/** "Sat" */
export const formatShortWeekday = dayFormat({ weekday: 'short' });

/** "19:30" → "7:30 PM" */
export const formatClock = (time: string): string => when.clockText(time, language());
/** "7:05 PM": the hour of a moment. */
export const formatHour = (at: Date): string => hour().format(at);
/** When an event begins: "Today, 7:30 PM", "Sun, Nov 22, 6 PM". */
export const formatWhen = (start: Parameters<typeof when.whenText>[0], now: Date): string =>
  when.whenText(start, now, language());

/** "11/28/2026" (MM/dd/yyyy, services/catalog/PRODUCT.md#days-and-hours); "28 nov 2026" in Spanish. */
export const formatDate = dayFormat({ month: '2-digit', day: '2-digit', year: 'numeric' }, SPELT);
/** "Saturday, November 28, 2026" */
export const formatLongDate = dayFormat({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' });
/** "Friday, December 4, 2026 – Sunday, December 6, 2026"; a single day for an event of one day. */
export const formatDays = (event: Parameters<typeof when.daysText>[0], format = formatLongDate): string =>
  when.daysText(event, format);
/** "Sun, Dec 6": a day in the format of an event's start. */
export const formatDay = (day: string, now: Date): string => when.dayText(day, now, language());
/** "November" */
export const formatMonth = dayFormat({ month: 'long' });
/** "Saturday" */
export const formatWeekday = dayFormat({ weekday: 'long' });
/** "11/28/2026, 7:05 PM": a moment, such as a purchase or a check-in. */
export const formatMoment = (iso: string | Date): string => moment().format(new Date(iso));

/** "Sat, Nov 28, 7 PM": a moment in the format of an event's start. */
export function sayMoment(iso: string, now: Date): string {
  const at = new Date(iso);
  // Gives `formatWhen` midnight in New York instead of `at`: it would take midnight in UTC for a date without a time.
  return formatWhen({ eventDate: instantOf(dayAt(at)), eventStartTime: zonedText(at).slice(11, 16) }, now);
}

/** "7 PM – 11:30 PM" or "7 PM" */
export const formatTimes = (start: string, end: string | null | undefined): string =>
  end ? `${formatClock(start)} – ${formatClock(end)}` : formatClock(start);

/** "Today" or "Tomorrow"; null for any other day. */
export const nearDay = (iso: string, now: Date): string | null => when.nearDayName(iso, now, language());

/** "Today", "Tomorrow" or "Sat" */
export const dayName = (iso: string, now: Date): string => nearDay(iso, now) ?? formatShortWeekday(iso);

const HOUR = 3_600_000;
/** How long ago something was published, in fixed texts (frontend/PRODUCT.md#fixed-texts). */
export function formatAge(createdAt: string | null | undefined, now: Date): string {
  const t = textsNow(texts);
  if (!createdAt) return t('recently');
  const hours = Math.floor((now.getTime() - new Date(createdAt).getTime()) / HOUR);
  if (hours < 1) return t('justNow');
  return hours < 24 ? t('hoursAgo', { count: hours }) : t('daysAgo', { count: Math.floor(hours / 24) });
}

const dollars = perLanguage(() => new Intl.NumberFormat(locale(), { style: 'currency', currency: 'USD' }));
const rounded: Intl.NumberFormatOptions = { style: 'currency', currency: 'USD', trailingZeroDisplay: 'stripIfInteger' };
const round = perLanguage(() => new Intl.NumberFormat(locale(), rounded));
/** "20" → "$20", "1250.5" → "$1,250.50": a limit, usually a round amount. */
export const formatRound = (amount: string): string => round().format(Number(amount));
const count = perLanguage(() => new Intl.NumberFormat(locale()));
/** 25 or "25.00" (dollars) → "$25.00" */
export const formatPrice = (amount: number | string): string => dollars().format(Number(amount));
/** 2500 (cents) → "$25.00" */
export const formatCents = (cents: number): string => dollars().format(cents / 100);
/** A line of an order: "2 × $25.00" */
export const formatLine = ({ quantity, priceCents }: OrderLine): string => `${quantity} × ${formatCents(priceCents)}`;
/** 12500 → "12,500" */
export const formatCount = (number: number): string => count().format(number);
const short = perLanguage(() => new Intl.NumberFormat(locale(), { notation: 'compact', maximumFractionDigits: 1 }));
const percent = perLanguage(() => new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 }));
/** 0.125 → "12.5%" */
export const formatPercent = (share: number): string => percent().format(share);
/** 12500 → "12.5K", where space is short */
export const formatShort = (number: number): string => short().format(number);
