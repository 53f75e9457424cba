import { Router } from 'express';
import type { Pool } from 'pg';
import { z } from 'zod';
import { OrderPaymentQuery } from '@beltway/contracts/ticketing/orders';
import type { Payments } from '../payment/stream.ts';
import { orderPayment } from './order-payment.ts';

/** For our own services only; the app puts `internalOnly` in front. */
export function historyRoutes(deps: { pool: Pool; payments: Payments }): Router {
  const router = Router();

  /** 200 OrderPaymentAnswer: the order's payment from our own records, without a call to the provider. */
  router.get('/internal/orders/:orderId/payment', async (req, res) => {
    const orderId = z.uuid().parse(req.params.orderId).toLowerCase();
    const { language } = OrderPaymentQuery.parse(req.query);
    res.json({ payment: await orderPayment(deps, orderId, language) });
  });

  return router;
}
