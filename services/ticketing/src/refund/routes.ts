import { randomUUID } from 'node:crypto';
import { Router, type Request } from 'express';
import { RefundBody, type RefundAnswer } from '@beltway/contracts/ticketing/orders';
import { requestIdOf } from '@beltway/kit/app';
import { idempotencyKeyOf } from '@beltway/kit/idempotency-key';
import { addressOf } from '@beltway/kit/rate-limit';
import type { Deps } from '../deps.ts';
import { assertMayOpen, managerRole, orderOf, secretAnswer } from '../order/access.ts';
import type { OrderRow } from '../order/queries.ts';
import { statusOf } from '../order/status.ts';
import type { AskedReason } from '../sale/events.ts';
import { refundsOfOrder } from '../order/refunds.ts';
import { requestRefund } from './request.ts';

/** Refunds on request (services/ticketing/PRODUCT.md#refunds). */
export function refundRoutes(deps: Deps): Router {
  const router = Router();

  /**
   * Returns the role in which the caller requests the refund. The event's organizer and admins may refund at any time;
   * the buyer may return tickets until the deadline. Throws 404 for others, as if the order did not exist.
   */
  const askedAs = (req: Request, order: OrderRow): AskedReason => {
    const role = managerRole(req, order);
    if (role !== null) return `refunded-by-${role}`;
    assertMayOpen(deps.ticketSecret, order, req.caller?.id, req.get('x-order-key'));
    return 'canceled-by-buyer';
  };

  /**
   * Refunds an order, or some of its tickets. 200 RefundAnswer, the same for a repeat with the same `Idempotency-Key`.
   * 409 `already-refunded`, `refund-closed`, `not-refundable`, `order-disputed`, `event-canceled`; 429
   * `too-many-refunds`; 400 for a ticket of another order.
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
