import { z } from 'zod';
import { optionalField } from '../common/basics.ts';
import { SearchQuery, searchParameters } from './search.ts';
import { lineText } from '../common/text.ts';
import { fault } from '../problems/fault.ts';

/** Searches that one account keeps at most. */
export const MAX_SAVED_SEARCHES = 20;
/** Characters of a search's name at most. */
export const MAX_SEARCH_NAME = 60;

const { cursor: _noPages, limit: _noLimit, within: _noMap, unplaced: _noPlace, ...kept } = searchParameters;
type KeptParameter = keyof typeof kept;
const NAMES = Object.keys(kept) as KeptParameter[];
/** Of these alone a search leaves nothing out. */
const LEAVE_NOTHING_OUT: readonly KeptParameter[] = ['sort', 'radius'];

const parameters = z.strictObject(
  Object.fromEntries(
    NAMES.map((name) => [name, optionalField(z.string().max(500)).describe(kept[name].description ?? name)]),
  ) as Record<KeptParameter, ReturnType<typeof optionalField<z.ZodString>>>,
);

/** The parameters of a search as they stand in the address of `GET /api/events`, with something that it leaves out. */
const SavedParameters = parameters.superRefine((given, context) => {
  const read = SearchQuery.safeParse(given);
  for (const { path, message } of read.error?.issues ?? [])
    context.addIssue({ code: 'custom', path: path as string[], message });
  if (!NAMES.some((name) => !LEAVE_NOTHING_OUT.includes(name) && (given[name] ?? '').trim() !== ''))
    context.addIssue({ code: 'custom', path: [], message: fault('invalid.search-empty') });
});

const name = lineText(MAX_SEARCH_NAME, 'invalid.search-name');

/** POST /api/me/saved-searches. The same search again is answered as it is kept already. */
export const SaveSearchBody = z.strictObject({ name, search: SavedParameters });
export type SaveSearchBody = z.infer<typeof SaveSearchBody>;

/** PATCH /api/me/saved-searches/{searchId} */
export const RenameSearchBody = z.strictObject({ name });
export type RenameSearchBody = z.infer<typeof RenameSearchBody>;

/** A search that an account is told of new events by. `search`: the parameters of `GET /api/events`. */
export const SavedSearch = z.object({
  id: z.int(),
  name: z.string(),
  search: z.record(z.string(), z.string()),
  savedAt: z.iso.datetime(),
});
export type SavedSearch = z.infer<typeof SavedSearch>;

/** GET /api/me/saved-searches: one's own, the latest first. */
export const SavedSearches = z.object({ items: z.array(SavedSearch) });
export type SavedSearches = z.infer<typeof SavedSearches>;

/** GET /internal/saved-searches/matches?event=&after=<account>: whose searches find an event, from the account after this one on. */
export const SearchMatchesQuery = z.object({
  event: z.coerce.number().int().min(1),
  after: z.coerce.number().int().min(0).default(0),
});

/** Accounts in the order of their numbers, each with the names of its searches that find the event. */
export const SearchMatches = z.object({
  accounts: z.array(z.object({ id: z.int(), names: z.array(z.string()) })),
  /** The last account that was looked at, `after` of the next page; null: there are no more. */
  next: z.int().nullable(),
});
export type SearchMatches = z.infer<typeof SearchMatches>;
