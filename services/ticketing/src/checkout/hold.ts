import { randomUUID } from 'node:crypto';
import { GENERAL, ticketCount, totalCents } from '@beltway/contracts/ticketing/order-lines';
import { HoldBody, type Hold } from '@beltway/contracts/ticketing/tickets';
import type { Caller } from '@beltway/kit/auth';
import { CommandReused, uuidFrom } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import type { Deps } from '../deps.ts';
import { badKey, checkedKey } from '@beltway/kit/idempotency-key';
import { arriving } from '@beltway/kit/problems';
import type { Secrets } from '@beltway/kit/secrets';
import { accessKeyOf, assertMayOpen } from '../order/access.ts';
import { orderById, type OrderRow } from '../order/queries.ts';
import type { SaleEvent } from '../sale/events.ts';
import { guestOfKey, isGuestKey } from './guests.ts';
import type { Payments } from './payments.ts';
import { sellOrder, type SaleDeps } from './sell.ts';

/**
 * Implements `POST /api/holds`, for single and for batched holds: holds 1 to 10 tickets for ten minutes. Responds with
 * 409 `sold-out`, `all-held`, `not-enough-left`, `not-on-sale`, `too-many-holds`, `too-many-held`; with `replaces` also
 * `already-paid`, `payment-under-way`, `hold-gone`; 429 `too-many-held-here` for guests and unverified accounts. Needs
 * no account.
 */
export async function takeHold(
  deps: Deps,
  {
    body,
    key,
    gatewayKey,
    caller,
    address,
    requestId,
  }: {
    /** The request body as received, not validated. */
    body: unknown;
    /** The `Idempotency-Key` header as received. */
    key: string | undefined;
    /** The gateway made the key, so it is secret and identifies the order without a caller. */
    gatewayKey?: boolean | undefined;
    caller: Caller | undefined;
    address: string | undefined;
    requestId: string;
  },
): Promise<Hold> {
  const { replaces, ...asked } = HoldBody.parse(body);
  const ownKey = gatewayKey ? undefined : checkedKey(key);
  const orderId = gatewayKey ? uuidFrom(`order:gateway:${key}`) : orderIdFor(deps.ticketSecret, ownKey, caller);
  const guest = ownKey !== undefined && !caller ? { guest: guestOfKey(deps.ticketSecret, ownKey) } : {};
  let closed: { closedPaymentId?: string } = {};
  if (replaces) {
    const old = await orderById(deps.pool, replaces.orderId);
    if (old) {
      assertMayOpen(deps.ticketSecret, old, caller?.id, replaces.accessKey);
      closed = await closePayment(deps, old, requestId);
    }
  }
  return holdTickets(
    deps,
    { ...asked, ...guest, orderId, ...(replaces && { replaces: replaces.orderId }), ...closed },
    { caller, address, correlationId: requestId },
  );
}

type Held = Extract<SaleEvent, { type: 'TicketsHeld' }>['data'];

/** The response for a hold, built from its event, so that a repeated request gets the same response. */
export const holdAnswer = (secret: Secrets, eventId: number, held: Held): Hold => ({
  orderId: held.orderId,
  eventId,
  quantity: ticketCount(held.lines),
  lines: held.lines,
  amount: totalCents(held.lines),
  holdUntil: held.until,
  extendable: !held.extended,
  accessKey: accessKeyOf(secret, { orderId: held.orderId, linkGeneration: 0 }),
});

export const orderHold = (secret: Secrets, order: OrderRow): Hold => ({
  orderId: order.orderId,
  eventId: order.eventId,
  quantity: order.quantity,
  lines: order.lines,
  amount: order.totalCents,
  holdUntil: order.holdUntil.toISOString(),
  extendable: order.status === 'held' && !order.extended,
  accessKey: accessKeyOf(secret, order),
});

/** The account of the caller who requests a hold, if signed in, and the IP address of the caller. */
export interface Requester {
  caller: Caller | undefined;
  /** The client's IP address as the gateway received it; undefined if the call bypassed the gateway. */
  address: string | undefined;
  correlationId: string;
}

/**
 * Holds tickets for an order. The order's id is also the command's id, so a retry gets the same hold. Throws `Rejected`
 * if the sale refuses, 429 if the network of the IP address holds too many tickets, 503 if the message about a new
 * event has not arrived yet.
 */
export async function holdTickets(
  { sales, ticketSecret, clock, networkHolds, mayArrive }: Deps,
  body: Omit<HoldBody, 'replaces'> & { orderId: string; guest?: string; replaces?: string; closedPaymentId?: string },
  { caller, address, correlationId }: Requester,
): Promise<Hold> {
  const { eventId, quantity, orderId, guest, replaces, closedPaymentId } = body;
  const wanted = [{ type: GENERAL.type, quantity }];
  // Holds of unverified accounts count for their network, like holds of guests, because anyone can create accounts for
  // free.
  const countsHere = address !== undefined && !caller?.isVerified;
  const giveBack = countsHere ? await networkHolds?.take({ address, orderId, eventId, quantity, replaces }) : undefined;
  const at = clock().toISOString();
  const { events } = await sales
    .handle(
      eventId,
      {
        type: 'HoldTickets',
        orderId,
        wanted,
        buyerId: caller?.id ?? null,
        at,
        ...(guest !== undefined && { guest }),
        ...(replaces !== undefined && { replaces }),
        ...(closedPaymentId !== undefined && { closedPaymentId }),
      },
      {
        commandId: orderId,
        fingerprint: `${eventId}:${wanted.map(({ type, quantity }) => `${quantity} ${type}`).join()}:${caller?.id ?? 'guest'}`,
        correlationId,
        ...(caller && { userId: caller.id }),
      },
    )
    .catch(async (error: unknown) => {
      // After any other error the sale may still grant the hold, so the network's record of the hold stays.
      if (error instanceof Rejected || error instanceof CommandReused) giveBack?.();
      if (!(error instanceof Rejected) || error.code !== 'no-sale') throw error;
      // The catalog shows a new event shortly before its message reaches ticketing.
      if (await mayArrive(eventId)) throw arriving('sales-open');
      throw new Rejected('not-on-sale');
    });
  const held = events.find((event) => event.type === 'TicketsHeld')?.data;
  if (!held) throw new Error(`order ${orderId} is held by another command`);
  return holdAnswer(ticketSecret, eventId, held);
}

/**
 * The id of the order that an idempotency key identifies. An account's key is scoped to the account. A guest is
 * identified by the key alone, so the server must create the key: if guests chose keys, two guests could choose the
 * same key, and each could open the other's order. `attempt` increases when an order ended because payments was down,
 * so that the same key can be sent again (`holdForPayment`).
 */
export function orderIdFor(secret: Secrets, key: string | undefined, caller: Caller | undefined, attempt = 0): string {
  if (key === undefined) return randomUUID();
  const again = attempt > 0 ? `:${attempt}` : '';
  if (caller) return uuidFrom(`order:${caller.id}:${key}${again}`);
  if (!isGuestKey(secret, key)) throw badKey('invalid.key-of-guest');
  return uuidFrom(`order:guest:${key}${again}`);
}

/**
 * Closes the order's intent at the provider before its buyer gives the hold back. Otherwise a card confirmed in another
 * window could pay for a released hold. If the order turns out to be paid, sells it. Returns the id of the closed
 * payment, which the sale compares with the payment of the hold. Throws `Rejected` `already-paid`, `payment-under-way`.
 */
export async function closePayment(
  deps: SaleDeps & { payments: Payments },
  order: OrderRow,
  correlationId: string,
): Promise<{ closedPaymentId?: string }> {
  const { paymentId, status } = order;
  if (status !== 'held' || !paymentId) return {};
  const payment = await deps.payments.cancel(paymentId);
  if (payment.status === 'canceled' || payment.status === 'refunded') return { closedPaymentId: paymentId };
  if (payment.status !== 'succeeded') throw new Rejected('payment-under-way');
  await sellOrder(deps, order, payment, { correlationId });
  throw new Rejected('already-paid');
}
