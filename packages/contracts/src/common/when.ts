import { LOCALES, type Language } from './languages.ts';
import { onFirstUse } from './on-first-use.ts';
import { dayAt, dayOf, daysAfter, zonedText, type EventHours } from './times.ts';

/** A day of New York, "2026-11-28", in the words asked for: without the zone of the machine. */
function dayFormat(options: Intl.DateTimeFormatOptions): (day: string, language: Language) => string {
  const formatIn = (language: Language) =>
    onFirstUse(() => new Intl.DateTimeFormat(LOCALES[language], { timeZone: 'UTC', ...options }));
  const formats = { en: formatIn('en'), es: formatIn('es') };
  return (day, language) => formats[language]().format(new Date(day));
}
const nearDay = dayFormat({ weekday: 'short', month: 'short', day: 'numeric' });
const dayOfYear = dayFormat({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });

/** Of the twelve hours before noon, and of those after it. */
const HALVES: Record<Language, [string, string]> = { en: ['AM', 'PM'], es: ['a.m.', 'p.m.'] };

/** "19:00" is "7 PM", "19:30" is "7:30 PM". */
export function clockText(time: string, language: Language = 'en'): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const half = HALVES[language][hours < 12 ? 0 : 1];
  return `${hours % 12 || 12}${minutes ? `:${String(minutes).padStart(2, '0')}` : ''} ${half}`;
}

const NEAR_DAYS = { en: ['Today', 'Tomorrow'], es: ['Hoy', 'Mañana'] } as const;

/** "Today" and "Tomorrow" in New York; null for any other day. */
export function nearDayName(eventDate: string | Date, now: Date, language: Language = 'en'): string | null {
  const day = dayOf(eventDate);
  const today = dayAt(now);
  const [todayName, tomorrowName] = NEAR_DAYS[language];
  if (day === today) return todayName;
  return day === daysAfter(today, 1) ? tomorrowName : null;
}

type Start = Pick<EventHours, 'eventDate' | 'eventStartTime'>;

/** When an event begins, as people say it: "Today, 7:30 PM", "Tomorrow, 6 PM", "Sun, Nov 22, 6 PM", and the year when it is another. */
export function whenText({ eventDate, eventStartTime }: Start, now: Date, language: Language = 'en'): string {
  const day = dayOf(eventDate);
  const isThisYear = day.slice(0, 4) === dayAt(now).slice(0, 4);
  const dayText = nearDayName(eventDate, now, language) ?? (isThisYear ? nearDay : dayOfYear)(day, language);
  return `${dayText}, ${clockText(eventStartTime, language)}`;
}

/** Of an event that has no date for now, in place of when it begins. */
export const POSTPONED = 'Postponed, new date to come';

/** "6 PM ET": with the zone, for what is read elsewhere than on a page of events around New York's clocks. */
export const easternText = (time: string, language: Language = 'en'): string => `${clockText(time, language)} ET`;

/** The same for what is kept and read anywhere on any later day, such as a mail: "Sun, Nov 22, 2026, 6 PM ET". */
export const datedWhenText = ({ eventDate, eventStartTime }: Start, language: Language = 'en'): string =>
  `${dayOfYear(dayOf(eventDate), language)}, ${easternText(eventStartTime, language)}`;

/** A moment, likewise: "Sun, Nov 22, 2026, 6 PM ET". */
export function momentText(at: string | Date, language: Language = 'en'): string {
  const zoned = zonedText(new Date(at));
  return `${dayOfYear(zoned.slice(0, 10), language)}, ${easternText(zoned.slice(11, 16), language)}`;
}

/** When an event takes place, for what is kept and read on any later day; of a postponed one, what was planned. */
export function plannedWhenText(event: Start & { status: string }, language: Language = 'en'): string {
  const dated = datedWhenText(event, language);
  if (event.status !== 'postponed') return dated;
  return language === 'es' ? `Pospuesto, pronto habrá nueva fecha (era el ${dated})` : `${POSTPONED} (it was ${dated})`;
}
