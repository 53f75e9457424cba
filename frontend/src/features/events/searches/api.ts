import { SavedSearch, SavedSearches, type SaveSearchBody } from '@beltway/contracts/catalog/saved-searches';
import type { QueryClient } from '@tanstack/react-query';
import { del, patch, post } from '../../../lib/http/http.ts';
import { apiQuery } from '../../../lib/http/query.ts';

/** The hash of the saved searches on the account page. */
export const SEARCHES_SECTION = 'saved-searches';

const PATH = '/api/me/saved-searches';

/** GET /api/me/saved-searches */
export const savedSearchesQuery = () => apiQuery(SavedSearches, PATH);

/** Refetches the lists that are shown. */
export const refreshSearches = (queries: QueryClient) => queries.invalidateQueries(savedSearchesQuery());

/**
 * POST /api/me/saved-searches; idempotent for a search that is already saved. Rejects with HttpError 409 when there are
 * too many.
 */
export const saveSearch = (body: SaveSearchBody) => post(PATH, body, SavedSearch);

/** PATCH /api/me/saved-searches/{searchId} */
export const renameSearch = (id: number, name: string) => patch(`${PATH}/${id}`, { name }, SavedSearch);

/** DELETE /api/me/saved-searches/{searchId} */
export const deleteSearch = (id: number) => del(`${PATH}/${id}`, undefined);
