import { LOCALES, type Language } from './languages.ts';
import { onFirstUse } from './on-first-use.ts';
import { dayAt, dayOf, daysAfter, daysOfEvent, zonedText, type EventHours } from './times.ts';

/** Formats a day in New York, "2026-11-28", independent of the machine's time zone. */
function dayFormat(options: Intl.DateTimeFormatOptions): (day: string, language: Language) => string {
  const formatIn = (language: Language) =>
    onFirstUse(() => new Intl.DateTimeFormat(LOCALES[language], { timeZone: 'UTC', ...options }));
  const formats = { en: formatIn('en'), es: formatIn('es') };
  return (day, language) => formats[language]().format(new Date(day));
}
const nearDay = dayFormat({ weekday: 'short', month: 'short', day: 'numeric' });
const dayOfYear = dayFormat({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });

/** Before and after noon. */
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

type Start = Pick<EventHours, 'eventDate' | 'eventLastDate' | 'eventStartTime'>;

/** The days of an event, each in the same form: "Fri, Dec 4 – Sun, Dec 6". */
export function daysText(event: Pick<Start, 'eventDate' | 'eventLastDate'>, textOf: (day: string) => string): string {
  const { first, last } = daysOfEvent(event);
  return first === last ? textOf(first) : `${textOf(first)} – ${textOf(last)}`;
}

/** "Sun, Nov 22". Includes the year if it is not the current year. */
export const dayText = (day: string, now: Date, language: Language = 'en'): string =>
  (day.slice(0, 4) === dayAt(now).slice(0, 4) ? nearDay : dayOfYear)(day, language);

/**
 * When an event begins: "Today, 7:30 PM", "Tomorrow, 6 PM", "Sun, Nov 22, 6 PM". Includes the year if it is not the
 * current year. For an event of several days, the text has the first and last day: "Fri, Dec 4 – Sun, Dec 6, 7 PM".
 */
export function whenText(start: Start, now: Date, language: Language = 'en'): string {
  const days = daysText(start, (day) => nearDayName(day, now, language) ?? dayText(day, now, language));
  return `${days}, ${clockText(start.eventStartTime, language)}`;
}

/** Shown instead of the start while an event has no date. */
export const POSTPONED = 'Postponed, new date to be announced';

/** "6 PM ET": includes the zone, for texts outside the site. */
export const easternText = (time: string, language: Language = 'en'): string => `${clockText(time, language)} ET`;

/** Includes year and zone, for texts that are read later and elsewhere, such as mails: "Sun, Nov 22, 2026, 6 PM ET". */
export const datedWhenText = (start: Start, language: Language = 'en'): string =>
  `${daysText(start, (day) => dayOfYear(day, language))}, ${easternText(start.eventStartTime, language)}`;

/** An instant with year and zone: "Sun, Nov 22, 2026, 6 PM ET". */
export function momentText(at: string | Date, language: Language = 'en'): string {
  const zoned = zonedText(new Date(at));
  return `${dayOfYear(zoned.slice(0, 10), language)}, ${easternText(zoned.slice(11, 16), language)}`;
}

/**
 * When an event takes place, for texts that are read later. For a postponed event, the text contains the former date.
 */
export function plannedWhenText(event: Start & { status: string }, language: Language = 'en'): string {
  const dated = datedWhenText(event, language);
  if (event.status !== 'postponed') return dated;
  return language === 'es' ? `Pospuesto, pronto habrá nueva fecha (era el ${dated})` : `${POSTPONED} (it was ${dated})`;
}
