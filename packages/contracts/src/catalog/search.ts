import { z } from 'zod';
import { CATEGORY_NAMES, type CategoryName } from './categories.ts';
import { IdText } from '../common/basics.ts';
import { isTag } from './tags.ts';
import { dayRange } from '../common/day-ranges.ts';
import { LONGEST_SEARCH } from './search-text.ts';
import { instantOf } from '../common/times.ts';
import { fault } from '../problems/fault.ts';

/** Bounds of one search, so that what it costs is bounded too. */
export const MOST_RESULTS = 100;
const MOST_TAGS = 10;
const LONGEST_CURSOR = 6_000;

const SORTS = ['soonest', 'nearest', 'newest', 'popular'] as const;
export const Sort = z.enum(SORTS, { error: fault('invalid.one-of', { values: SORTS.join(', ') }) });
export type Sort = z.infer<typeof Sort>;

/** A text of the query string. One that is empty was not said; one that is said twice is an error. */
const text = (most: number) =>
  z
    .string({ error: fault('invalid.given-once') })
    .max(most, fault('invalid.too-long', { max: most }))
    .refine((value) => value.isWellFormed() && !value.includes('\0'), fault('invalid.text'));
const orNothing = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

const listOf = (value: string) =>
  value
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);

const tags = text(MOST_TAGS * 42)
  .transform(listOf)
  .refine((all) => all.length <= MOST_TAGS, fault('invalid.tags-most', { max: MOST_TAGS }))
  .refine((all) => all.every(isTag), fault('invalid.tags'));

const isCategory = (name: string): name is CategoryName => CATEGORY_NAMES.includes(name as CategoryName);
const category = text(200)
  .transform(listOf)
  .refine((all) => all.every(isCategory), fault('invalid.categories', { values: CATEGORY_NAMES.join(', ') }))
  .transform((all) => [...new Set(all.filter(isCategory))]);

const A_DAY = /^\d{4}-\d{2}-\d{2}$/;
const A_CLOCK = /^(\d{4}-\d{2}-\d{2})T(([01]\d|2[0-3]):[0-5]\d)(?::[0-5]\d(?:\.\d{1,3})?)?$/;
const AN_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** An instant of ISO text, read in New York where it names no zone; a day is its first instant, or as an end its last. */
function instantFrom(value: string, isEnd: boolean): Date | null {
  const day = value.slice(0, 10);
  const isDay =
    !Number.isNaN(Date.parse(`${day}T00:00:00Z`)) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  if (!isDay || day < '2000' || day >= '2101') return null;
  if (A_DAY.test(value)) return isEnd ? dayRange(day).to : dayRange(day).from;
  const clock = A_CLOCK.exec(value);
  if (clock) return instantOf(day, clock[2]);
  const instant = new Date(AN_INSTANT.test(value) ? value : Number.NaN);
  return Number.isNaN(instant.getTime()) ? null : instant;
}
const instant = (isEnd: boolean) =>
  text(40).transform((value, context) => {
    const read = instantFrom(value, isEnd);
    if (read) return read;
    context.addIssue({
      code: 'custom',
      message: fault('invalid.day-or-time'),
    });
    return z.NEVER;
  });

/** Steps of a cent, like every price. Free is 0. */
const dollars = text(12)
  .regex(/^\d{1,6}(\.\d{1,2})?$/, fault('invalid.dollars'))
  .transform((value) => Math.round(Number(value) * 100));
const miles = text(8)
  .regex(/^\d{1,3}(\.\d{1,2})?$/, fault('invalid.miles'))
  .transform(Number)
  .refine((value) => value >= 0.1 && value <= 100, fault('invalid.miles'));
const BOUNDS_WANTED = fault('invalid.bounds');
const DEGREES = /^-?\d{1,3}(\.\d{1,20})?$/;
/** A part of a map. */
const bounds = text(120).transform((value, context) => {
  const parts = value.split(',').map((part) => part.trim());
  const [west = 0, south = 0, east = 0, north = 0] = parts.map(Number);
  const isOnEarth = west >= -180 && east <= 180 && south >= -90 && north <= 90;
  if (parts.length === 4 && parts.every((part) => DEGREES.test(part)) && isOnEarth && west < east && south < north)
    return { west, south, east, north };
  context.addIssue({ code: 'custom', message: BOUNDS_WANTED });
  return z.NEVER;
});
const limitTo = (most: number) => {
  const message = fault('invalid.whole-number', { max: most });
  return text(12)
    .regex(/^[1-9]\d{0,2}$/, message)
    .transform(Number)
    .refine((value) => value <= most, message);
};
const flag = text(4)
  .refine((value) => value === '1', fault('invalid.one-or-nothing'))
  .transform(() => true as const);

/** The parameters of `GET /api/events` as they stand in the address. */
export const searchParameters = {
  q: orNothing(text(LONGEST_SEARCH)).describe('Free text; `tonight`, `free` and their kin are understood as filters'),
  tags: orNothing(tags).describe('Tags that an event must all have, separated by commas, with or without #'),
  category: orNothing(category).describe('One category, or some of which an event has one'),
  from: orNothing(instant(false)).describe('Starts at this time or later; in New York when it names no zone'),
  to: orNothing(instant(true)).describe('Starts before this time; a day counts whole'),
  maxPrice: orNothing(dollars).describe('Costs so many dollars at most; free entry costs nothing'),
  free: orNothing(flag).describe('1: free entry only'),
  near: orNothing(text(100)).describe('A position `38.9072,-77.0369`, or a place by its id or name'),
  radius: orNothing(miles).describe('Miles around `near`; 10 when left out'),
  within: orNothing(bounds).describe('Within a part of a map: `west,south,east,north` in degrees'),
  unplaced: orNothing(flag).describe('1: events whose location is no place that a map can show'),
  organizer: orNothing(IdText).describe('The account that put the event on, by its number'),
  onSale: orNothing(flag).describe('1: tickets can be bought now'),
  sort: orNothing(Sort).describe('`nearest` needs `near`. Left out: the best match first, or else the soonest'),
  cursor: orNothing(text(LONGEST_CURSOR)).describe('`nextCursor` of the page before, with the same parameters'),
  limit: orNothing(limitTo(MOST_RESULTS)).describe(`Events of a page: 24 when left out, ${MOST_RESULTS} at most`),
};

/** Checks parameters that belong together. */
const checkTogether = (
  { from, to, near, radius, sort }: Pick<z.infer<typeof AnySearch>, 'from' | 'to' | 'near' | 'radius' | 'sort'>,
  context: z.RefinementCtx,
) => {
  const wrong = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
  if (from && to && from >= to) wrong('to', fault('invalid.later-than-from'));
  if (radius !== undefined && near === undefined) wrong('radius', fault('invalid.needs-near'));
  if (sort === 'nearest' && near === undefined) wrong('sort', fault('invalid.nearest-needs-near'));
};
const AnySearch = z.object(searchParameters);

/** `GET /api/events` with any parameter. Unknown ones are passed over. */
export const SearchQuery = AnySearch.superRefine(checkTogether);
export type SearchQuery = z.infer<typeof SearchQuery>;

const { cursor: _noPages, within: _noMap, unplaced: _noPlace, ...everyOther } = searchParameters;

/** The parameters of a search as a feed: it has one page, and the soonest come first if nothing else is said. */
export const feedParameters = {
  ...everyOther,
  sort: searchParameters.sort.describe('Left out: the soonest first. `nearest` needs `near`'),
  limit: searchParameters.limit.describe(`Events: ${MOST_RESULTS} when left out, and at most`),
};

/** `GET /api/events.ics` and `.rss`. Unknown parameters are passed over. */
export const FeedQuery = z.object(feedParameters).superRefine(checkTogether);
export type FeedQuery = z.infer<typeof FeedQuery>;

/** Events of an embedded list where its address does not say how many, and at most. */
export const IN_EMBED = 6;
const MOST_IN_EMBED = 24;
const THEMES = ['auto', 'light', 'dark'] as const;
export type EmbedTheme = (typeof THEMES)[number];

/** The parameters of a search as a list on another site. */
export const embedParameters = {
  ...feedParameters,
  limit: orNothing(limitTo(MOST_IN_EMBED)).describe(`Events: ${IN_EMBED} when left out, ${MOST_IN_EMBED} at most`),
  theme: orNothing(z.enum(THEMES, { error: fault('invalid.one-of', { values: THEMES.join(', ') }) })).describe(
    'Left out: as the reader’s device is set',
  ),
};

/** `GET /embed`. Unknown parameters are passed over. */
export const EmbedQuery = z.object(embedParameters).superRefine(checkTogether);
export type EmbedQuery = z.infer<typeof EmbedQuery>;

/** Whether an address asks for a search: without any parameter of it the answer is a bounded list. */
export const isSearch = (query: object): boolean => Object.keys(searchParameters).some((name) => name in query);
