import { Router, type Request } from 'express';
import type { Pool } from 'pg';
import { isSearch, SearchQuery } from '@beltway/contracts/catalog/search';
import { notFound } from '@beltway/kit/problems';
import { sharedAnswer } from '@beltway/kit/shared-answer';
import { answerOf, listingById } from '../event/queries.ts';
import { eventIdOf } from '../event/requests.ts';
import { search, type SearchDeps } from './search.ts';
import { similarTo } from './similar.ts';

export interface SearchRoutesDeps {
  pool: Pool;
  searching: SearchDeps;
  clock: () => Date;
}

/** Must be mounted before the event routes, because `GET /api/events` with a search parameter is a search. */
export function searchRoutes({ pool, searching, clock }: SearchRoutesDeps): Router {
  const router = Router();

  router.get('/api/events', async (req, res, next) => {
    if (!isSearch(req.query)) return next();
    sharedAnswer(res, 'events').json(await search(searching, SearchQuery.parse(req.query), clock()));
  });

  router.get('/api/events/:id/similar', async (req: Request<{ id: string }>, res) => {
    const event = await listingById(pool, eventIdOf(req));
    if (!event) throw notFound('event');
    const rows = await similarTo(searching.pool, event, clock());
    sharedAnswer(res, 'events').json(rows.map((row) => answerOf(row, false)));
  });

  return router;
}
