import { onFirstUse } from './on-first-use.ts';
import { dayAt, dayOf, daysAfter, type EventHours } from './times.ts';

/** A day of New York, "2026-11-28", in the words asked for: without the zone of the machine. */
function dayFormat(options: Intl.DateTimeFormatOptions): (day: string) => string {
  const format = onFirstUse(() => new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options }));
  return (day) => format().format(new Date(day));
}
const nearDay = dayFormat({ weekday: 'short', month: 'short', day: 'numeric' });
const dayOfYear = dayFormat({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });

/** "19:00" is "7 PM", "19:30" is "7:30 PM". */
export function clockText(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return `${hours % 12 || 12}${minutes ? `:${String(minutes).padStart(2, '0')}` : ''} ${hours < 12 ? 'AM' : 'PM'}`;
}

/** "Today" and "Tomorrow" in New York; null for any other day. */
export function nearDayName(eventDate: string | Date, now: Date): 'Today' | 'Tomorrow' | null {
  const day = dayOf(eventDate);
  const today = dayAt(now);
  if (day === today) return 'Today';
  return day === daysAfter(today, 1) ? 'Tomorrow' : null;
}

type Start = Pick<EventHours, 'eventDate' | 'eventStartTime'>;

/** When an event begins, as people say it: "Today, 7:30 PM", "Tomorrow, 6 PM", "Sun, Nov 22, 6 PM", and the year when it is another. */
export function whenText({ eventDate, eventStartTime }: Start, now: Date): string {
  const day = dayOf(eventDate);
  const isThisYear = day.slice(0, 4) === dayAt(now).slice(0, 4);
  return `${nearDayName(eventDate, now) ?? (isThisYear ? nearDay : dayOfYear)(day)}, ${clockText(eventStartTime)}`;
}

/** Of an event that has no date for now, in place of when it begins. */
export const POSTPONED = 'Postponed, new date to come';

/** The same for what is kept and read on any later day, such as a mail: "Sun, Nov 22, 2026, 6 PM". */
export const datedWhenText = ({ eventDate, eventStartTime }: Start): string =>
  `${dayOfYear(dayOf(eventDate))}, ${clockText(eventStartTime)}`;

/** When an event takes place, for what is kept and read on any later day; of a postponed one, what was planned. */
export const plannedWhenText = (event: Start & { status: string }): string =>
  event.status === 'postponed' ? `${POSTPONED} (it was ${datedWhenText(event)})` : datedWhenText(event);
