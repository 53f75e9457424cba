import { Router, type Response } from 'express';
import { IdText } from '@beltway/contracts/common/basics';
import {
  RenameSearchBody,
  SaveSearchBody,
  SearchMatchesQuery,
  type SavedSearch,
  type SavedSearches,
  type SearchMatches,
} from '@beltway/contracts/catalog/saved-searches';
import { callerOf, type Authenticator } from '@beltway/kit/auth';
import { internalOnly } from '@beltway/kit/internal';
import type { Secrets } from '@beltway/kit/secrets';
import type { Pool } from 'pg';
import { searchMatches } from './matches.ts';
import { deleteSearch, renameSearch, savedSearchesOf, saveSearch } from './saved-searches.ts';

export interface SavedSearchDeps {
  pool: Pool;
  /** The pool for searches, because matching an event runs searches. */
  searchPool: Pool;
  auth: Pick<Authenticator, 'signedIn'>;
  internalToken: Secrets;
  clock: () => Date;
}

/**
 * An account's saved searches (services/catalog/PRODUCT.md#saved-searches), and the accounts whose searches find an
 * event.
 */
export function savedSearchRoutes({ pool, searchPool, auth, internalToken, clock }: SavedSearchDeps): Router {
  const router = Router();
  const own = (res: Response) => res.set('Cache-Control', 'private, no-store');

  router.get('/api/me/saved-searches', auth.signedIn, async (req, res) => {
    own(res).json({ items: await savedSearchesOf(pool, callerOf(req).id) } satisfies SavedSearches);
  });

  router.post('/api/me/saved-searches', auth.signedIn, async (req, res) => {
    const { saved, isNew } = await saveSearch(pool, callerOf(req).id, SaveSearchBody.parse(req.body));
    own(res)
      .status(isNew ? 201 : 200)
      .json(saved satisfies SavedSearch);
  });

  router.patch('/api/me/saved-searches/:searchId', auth.signedIn, async (req, res) => {
    const id = IdText.parse(req.params['searchId']);
    const { name } = RenameSearchBody.parse(req.body);
    own(res).json((await renameSearch(pool, callerOf(req).id, id, name)) satisfies SavedSearch);
  });

  router.delete('/api/me/saved-searches/:searchId', auth.signedIn, async (req, res) => {
    await deleteSearch(pool, callerOf(req).id, IdText.parse(req.params['searchId']));
    own(res).status(204).end();
  });

  router.get('/internal/saved-searches/matches', internalOnly(internalToken), async (req, res) => {
    const { event, after } = SearchMatchesQuery.parse(req.query);
    res.json((await searchMatches(searchPool, { event, after, now: clock() })) satisfies SearchMatches);
  });

  return router;
}
