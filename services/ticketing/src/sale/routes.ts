import { Router } from 'express';
import { IdText } from '@beltway/contracts/common/basics';
import { ChargedPricesBody } from '@beltway/contracts/ops/invariants';
import { internalOnly } from '@beltway/kit/internal';
import { arriving, notFound } from '@beltway/kit/problems';
import type { Secrets } from '@beltway/kit/secrets';
import { sharedAnswer } from '@beltway/kit/shared-answer';
import type { Deps } from '../deps.ts';
import { listingById } from '../listing/listings.ts';
import { availabilityOf, chargedPrices, ticketStats } from './queries.ts';

export function saleRoutes({ pool, mayArrive }: Pick<Deps, 'pool' | 'mayArrive'>, internalToken: Secrets): Router {
  const router = Router();

  /** Current capacity, sold and held; not cached. Public. */
  router.get('/api/events/:id/availability', async (req, res) => {
    const eventId = IdText.parse(req.params.id);
    const [stock] = await availabilityOf(pool, [eventId]);
    if (!stock && !(await listingById(pool, eventId)) && (await mayArrive(eventId))) throw arriving('sales-open');
    if (!stock) throw notFound('sale');
    res.set('cache-control', 'no-store').json(stock);
  });

  /** Tickets sold, revenue in dollars, events with tickets. Public. */
  router.get('/api/tickets/stats', async (_req, res) => {
    sharedAnswer(res, 'sales').json(await ticketStats(pool));
  });

  router.post('/internal/prices', internalOnly(internalToken), async (req, res) => {
    res.json(await chargedPrices(pool, ChargedPricesBody.parse(req.body).eventIds));
  });

  return router;
}
