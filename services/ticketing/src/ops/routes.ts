import { Router } from 'express';
import { z } from 'zod';
import { OpsSearchBody, type FoundOrders, type TimelineOf } from '@beltway/contracts/ops/timelines';
import { internalOnly } from '@beltway/kit/internal';
import type { Secrets } from '@beltway/kit/secrets';
import type { Deps } from '../deps.ts';
import { findOrders } from './search.ts';
import { timelineOf } from './timeline.ts';

/** Ticketing's part of the admin search; the gateway authorizes and audits it. */
export function opsRoutes({ pool, reportPool }: Pick<Deps, 'pool' | 'reportPool'>, internalToken: Secrets): Router {
  const router = Router();
  const own = internalOnly(internalToken);

  /** 200 FoundOrders. 400 `bad-cursor`. */
  router.post('/internal/ops/search', own, async (req, res) => {
    const { q, cursor } = OpsSearchBody.parse(req.body);
    res.json((await findOrders(reportPool, q, cursor)) satisfies FoundOrders);
  });

  /** 200 TimelineOf; for an unknown order, `known` is false. */
  router.get('/internal/ops/timelines/:id', own, async (req, res) => {
    const orderId = z.uuid().parse(req.params['id']).toLowerCase();
    res.json((await timelineOf(pool, orderId)) satisfies TimelineOf);
  });

  return router;
}
