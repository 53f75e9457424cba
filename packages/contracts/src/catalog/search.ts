import { z } from 'zod';
import { CATEGORY_NAMES, type CategoryName } from './categories.ts';
import { IdText } from '../common/basics.ts';
import { isTag } from './tags.ts';
import { dayRange } from '../common/day-ranges.ts';
import { LONGEST_SEARCH } from './search-length.ts';
import { instantOf } from '../common/times.ts';
import { fault } from '../problems/fault.ts';

/** Limits that bound the cost of one search. */
export const MOST_RESULTS = 100;
const MOST_TAGS = 10;
const LONGEST_CURSOR = 6_000;

const SORTS = ['soonest', 'nearest', 'newest', 'popular'] as const;
export const Sort = z.enum(SORTS, { error: fault('invalid.one-of', { values: SORTS.join(', ') }) });
export type Sort = z.infer<typeof Sort>;

/** A text parameter of the query string. Empty counts as absent; a repeated parameter is an error. */
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

/**
 * Parses ISO text as an instant, in New York time unless it names a zone. A bare day is parsed as the beginning of the
 * day, or as its end if `isEnd`.
 */
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

/** With at most two decimals, like every price. 0 means free. */
const dollars = text(12)
  .regex(/^\d{1,6}(\.\d{1,2})?$/, fault('invalid.dollars'))
  .transform((value) => Math.round(Number(value) * 100));
const MILES = { min: 0.1, max: 100 };
const miles = text(8)
  .regex(/^\d{1,3}(\.\d{1,2})?$/, fault('invalid.miles', MILES))
  .transform(Number)
  .refine((value) => value >= MILES.min && value <= MILES.max, fault('invalid.miles', MILES));
const BOUNDS_WANTED = fault('invalid.bounds');
const DEGREES = /^-?\d{1,3}(\.\d{1,20})?$/;
/** A rectangle of the map: west, south, east, north. */
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

/** The query parameters of `GET /api/events`. */
export const searchParameters = {
  q: orNothing(text(LONGEST_SEARCH)).describe('Free text; words such as `tonight` and `free` act as filters'),
  tags: orNothing(tags).describe('Tags that an event must have, all of them, separated by commas, with or without #'),
  category: orNothing(category).describe('One or more categories, separated by commas; an event must have one of them'),
  from: orNothing(instant(false)).describe('Starts at this time or later; New York time unless a time zone is given'),
  to: orNothing(instant(true)).describe('Starts before this time; a date without a time includes the whole day'),
  maxPrice: orNothing(dollars).describe('Maximum price in dollars; events with free entry cost 0'),
  free: orNothing(flag).describe('1: only events with free entry'),
  near: orNothing(text(100)).describe('A position such as `38.9072,-77.0369`, or the id or name of a place'),
  radius: orNothing(miles).describe('Miles around `near`; default 10'),
  within: orNothing(bounds).describe('The part of a map: `west,south,east,north` in degrees'),
  unplaced: orNothing(flag).describe('1: only events whose location cannot be shown on a map'),
  organizer: orNothing(IdText).describe('The account id of the organizer'),
  onSale: orNothing(flag).describe('1: only events whose tickets can be bought now'),
  sort: orNothing(Sort).describe(
    '`nearest` requires `near`. Default: the best match first, or without `q` the soonest first',
  ),
  cursor: orNothing(text(LONGEST_CURSOR)).describe('`nextCursor` of the previous page, with the same parameters'),
  limit: orNothing(limitTo(MOST_RESULTS)).describe(`Events per page; default 24, at most ${MOST_RESULTS}`),
};

/** Validates parameters that depend on each other. */
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

/** `GET /api/events` with any of these parameters. Unknown parameters are ignored. */
export const SearchQuery = AnySearch.superRefine(checkTogether);
export type SearchQuery = z.infer<typeof SearchQuery>;

const { cursor: _noPages, within: _noMap, unplaced: _noPlace, ...everyOther } = searchParameters;

/** The parameters of a feed of search results: one page, soonest first by default. */
export const feedParameters = {
  ...everyOther,
  sort: searchParameters.sort.describe('Default: the soonest first. `nearest` requires `near`'),
  limit: searchParameters.limit.describe(`Number of events; default and at most ${MOST_RESULTS}`),
};

/** `GET /api/events.ics` and `.rss`. Unknown parameters are ignored. */
export const FeedQuery = z.object(feedParameters).superRefine(checkTogether);
export type FeedQuery = z.infer<typeof FeedQuery>;

/** Default number of events in an embedded list. `MOST_IN_EMBED` is the maximum. */
export const IN_EMBED = 6;
const MOST_IN_EMBED = 24;
const THEMES = ['auto', 'light', 'dark'] as const;
export type EmbedTheme = (typeof THEMES)[number];

/** The parameters of a list of search results embedded in another site. */
export const embedParameters = {
  ...feedParameters,
  limit: orNothing(limitTo(MOST_IN_EMBED)).describe(`Number of events; default ${IN_EMBED}, at most ${MOST_IN_EMBED}`),
  theme: orNothing(z.enum(THEMES, { error: fault('invalid.one-of', { values: THEMES.join(', ') }) })).describe(
    'Default: the setting of the reader’s device',
  ),
};

/** `GET /embed`. Unknown parameters are ignored. */
export const EmbedQuery = z.object(embedParameters).superRefine(checkTogether);
export type EmbedQuery = z.infer<typeof EmbedQuery>;

/** True if a query string contains a search parameter. Without one, the response is a bounded list of events. */
export const isSearch = (query: object): boolean => Object.keys(searchParameters).some((name) => name in query);
