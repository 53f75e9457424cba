import { Router } from 'express';
import { OrderSearch, type FoundOrder } from '@beltway/contracts/ticketing';
import { HttpProblem, notFound } from '@beltway/kit/problems';
import type { Deps } from '../deps.ts';
import { orderAnswer } from './answer.ts';
import { readOrderNumber } from './number.ts';
import { orderByNumber } from './queries.ts';

/** For who answers mails of buyers. */
export function supportRoutes(deps: Deps): Router {
  const router = Router();

  /** The order of a number that a buyer names. Admins only; 400 `bad-order-number` for what is none. No ticket codes. */
  router.get('/api/orders', deps.auth.role('admin'), async (req, res) => {
    const number = readOrderNumber(OrderSearch.parse(req.query).number);
    if (number === null)
      throw new HttpProblem(400, 'bad-order-number', 'An order number is eight letters and digits, as 4F7K-2M9Q.');
    const row = await orderByNumber(deps.pool, number);
    if (!row) throw notFound('An order of this number');
    const { tickets: _codes, claimable: _claimable, extendable: _extendable, ...order } = await orderAnswer(deps, row);
    const answer: FoundOrder = { ...order, paymentId: row.paymentId };
    res.set('cache-control', 'private, no-store').json(answer);
  });

  return router;
}
