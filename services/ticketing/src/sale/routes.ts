import { Router, type Request } from 'express';
import { z } from 'zod';
import { IdText } from '@beltway/contracts/common';
import { requestIdOf } from '@beltway/kit/app';
import { notFound } from '@beltway/kit/problems';
import { addressOf } from '@beltway/kit/rate-limit';
import type { Deps } from '../deps.ts';
import { assertMayOpen } from '../order/access.ts';
import { closePayment } from '../order/close-payment.ts';
import { orderHold } from '../order/hold.ts';
import { orderById, type OrderRow } from '../order/queries.ts';
import { takeHold } from '../order/take-hold.ts';
import { availabilityOf } from './publish.ts';

export function saleRoutes(deps: Deps): Router {
  const { sales, pool, auth, ticketSecret, clock } = deps;
  const router = Router();

  const mine = async (req: Request): Promise<OrderRow> => {
    const order = await orderById(pool, z.uuid().parse(req.params['orderId']));
    if (!order) throw notFound('This order');
    assertMayOpen(ticketSecret, order, req.caller?.id, req.get('x-order-key'));
    return order;
  };

  /** As the hold lane (`order/hold-lane.ts`) takes it when it comes as everybody sends it; here, with all that HTTP allows. 201 Hold. */
  router.post('/api/holds', auth.optional, async (req, res) => {
    const key = req.get('idempotency-key');
    const { body, caller } = req;
    const hold = await takeHold(deps, { body, key, caller, address: addressOf(req), requestId: requestIdOf(res) });
    res.status(201).json(hold);
  });

  /** Ten more minutes, once, at most twenty from the start. `x-order-key`: the access key, for guests. 409 `already-extended`, `hold-gone`. */
  router.post('/api/holds/:orderId/extension', auth.optional, async (req, res) => {
    const { orderId, eventId } = await mine(req);
    await sales.handle(
      eventId,
      { type: 'ExtendHold', orderId, at: clock().toISOString() },
      { commandId: `extend:${orderId}`, correlationId: requestIdOf(res) },
    );
    const order = await orderById(pool, orderId);
    if (!order) throw notFound('This order');
    res.status(200).json(orderHold(ticketSecret, order));
  });

  /** Gives a hold back. 204, also when it was gone before; 409 `already-paid`, `payment-under-way`. */
  router.delete('/api/holds/:orderId', auth.optional, async (req, res) => {
    const order = await mine(req);
    const { orderId, eventId, status } = order;
    const closed = await closePayment(deps, order, requestIdOf(res));
    if (status === 'held')
      await sales.handle(
        eventId,
        { type: 'ReleaseHold', orderId, reason: 'given-back', at: clock().toISOString(), ...closed },
        { commandId: `give-back:${orderId}`, correlationId: requestIdOf(res) },
      );
    res.status(204).end();
  });

  /** How many there are, sold and held right now. Public. */
  router.get('/api/events/:id/availability', async (req, res) => {
    const [stock] = await availabilityOf(pool, [IdText.parse(req.params.id)]);
    if (!stock) throw notFound('A ticket sale for this event');
    res.set('cache-control', 'public, max-age=1').json(stock);
  });

  return router;
}
