import { Router } from 'express';
import type { Pool } from 'pg';
import { z } from 'zod';
import { OpsSearchBody, type FoundPayments, type TimelineOf } from '@beltway/contracts/ops/timelines';
import { findPayments } from './search.ts';
import { timelineOf } from './timeline.ts';

/** Payments' part of what admins look up; the app puts `internalOnly` in front. */
export function opsRoutes({ pool }: { pool: Pool }): Router {
  const router = Router();

  /** 200 FoundPayments: one or none. */
  router.post('/internal/ops/search', async (req, res) => {
    const { q } = OpsSearchBody.parse(req.body);
    res.json({ payments: await findPayments(pool, q) } satisfies FoundPayments);
  });

  /** 200 TimelineOf, also of a payment that nobody asked for. */
  router.get('/internal/ops/timelines/:id', async (req, res) => {
    const id = z.uuid().parse(req.params['id']).toLowerCase();
    res.json((await timelineOf(pool, id)) satisfies TimelineOf);
  });

  return router;
}
