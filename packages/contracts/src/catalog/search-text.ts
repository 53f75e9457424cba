// No zod here: while the visitor types, the frontend displays how the search is interpreted.
import {
  dayRange,
  todayRange,
  tomorrowRange,
  tonightRange,
  weekendRange,
  weekRange,
  type TimeRange,
} from '../common/day-ranges.ts';
import { dayAt, daysAfter } from '../common/times.ts';
import { plainNumber } from '../common/typed-number.ts';

/** The words and filters of a typed search (services/catalog/PRODUCT.md#words-that-are-filters). */
export interface SearchText {
  /** The remaining words to search for. */
  words: string;
  free: boolean;
  maxPriceCents: number | null;
  range: TimeRange | null;
}

/** The kind of filter that words express. Only the first filter of each kind counts. */
export type SaidKind = 'range' | 'price' | 'free';

/** A filter in a search text, and its position: from `start` (inclusive) to `end` (exclusive). */
export interface SaidFilter {
  kind: SaidKind;
  /** A named time, a day such as 2026-12-04, or cents. Empty for free entry. */
  name: NamedTime | (string & {});
  start: number;
  end: number;
}
export type NamedTime = 'tonight' | 'today' | 'tomorrow' | 'weekend' | 'week';

/** A null kind marks filler words. A null name means the words only look like a filter, such as Feb 30. */
type Rule = [phrase: RegExp, kind: SaidKind | null, nameOf: (match: RegExpExecArray, now: Date) => string | null];

/** Whole words only, delimited by blanks or the ends of the text. `#free` is a tag, not a filter. */
const phrase = (words: string) => new RegExp(`(?<=^|\\s)(?:${words})[,.!?]?(?=\\s|$)`, 'iu');

/** An amount that `plainNumber` reads: up to 999,999.99. */
const AMOUNT = '(?:[1-9]\\d{0,2},\\d{3}(?:\\.\\d{1,2})?|\\d{1,6}(?:[.,]\\d{1,2})?)';

/** Weekday names in English and Spanish, indexed by day of the week; Sunday is 0. */
const WEEKDAYS = [
  ...['sunday|domingo', 'monday|lunes', 'tuesday|martes', 'wednesday|mi[eé]rcoles', 'thursday|jueves'],
  ...['friday|viernes', 'saturday|s[aá]bado'],
];
const MONTHS = [
  ...['jan(?:uary)?|ene(?:ro)?', 'feb(?:ruary)?|febrero', 'mar(?:ch)?|marzo', 'apr(?:il)?|abr(?:il)?'],
  ...['may|mayo', 'june?|junio', 'july?|julio', 'aug(?:ust)?|ago(?:sto)?', 'sept?(?:ember)?|septiembre'],
  ...['oct(?:ober)?|octubre', 'nov(?:ember)?|noviembre', 'dec(?:ember)?|dic(?:iembre)?'],
];
const indexIn = (names: readonly string[], name: string): number =>
  names.findIndex((one) => new RegExp(`^(?:${one})$`, 'iu').test(name));
const ANY_MONTH = `(${MONTHS.join('|')})\\.?`;
const A_DAY = '(\\d{1,2})(?:st|nd|rd|th)?';
const A_YEAR = '(?:,? (?:de |del )?(20\\d\\d))?';

/** The next day with this weekday. Today counts, except with `isNext`. */
function weekdayAfter(now: Date, name: string, isNext: boolean): string {
  const today = dayAt(now);
  const ahead = (indexIn(WEEKDAYS, name) - new Date(`${today}T00:00:00Z`).getUTCDay() + 7) % 7;
  return daysAfter(today, ahead === 0 && isNext ? 7 : ahead);
}

/**
 * The named day. If the text has no year, the day's next occurrence. null: no such day exists, or the day is beyond the
 * years that a search allows.
 */
function dayNamed(now: Date, month: string, day: string, year: string | undefined): string | null {
  const today = dayAt(now);
  const dayIn = (of: number) => `${of}-${String(indexIn(MONTHS, month) + 1).padStart(2, '0')}-${day.padStart(2, '0')}`;
  const isDay = (text: string) => {
    const at = new Date(`${text}T00:00:00Z`);
    return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
  };
  const thisYear = Number(today.slice(0, 4));
  const all = (year === undefined ? [thisYear, thisYear + 1] : [Number(year)]).map(dayIn).filter(isDay);
  return all.find((one) => year !== undefined || one >= today) ?? null;
}

/** Names that contain a weekday but are not dates, such as "Black Friday". */
const NO_DATE = '(?<!(?:first|black|good|fat|cyber|super|taco|ruby) )';

const RULES: readonly Rule[] = [
  [phrase('this week-?end|este (?:fin de semana|finde)'), 'range', () => 'weekend'],
  [phrase('tonight|this evening|esta noche|hoy (?:en|por) la noche'), 'range', () => 'tonight'],
  [phrase('today|hoy'), 'range', () => 'today'],
  [phrase('tomorrow|mañana'), 'range', () => 'tomorrow'],
  [phrase('this week|esta semana'), 'range', () => 'week'],
  [
    phrase(`(?:on |el )?${ANY_MONTH} ${A_DAY}${A_YEAR}`),
    'range',
    ([, month = '', day = '', year], now) => dayNamed(now, month, day, year),
  ],
  [
    phrase(`(?:on |el )?(?:the )?${A_DAY} (?:of |de )?${ANY_MONTH}${A_YEAR}`),
    'range',
    ([, day = '', month = '', year], now) => dayNamed(now, month, day, year),
  ],
  [
    phrase(`${NO_DATE}(?:on |el |this |este )?(next |pr[oó]ximo )?(${WEEKDAYS.join('|')})(?: que viene)?`),
    'range',
    ([, next, name = ''], now) => weekdayAfter(now, name, next !== undefined),
  ],
  [
    phrase(
      `(?:under|below|less than|up to|(?:por )?menos de|hasta) (?:\\$ ?(${AMOUNT})|(${AMOUNT}) ?(?:dollars|bucks|usd|d[oó]lares))`,
    ),
    'price',
    ([, sign, word]) => String(Math.round(Number(plainNumber(sign ?? word ?? '')) * 100)),
  ],
  [
    phrase('(?:for )?free(?: entry| admission| entrance)?|gratis|gratuit[oa]s?|entrada (?:libre|gratis|gratuita)'),
    'free',
    () => '',
  ],
  // Filler words: they match every event.
  [phrase('(?:things|something) to do|what to do|(?:cosas|algo) (?:que|para) hacer|qu[eé] hacer'), null, () => ''],
  [phrase('events?|eventos?'), null, () => ''],
];

const RANGES: Record<NamedTime, (now: Date) => TimeRange> = {
  tonight: tonightRange,
  today: todayRange,
  tomorrow: tomorrowRange,
  weekend: weekendRange,
  week: weekRange,
};
const rangeNamed = (name: string, now: Date): TimeRange =>
  Object.hasOwn(RANGES, name) ? RANGES[name as NamedTime](now) : dayRange(name);

/** Extracts the filters of a search. `words` is the text without them and without filler words. */
function readText(text: string, now: Date): { filters: SaidFilter[]; words: string } {
  const filters: SaidFilter[] = [];
  let at = 0;
  // Every second part of the split text was in quotes.
  const left = text.split(/"([^"]*)"?/).map((part, index) => {
    const begin = index === 0 ? 0 : text.indexOf(part, at);
    at = begin + part.length;
    if (index % 2 === 1) return part;
    let rest = part;
    for (const [words, kind, nameOf] of RULES) {
      const match = words.exec(rest);
      if (!match || filters.some((one) => one.kind === kind)) continue;
      const name = nameOf(match, now);
      if (name === null) continue;
      const end = match.index + match[0].length;
      if (kind) filters.push({ kind, name, start: begin + match.index, end: begin + end });
      // Replaced with blanks, so that the positions of later matches stay valid.
      rest = rest.slice(0, match.index) + ' '.repeat(match[0].length) + rest.slice(end);
    }
    return rest;
  });
  return { filters, words: left.join(' ').replace(/\s+/g, ' ').trim() };
}

/** The filters of a search, in the order of its words. */
export const filtersInText = (text: string, now: Date): SaidFilter[] =>
  readText(text, now).filters.toSorted((one, other) => one.start - other.start);

/** The search text without the words of the given filter. */
export const withoutFilter = (text: string, { start, end }: SaidFilter): string =>
  `${text.slice(0, start).trimEnd()} ${text.slice(end).trimStart()}`.trim();

/**
 * Extracts the words that name a time or a price: "free jazz tonight" becomes the filters free and tonight with the
 * word jazz. Text in double quotes is not interpreted. Only the first filter of each kind counts; a second filter is
 * treated as words to search for. Filler words such as "events" are left out.
 */
export function readSearchText(text: string, now: Date): SearchText {
  const { filters, words } = readText(text, now);
  const named = (kind: SaidKind) => filters.find((one) => one.kind === kind)?.name;
  const [time, price] = [named('range'), named('price')];
  return {
    words,
    free: named('free') !== undefined,
    maxPriceCents: price === undefined ? null : Number(price),
    range: time === undefined ? null : rangeNamed(time, now),
  };
}
