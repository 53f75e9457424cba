import { randomUUID } from 'node:crypto';
import { Router, type Request } from 'express';
import { RefundBody, type RefundAnswer } from '@beltway/contracts/ticketing/orders';
import { requestIdOf } from '@beltway/kit/app';
import { idempotencyKeyOf } from '@beltway/kit/idempotency-key';
import { addressOf } from '@beltway/kit/rate-limit';
import type { Deps } from '../deps.ts';
import { assertMayOpen, orderOf, secretAnswer } from '../order/access.ts';
import type { OrderRow } from '../order/queries.ts';
import { statusOf } from '../order/status.ts';
import type { AskedReason } from '../sale/events.ts';
import { refundsOfOrder } from '../order/refunds.ts';
import { requestRefund } from './request.ts';

/** Refunds on request (services/ticketing/PRODUCT.md#refunds). */
export function refundRoutes(deps: Deps): Router {
  const router = Router();

  /** The event's organizer and admins may at any time, the buyer until the deadline. To others the order does not exist: 404. */
  const askedAs = (req: Request, order: OrderRow): AskedReason => {
    const { caller } = req;
    if (caller && caller.id === order.organizerId) return 'refunded-by-organizer';
    if (caller?.role === 'admin') return 'refunded-by-admin';
    assertMayOpen(deps.ticketSecret, order, caller?.id, req.get('x-order-key'));
    return 'canceled-by-buyer';
  };

  /**
   * Refunds an order, or some of its tickets. 200 RefundAnswer, the same for a repeat with the same `Idempotency-Key`. 409
   * `already-refunded`, `refund-closed`, `not-refundable`, `order-disputed`, `event-canceled`; 429 `too-many-refunds`; 400 for a ticket of another order.
   */
  router.post('/api/orders/:orderId/refund', deps.auth.optional, async (req, res) => {
    const order = await orderOf(deps, req);
    const as = askedAs(req, order);
    const body = RefundBody.parse(req.body ?? {});
    const made = await requestRefund(deps, order, body, {
      as,
      caller: req.caller,
      address: addressOf(req),
      key: idempotencyKeyOf(req) ?? randomUUID(),
      requestId: requestIdOf(res),
    });
    const refund = (await refundsOfOrder(deps.pool, made.order)).find(({ id }) => id === made.refundId);
    if (!refund) throw new Error(`refund ${made.refundId} is not in the read model`);
    const answer: RefundAnswer = { orderId: order.orderId, status: statusOf(made.order), refund };
    secretAnswer(res).json(answer);
  });

  return router;
}
