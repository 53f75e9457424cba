import { onFirstUse } from '@beltway/contracts/on-first-use';
import { dayAt, dayOf, instantOf, ZONE, zonedText } from '@beltway/contracts/times';
import { clockText, nearDayName, whenText } from '@beltway/contracts/when';

/** How the day of an event is shown. */
function dayFormat(options: Intl.DateTimeFormatOptions): (eventDate: string | Date) => string {
  const format = onFirstUse(() => new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options }));
  return (eventDate) => format().format(new Date(dayOf(eventDate)));
}
const moment = onFirstUse(
  () =>
    new Intl.DateTimeFormat('en-US', {
      timeZone: ZONE,
      ...{ month: '2-digit', day: '2-digit', year: 'numeric', hour: 'numeric', minute: '2-digit' },
    }),
);
const weekday = dayFormat({ weekday: 'short' });

/** "11/28/2026" (MM/dd/yyyy, docs/product.md#days-and-hours). */
export const formatDate = dayFormat({ month: '2-digit', day: '2-digit', year: 'numeric' });
/** "Saturday, November 28, 2026" */
export const formatLongDate = dayFormat({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' });
/** "11/28/2026, 7:05 PM": a moment, such as a purchase or a check-in. */
export const formatMoment = (iso: string | Date): string => moment().format(new Date(iso));

/** "Sat, Nov 28, 7 PM": a moment, as people say when something begins. */
export function sayMoment(iso: string, now = new Date()): string {
  const at = new Date(iso);
  // The day's own midnight: an instant that is midnight in UTC would be read as a bare date.
  return whenText({ eventDate: instantOf(dayAt(at)), eventStartTime: zonedText(at).slice(11, 16) }, now);
}

/** "7 PM – 11:30 PM" or "7 PM" */
export const formatTimes = (start: string, end: string | null | undefined): string =>
  end ? `${clockText(start)} – ${clockText(end)}` : clockText(start);

/** "Today", "Tomorrow" or "Sat" */
export const dayName = (iso: string, now = new Date()): string => nearDayName(iso, now) ?? weekday(iso);

const HOUR = 3_600_000;
/** How long ago something was put up, in exactly the words of docs/product.md#event-cards */
export function formatAge(createdAt: string | null | undefined, now = new Date()): string {
  if (!createdAt) return 'Recently';
  const hours = Math.floor((now.getTime() - new Date(createdAt).getTime()) / HOUR);
  if (hours < 1) return 'Just now';
  if (hours === 1) return '1 hour ago';
  if (hours < 24) return `${hours} hours ago`;
  const days = Math.floor(hours / 24);
  return days === 1 ? '1 day ago' : `${days} days ago`;
}

const dollars = onFirstUse(() => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }));
const count = onFirstUse(() => new Intl.NumberFormat('en-US'));
/** 25 or "25.00" (dollars) → "$25.00" */
export const formatPrice = (amount: number | string): string => dollars().format(Number(amount));
/** 2500 (cents) → "$25.00" */
export const formatCents = (cents: number): string => dollars().format(cents / 100);
/** 12500 → "12,500" */
export const formatCount = (number: number): string => count().format(number);
const short = onFirstUse(() => new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }));
/** 12500 → "12.5K", where there is little room */
export const formatShort = (number: number): string => short().format(number);
