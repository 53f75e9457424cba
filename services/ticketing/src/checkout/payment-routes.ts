import { randomUUID } from 'node:crypto';
import { Router } from 'express';
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
import { assertMayOpen } from '../order/access.ts';
import { orderById, orderByPayment, saveCheckout, type OrderRow } from '../order/queries.ts';
import { isPaid, statusOf } from '../order/status.ts';
import { guestOfKey } from './guests.ts';
import { holdTickets, orderHold, orderIdFor, type Requester } from './hold.ts';
import { sellOrder } from './sell.ts';

/** Orders under one key: an outage of the card provider is over before a page has tried so often. */
const MAX_ATTEMPTS = 32;

/** The id of the command that gives an order's hold back for want of a way to pay. */
const unavailableCommand = (orderId: string) => `payment-unavailable:${orderId}`;

export function paymentRoutes(deps: Deps): Router {
  const { sales, pool, auth, payments, ticketSecret, clock, log } = deps;
  const router = Router();

  /**
   * A hold without a way to pay helps nobody. One that has a payment stays: its secret was answered to the same
   * request, sent twice.
   */
  const release = ({ orderId, eventId }: OrderRow, correlationId: string) =>
    sales.handle(
      eventId,
      { type: 'ReleaseHold', orderId, reason: 'payment-unavailable', at: clock().toISOString() },
      { commandId: unavailableCommand(orderId), correlationId },
    );

  /**
   * From here on it can be paid. By an id of its own each time: what was attached once says nothing of the hold as it
   * is now.
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
   * Holds the tickets (or takes the hold named by `orderId`), then asks payments for an intent
   * (services/ticketing/PRODUCT.md#checkout). Answers 200 TicketPaymentIntent: `clientSecret`, `orderId`, `holdUntil`, `amount` in
   * cents, from the server's price. Its mails are in the language of `Accept-Language`. 409 and 429 as POST /api/holds, `hold-gone`, `order-mismatch`, `payment-changed`;
   * 503 when payments cannot be had: a hold made here is given back, and the same key may be sent again.
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
      // Payments may have been slow: no secret is answered for what is no longer held. The checkout comes first, since a
      // hold with a payment attached is not given back when that fails.
      await attach(order, paymentId, correlationId);
      const answer: TicketPaymentIntent = {
        ...orderHold(ticketSecret, order),
        clientSecret,
        paymentIntentId: paymentId,
      };
      res.status(200).json(answer);
    } catch (error) {
      // One that was made before stays, so that its buyer can try again.
      if (madeHere)
        await release(order, correlationId).catch((failure: unknown) =>
          log.warn({ err: failure, orderId }, 'the hold will expire by itself'),
        );
      // The same request, sent twice, found no way to pay and gave the hold back. It holds anew when it is sent again.
      if (madeHere && error instanceof Rejected && error.code === 'hold-gone')
        throw unavailable('payment-unprepared', 1);
      throw error;
    }
  });

  /**
   * The browser's call for its tickets (services/ticketing/PRODUCT.md#checkout): asks the provider, then sells. 200
   * TicketPurchaseResult, `status` fulfilled, refunding or refunded, or held and processing while no money has come.
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
 * Holds tickets for whoever asks for an intent under this key, or finds the order that was made under it before. An
 * order that ended because payments could not be had stays ended; the key goes on to the next one, the same for all who
 * repeat it at the same time.
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
    // It was released in another way, or nothing is left to try.
    if (next <= attempt) return order;
    attempt = next;
  }
}

/** The first attempt under this key that did not end for want of a way to pay. */
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
