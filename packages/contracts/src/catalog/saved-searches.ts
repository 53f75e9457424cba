import { z } from 'zod';
import { optionalField } from '../common/basics.ts';
import { SearchQuery, searchParameters } from './search.ts';
import { lineText } from '../common/text.ts';
import { fault } from '../problems/fault.ts';

/** Maximum saved searches per account. */
export const MAX_SAVED_SEARCHES = 20;
/** Maximum characters of a search's name. */
export const MAX_SEARCH_NAME = 60;

const { cursor: _noPages, limit: _noLimit, within: _noMap, unplaced: _noPlace, ...kept } = searchParameters;
type KeptParameter = keyof typeof kept;
const NAMES = Object.keys(kept) as KeptParameter[];
/** A search that has only these parameters excludes no event. */
const LEAVE_NOTHING_OUT: readonly KeptParameter[] = ['sort', 'radius'];

const parameters = z.strictObject(
  Object.fromEntries(
    NAMES.map((name) => [name, optionalField(z.string().max(500)).describe(kept[name].description ?? name)]),
  ) as Record<KeptParameter, ReturnType<typeof optionalField<z.ZodString>>>,
);

/**
 * The parameters of a search, named as in the query string of `GET /api/events`. At least one parameter must exclude
 * events.
 */
const SavedParameters = parameters.superRefine((given, context) => {
  const read = SearchQuery.safeParse(given);
  for (const { path, message } of read.error?.issues ?? [])
    context.addIssue({ code: 'custom', path: path as string[], message });
  if (!NAMES.some((name) => !LEAVE_NOTHING_OUT.includes(name) && (given[name] ?? '').trim() !== ''))
    context.addIssue({ code: 'custom', path: [], message: fault('invalid.search-empty') });
});

const name = lineText(MAX_SEARCH_NAME, 'invalid.search-name');

/** POST /api/me/saved-searches. If the same search is already saved, the response is that saved search. */
export const SaveSearchBody = z.strictObject({ name, search: SavedParameters });
export type SaveSearchBody = z.infer<typeof SaveSearchBody>;

/** PATCH /api/me/saved-searches/{searchId} */
export const RenameSearchBody = z.strictObject({ name });
export type RenameSearchBody = z.infer<typeof RenameSearchBody>;

/** A search that notifies its account of new events. `search`: the parameters of `GET /api/events`. */
export const SavedSearch = z.object({
  id: z.int(),
  name: z.string(),
  search: z.record(z.string(), z.string()),
  savedAt: z.iso.datetime(),
});
export type SavedSearch = z.infer<typeof SavedSearch>;

/** GET /api/me/saved-searches: the caller's saved searches, latest first. */
export const SavedSearches = z.object({ items: z.array(SavedSearch) });
export type SavedSearches = z.infer<typeof SavedSearches>;

/**
 * GET /internal/saved-searches/matches?event=&after=<account>: accounts with saved searches that find an event, in
 * pages. `after`: the last account of the previous page.
 */
export const SearchMatchesQuery = z.object({
  event: z.coerce.number().int().min(1),
  after: z.coerce.number().int().min(0).default(0),
});

/** Accounts sorted by id, each with the names of the account's searches that find the event. */
export const SearchMatches = z.object({
  accounts: z.array(z.object({ id: z.int(), names: z.array(z.string()) })),
  /** The last account that was checked: `after` of the next page. null: this was the last page. */
  next: z.int().nullable(),
});
export type SearchMatches = z.infer<typeof SearchMatches>;
