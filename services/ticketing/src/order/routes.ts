import { randomUUID } from 'node:crypto';
import { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import {
  CreateTicketPaymentIntentBody,
  ProcessTicketPurchaseBody,
  type GuestKey,
  type Order,
  type OrderLink,
  type TicketPaymentIntent,
  type TicketPurchaseResult,
} from '@beltway/contracts/ticketing';
import { CommandReused, Rejected } from '@beltway/event-store';
import { requestIdOf } from '@beltway/kit/app';
import { callerOf } from '@beltway/kit/auth';
import { HttpProblem, forbidden, notFound, unavailable } from '@beltway/kit/problems';
import { addressOf } from '@beltway/kit/rate-limit';
import { sameText } from '@beltway/kit/secrets';
import type { Deps } from '../deps.ts';
import { queueNewLink } from '../mail/queue.ts';
import type { SaleCommand } from '../sale/events.ts';
import { calendar, ticketsPdf } from '../ticket/documents.ts';
import { accessKeyOf, assertMayOpen, idempotencyKey } from './access.ts';
import { orderAnswer } from './answer.ts';
import { guestOf } from './buyer.ts';
import { newGuestKey } from './guest-keys.ts';
import { orderHold } from './hold.ts';
import { holdForPayment, unavailableCommand } from './hold-for-payment.ts';
import { orderLink } from './link.ts';
import { orderById, orderByPayment, saveCheckout, type OrderRow } from './queries.ts';
import { assertMayRenew, linkCommand } from './renewals.ts';
import { sellOrder } from './sell.ts';
import { statusOf } from './status.ts';

export function orderRoutes(deps: Deps): Router {
  const { sales, pool, auth, payments, ticketSecret, publicUrl, mailFrom, clock, log } = deps;
  const router = Router();

  /** A hold without a way to pay helps nobody. One that has a payment stays: its secret was answered to the same request, sent twice. */
  const release = ({ orderId, eventId }: OrderRow, correlationId: string) =>
    sales.handle(
      eventId,
      { type: 'ReleaseHold', orderId, reason: 'payment-unavailable', at: clock().toISOString() },
      { commandId: unavailableCommand(orderId), correlationId },
    );

  /** From here on it can be paid. By an id of its own each time: what was attached once says nothing of the hold as it is now. */
  const attach = (
    { orderId, eventId, paymentId: instead }: OrderRow,
    paymentId: string,
    email: string,
    correlationId: string,
  ) =>
    sales.handle(
      eventId,
      {
        type: 'AttachPayment',
        orderId,
        paymentId,
        ...(instead !== null && { instead }),
        guest: guestOf(ticketSecret, email),
        at: clock().toISOString(),
      },
      { commandId: randomUUID(), correlationId },
    );

  /**
   * Holds the tickets (or takes the hold named by `orderId`), then asks payments for an intent (docs/product.md#checkout).
   * Answers 200 TicketPaymentIntent: `clientSecret`, `orderId`, `holdUntil`, `amount` in cents, from the server's price.
   * 409 and 429 as POST /api/holds, `hold-gone`, `order-mismatch`, `payment-changed`; 503 when payments cannot be had: a hold made here is
   * given back, and the same key may be sent again.
   */
  router.post('/api/create-ticket-payment-intent', auth.optional, async (req, res) => {
    const body = CreateTicketPaymentIntentBody.parse(req.body);
    const correlationId = requestIdOf(res);
    const { eventId, quantity, ticketHolderName: name, ticketHolderEmail: email, ticketType } = body;
    const madeHere = body.orderId === undefined;
    const guest = req.caller ? {} : { guest: guestOf(ticketSecret, email) };
    const order =
      body.orderId === undefined
        ? await holdForPayment(deps, { eventId, quantity, ...guest }, idempotencyKey(req), {
            caller: req.caller,
            address: addressOf(req),
            correlationId,
          })
        : await orderById(pool, body.orderId);
    if (!order) throw notFound('This order');
    const { orderId } = order;
    if (!madeHere) assertMayOpen(ticketSecret, order, req.caller?.id, body.accessKey);
    if (order.eventId !== eventId || order.quantity !== quantity)
      throw new HttpProblem(409, 'order-mismatch', 'This order was made for another event or quantity.');
    if (order.status !== 'held') throw new Rejected('hold-gone', 'These tickets are no longer held for you.');

    try {
      const { organiserId, eventTitle } = order;
      if (organiserId === null) throw notFound('This event');
      const { paymentId, clientSecret } = await payments.request({
        orderId,
        eventId,
        organiserId,
        buyerId: order.buyerId,
        amountCents: order.priceCents * order.quantity,
        description: `${quantity} × ${eventTitle}`.slice(0, 500),
        receiptEmail: email,
      });
      await saveCheckout(pool, { orderId, name, email, ticketType, paymentId });
      // Payments may have been slow. Who has no secret cannot pay for what is no longer held. After the checkout: a hold with a payment
      // attached is not given back when the checkout fails.
      await attach(order, paymentId, email, correlationId);
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
        throw unavailable('The payment could not be prepared. Please try again.', 1);
      throw error;
    }
  });

  /**
   * The browser's road to the tickets (docs/product.md#checkout): asks the provider, then sells. 200 TicketPurchaseResult,
   * `status` fulfilled, refunding or refunded, or held and processing while no money has come.
   */
  router.post('/api/process-ticket-purchase', auth.optional, async (req, res) => {
    const { paymentIntentId } = ProcessTicketPurchaseBody.parse(req.body);
    const order = await orderByPayment(pool, paymentIntentId);
    if (!order) throw notFound('This payment');
    if (order.buyerId !== null && order.buyerId !== req.caller?.id) throw forbidden();
    let status = statusOf(order);
    if (order.status !== 'fulfilled' && order.status !== 'refunding') {
      const payment = await payments.settle(paymentIntentId);
      if (payment.status === 'succeeded')
        status = await sellOrder(deps, order, paymentIntentId, { correlationId: requestIdOf(res) });
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

  const orderOf = async (req: Request): Promise<OrderRow> => {
    const order = await orderById(pool, z.uuid().parse(req.params['orderId']));
    if (!order) throw notFound('This order');
    return order;
  };
  const openOrder = async (req: Request): Promise<OrderRow> => {
    const order = await orderOf(req);
    assertMayOpen(ticketSecret, order, req.caller?.id, req.get('x-order-key'));
    return order;
  };

  const withTickets = async (row: OrderRow): Promise<Order> => {
    const order = await orderAnswer(deps, row);
    if (order.tickets.length === 0) throw notFound('A ticket of this order');
    return order;
  };

  const secret = (res: Response) => res.set({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' });

  /** An order with its tickets, for its buyer, or for whoever has its link (`x-order-key`). 404 to anybody else. */
  router.get('/api/orders/:orderId', auth.optional, async (req, res) => {
    const order = await openOrder(req);
    secret(res).json(await orderAnswer(deps, order));
  });

  /**
   * Ends one generation of an order's link. The command's id names the generation, so of two at once (another account claims, the
   * buyer renews) one is decided. The other one throws CommandReused: the key it was allowed by opens nothing any more.
   */
  const endLink = async (
    order: OrderRow,
    command: SaleCommand & { linkGeneration: number },
    by: string,
    req: Request,
    res: Response,
  ) => {
    await sales.handle(order.eventId, command, {
      commandId: linkCommand(order.orderId, command.linkGeneration),
      fingerprint: by,
      correlationId: requestIdOf(res),
      ...(req.caller && { userId: req.caller.id }),
    });
  };
  const assertBought = ({ status }: OrderRow) => {
    if (status !== 'fulfilled' && status !== 'refunding')
      throw new Rejected('not-bought', 'These tickets are not paid yet.');
  };
  const onlyOnce = (error: unknown): never => {
    throw error instanceof CommandReused ? notFound('This order') : error;
  };

  /**
   * A guest's bought order is saved to the account of the caller, who shows its key. 200 Order, again for a repeat. 409
   * `order-claimed` (it belongs to another account), `not-bought`. The link that was used opens nothing from then on.
   */
  router.post('/api/orders/:orderId/claim', auth.signedIn, async (req, res) => {
    const { id: buyerId } = callerOf(req);
    const found = await openOrder(req);
    if (found.buyerId !== buyerId) {
      if (found.buyerId !== null)
        throw new Rejected('order-claimed', 'These tickets belong to another account already.');
      assertBought(found);
      const { orderId, quantity } = found;
      const linkGeneration = found.linkGeneration + 1;
      await endLink(
        found,
        { type: 'ClaimOrder', orderId, quantity, buyerId, linkGeneration },
        `claim:${buyerId}`,
        req,
        res,
      ).catch(onlyOnce);
    }
    const order = await orderById(pool, found.orderId);
    if (!order) throw notFound('This order');
    secret(res).json(await orderAnswer(deps, order));
  });

  /**
   * Another link, for the order's buyer or whoever has the present one, which opens nothing from then on; it is mailed too. 200
   * OrderLink; 429 `too-many-links` after five within an hour. With an Idempotency-Key the call may be sent again under the old key:
   * without its answer a guest would be locked out.
   */
  router.post('/api/orders/:orderId/link', auth.optional, async (req, res) => {
    const order = await orderOf(req);
    const shown = req.get('x-order-key');
    const by = `renew:${idempotencyKey(req) ?? randomUUID()}`;
    const before = { orderId: order.orderId, linkGeneration: order.linkGeneration - 1 };
    const isRepeat =
      before.linkGeneration >= 0 && shown !== undefined && sameText(shown, accessKeyOf(ticketSecret, before));
    if (!isRepeat) assertMayOpen(ticketSecret, order, req.caller?.id, shown);
    assertBought(order);
    // Queued before too: should this process end in between, the buyer's mail still says which link is good.
    if (!isRepeat) {
      await assertMayRenew(deps, order, req.caller?.id);
      await queueNewLink(pool, order.orderId, 30);
    }
    const linkGeneration = (isRepeat ? before.linkGeneration : order.linkGeneration) + 1;
    await endLink(order, { type: 'RenewLink', orderId: order.orderId, linkGeneration }, by, req, res).catch(onlyOnce);
    if (!isRepeat) await queueNewLink(pool, order.orderId, 0);
    const accessKey = accessKeyOf(ticketSecret, { orderId: order.orderId, linkGeneration });
    secret(res).json({ accessKey } satisfies OrderLink);
  });

  /** A key for a guest's orders: unguessable, and recognised by any instance without being stored. 201 GuestKey. */
  router.post('/api/order-keys', (_req, res) => {
    secret(res)
      .status(201)
      .json({ key: newGuestKey(ticketSecret) } satisfies GuestKey);
  });

  /** All tickets of an order as one PDF, one page per admission; void ones say so. 404 while there is none. */
  router.get('/api/orders/:orderId/tickets.pdf', auth.optional, async (req, res) => {
    const order = await withTickets(await openOrder(req));
    secret(res)
      .type('application/pdf')
      .set('content-disposition', 'inline; filename="tickets.pdf"')
      .send(
        await ticketsPdf(order, {
          poster: await deps.pictures.of(order.event.imageUrl),
          support: deps.support,
          siteUrl: publicUrl,
        }),
      );
  });

  /** The event as an iCalendar file; for void tickets, what takes it out of the calendar. 404 while there are no tickets. */
  router.get('/api/orders/:orderId/event.ics', auth.optional, async (req, res) => {
    const row = await openOrder(req);
    const text = await calendar(await withTickets(row), orderLink(publicUrl, ticketSecret, row), mailFrom);
    secret(res)
      .type('text/calendar; charset=utf-8')
      .set('content-disposition', 'attachment; filename="event.ics"')
      .send(text);
  });

  return router;
}
