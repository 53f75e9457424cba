import { SavedSearch, SavedSearches, type SaveSearchBody } from '@beltway/contracts/catalog/saved-searches';
import type { QueryClient } from '@tanstack/react-query';
import { del, patch, post } from '../../../lib/http/http.ts';
import { apiQuery } from '../../../lib/http/query.ts';

const PATH = '/api/me/saved-searches';

/** GET /api/me/saved-searches */
export const savedSearchesQuery = () => apiQuery(SavedSearches, PATH);

/** Asks again for what is shown of them. */
export const refreshSearches = (queries: QueryClient) => queries.invalidateQueries(savedSearchesQuery());

/** POST /api/me/saved-searches; one that is kept already is answered as it is. Rejects with HttpError 409 when there are too many. */
export const saveSearch = (body: SaveSearchBody) => post(PATH, body, SavedSearch);

/** PATCH /api/me/saved-searches/{searchId} */
export const renameSearch = (id: number, name: string) => patch(`${PATH}/${id}`, { name }, SavedSearch);

/** DELETE /api/me/saved-searches/{searchId} */
export const deleteSearch = (id: number) => del(`${PATH}/${id}`, undefined);
