import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import type { IdenticalOrderAnswer } from '@beltway/contracts/ticketing/orders';
import {
  CreateTicketPaymentIntentBody,
  ProcessTicketPurchaseBody,
  type TicketPaymentIntent,
  type TicketPurchaseResult,
} from '@beltway/contracts/ticketing/tickets';
import { Rejected } from '@beltway/kit/rejected';
import { uuidFrom } from '@beltway/event-store';
import { decidedAt } from '../sale/log.ts';
import { requestIdOf } from '@beltway/kit/app';
import type { Caller } from '@beltway/kit/auth';
import { HttpProblem, forbidden, notFound, unavailable } from '@beltway/kit/problems';
import { languageOf } from '@beltway/kit/language';
import { addressOf } from '@beltway/kit/rate-limit';
import type { Deps } from '../deps.ts';
import { idempotencyKeyOf } from '@beltway/kit/idempotency-key';
import { assertMayOpen, openOrder, secretAnswer } from '../order/access.ts';
import { orderById, orderByPayment, saveCheckout, type OrderRow } from '../order/queries.ts';
import { isPaid, statusOf } from '../order/status.ts';
import { guestOfKey } from './guests.ts';
import { identicalOrderOf } from './identical-order.ts';
import { holdTickets, orderHold, orderIdFor, type Requester } from './hold.ts';
import { sellOrder } from './sell.ts';

/**
 * Maximum number of orders under one idempotency key. An outage of the card provider ends before a page has retried
 * this many times.
 */
const MAX_ATTEMPTS = 32;

/** The id of the command that releases a hold because payments was unavailable. */
const unavailableCommand = (orderId: string) => `payment-unavailable:${orderId}`;

export function paymentRoutes(deps: Deps): Router {
  const { sales, pool, auth, payments, ticketSecret, clock, log } = deps;
  const router = Router();

  /**
   * Releases a hold that cannot be paid. A hold with a payment stays, because the response to a concurrent repeat of
   * this request contains that payment's secret.
   */
  const release = ({ orderId, eventId }: OrderRow, correlationId: string) =>
    sales.handle(
      eventId,
      { type: 'ReleaseHold', orderId, reason: 'payment-unavailable', at: clock().toISOString() },
      { commandId: unavailableCommand(orderId), correlationId },
    );

  /**
   * Attaches the payment. After that the order can be paid. Each call uses a new command id, because an earlier
   * command's stored result does not show whether the hold still exists.
   */
  const attach = ({ orderId, eventId, paymentId: instead }: OrderRow, paymentId: string, correlationId: string) =>
    sales.handle(
      eventId,
      {
        type: 'AttachPayment',
        orderId,
        paymentId,
        ...(instead !== null && { instead }),
        at: clock().toISOString(),
      },
      { commandId: randomUUID(), correlationId },
    );

  /**
   * Holds the tickets, or uses the hold named by `orderId`, then requests an intent from payments
   * (services/ticketing/PRODUCT.md#checkout). 200 TicketPaymentIntent: `clientSecret`, `orderId`, `holdUntil`, `amount`
   * in cents, from the server's price. Mails are in the language of `Accept-Language`. 409 and 429 as POST /api/holds,
   * `hold-gone`, `order-mismatch`, `payment-changed`; 503 if payments is unavailable: a hold made by this request is
   * released, and the same key may be sent again.
   */
  router.post('/api/create-ticket-payment-intent', auth.optional, async (req, res) => {
    const body = CreateTicketPaymentIntentBody.parse(req.body);
    const correlationId = requestIdOf(res);
    const { eventId, quantity, ticketHolderName: name, ticketHolderEmail: email } = body;
    const madeHere = body.orderId === undefined;
    const order =
      body.orderId === undefined
        ? await holdForPayment(deps, { eventId, quantity }, idempotencyKeyOf(req), {
            caller: req.caller,
            address: addressOf(req),
            correlationId,
          })
        : await orderById(pool, body.orderId);
    if (!order) throw notFound('order');
    const { orderId } = order;
    if (!madeHere) assertMayOpen(ticketSecret, order, req.caller?.id, body.accessKey);
    if (order.eventId !== eventId || order.quantity !== quantity) throw new HttpProblem(409, 'order-mismatch');
    if (order.status !== 'held') throw new Rejected('hold-gone');

    try {
      const { organizerId, eventTitle } = order;
      if (organizerId === null) throw notFound('event');
      const { paymentId, clientSecret } = await payments.request({
        orderId,
        eventId,
        organizerId,
        buyerId: order.buyerId,
        amountCents: order.totalCents,
        description: `${quantity} × ${eventTitle}`.slice(0, 500),
        receiptEmail: email,
      });
      await saveCheckout(pool, { orderId, name, email, language: languageOf(req) ?? 'en', paymentId });
      // Payments may have been slow, so the hold may have ended; then `attach` throws, and no secret is returned. The
      // checkout is saved before the payment is attached: if saving failed afterwards, the hold could not be released.
      await attach(order, paymentId, correlationId);
      const answer: TicketPaymentIntent = {
        ...orderHold(ticketSecret, order),
        clientSecret,
        paymentIntentId: paymentId,
      };
      res.status(200).json(answer);
    } catch (error) {
      // A hold that existed before this request stays, so that its buyer can try again.
      if (madeHere)
        await release(order, correlationId).catch((failure: unknown) =>
          log.warn({ err: failure, orderId }, 'a hold could not be released; it lapses on its own'),
        );
      // A concurrent repeat of this request found payments unavailable and released the hold. The next retry holds new
      // tickets.
      if (madeHere && error instanceof Rejected && error.code === 'hold-gone')
        throw unavailable('payment-unprepared', 1);
      throw error;
    }
  });

  /**
   * Whether the order to be paid repeats an order that its buyer has just paid. If so, the page asks the buyer before
   * the payment. The server accepts the order in any case. 200 IdenticalOrderAnswer, for the buyer or the holder of the
   * link; 404 for others.
   */
  router.get('/api/orders/:orderId/identical', auth.optional, async (req, res) => {
    const order = await openOrder(deps, req);
    secretAnswer(res).json({ order: await identicalOrderOf(pool, order, clock()) } satisfies IdenticalOrderAnswer);
  });

  /**
   * The browser calls this after paying (services/ticketing/PRODUCT.md#checkout): checks with the provider, then sells.
   * 200 TicketPurchaseResult. While no money has arrived, `status` is held or processing; then it is fulfilled,
   * refunding or refunded.
   */
  router.post('/api/process-ticket-purchase', auth.optional, async (req, res) => {
    const { paymentIntentId } = ProcessTicketPurchaseBody.parse(req.body);
    const order = await orderByPayment(pool, paymentIntentId);
    if (!order) throw notFound('payment');
    if (order.buyerId !== null && order.buyerId !== req.caller?.id) throw forbidden();
    let status = statusOf(order);
    if (!isPaid(order.status)) {
      const payment = await payments.settle(paymentIntentId);
      if (payment.status === 'succeeded')
        status = await sellOrder(deps, order, payment, { correlationId: requestIdOf(res) });
      else if (payment.status === 'processing' || payment.status === 'action') status = 'processing';
    }
    const answer: TicketPurchaseResult = {
      orderId: order.orderId,
      status,
      eventId: order.eventId,
      eventTitle: order.eventTitle ?? '',
      quantity: order.quantity,
    };
    res.json(answer);
  });

  return router;
}

/**
 * Holds tickets under this idempotency key, or finds the order that an earlier request made under the key. If that
 * order ended because payments was unavailable, it stays ended, and the key identifies a new order. All concurrent
 * repeats get the same new order.
 */
async function holdForPayment(
  deps: Deps,
  body: { eventId: number; quantity: number },
  key: string | undefined,
  requester: Requester,
): Promise<OrderRow> {
  const { caller } = requester;
  for (let attempt = 0; ;) {
    const orderId = orderIdFor(deps.ticketSecret, key, caller, attempt);
    const guest = key !== undefined && !caller ? { guest: guestOfKey(deps.ticketSecret, key) } : {};
    await holdTickets(deps, { ...body, ...guest, orderId }, requester);
    const order = await orderById(deps.pool, orderId);
    if (!order) throw notFound('order');
    if (key === undefined || order.status !== 'released') return order;
    const next = await firstOpenAttempt(deps, key, caller);
    // The order was released for another reason, or there are no attempts left.
    if (next <= attempt) return order;
    attempt = next;
  }
}

/** The first attempt under this key that did not end because payments was unavailable. */
async function firstOpenAttempt(
  { pool, ticketSecret }: Deps,
  key: string,
  caller: Caller | undefined,
): Promise<number> {
  const commands = Array.from({ length: MAX_ATTEMPTS }, (_, attempt) =>
    uuidFrom(unavailableCommand(orderIdFor(ticketSecret, key, caller, attempt))),
  );
  const ended = await decidedAt(pool, commands);
  return commands.findIndex((id) => !ended.has(id));
}
