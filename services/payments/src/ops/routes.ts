import { Router } from 'express';
import type { Pool } from 'pg';
import { z } from 'zod';
import { OpsSearchBody, type FoundPayments, type TimelineOf } from '@beltway/contracts/ops/timelines';
import { historyOf, MAX_STEPS } from '../history/order-payment.ts';
import { findPayments } from './search.ts';

/** Payments' part of the admin search; the app puts `internalOnly` in front. */
export function opsRoutes({ pool }: { pool: Pool }): Router {
  const router = Router();

  /** 200 FoundPayments: at most one payment. */
  router.post('/internal/ops/search', async (req, res) => {
    const { q } = OpsSearchBody.parse(req.body);
    res.json({ payments: await findPayments(pool, q) } satisfies FoundPayments);
  });

  /** 200 TimelineOf: all events of a payment, oldest first. For an unknown payment, `steps` is empty. */
  router.get('/internal/ops/timelines/:id', async (req, res) => {
    const id = z.uuid().parse(req.params['id']).toLowerCase();
    const steps = await historyOf(pool, id, { forAdmins: true });
    res.json({ known: steps.length > 0, steps, isCut: steps.length >= MAX_STEPS } satisfies TimelineOf);
  });

  return router;
}
