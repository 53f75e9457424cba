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
 * What `POST /api/holds` does, on both its ways in: holds 1 to 10 tickets for ten minutes. Throws what becomes 409
 * `sold-out`, `all-held`, `not-enough-left`, `not-on-sale`, `too-many-holds`, `too-many-held`; with `replaces` also
 * `already-paid`, `payment-under-way`, `hold-gone`; 429 `too-many-held-here` for guests and unverified accounts. Guests may.
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
    /** As it came, not checked. */
    body: unknown;
    /** The `Idempotency-Key` header as it came. */
    key: string | undefined;
    /** The key is the gateway's own: nobody else knows it. */
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

/** What a hold answers, from the event that made it: a repeat answers the same. */
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

/** Who asks for a hold, and from where. */
export interface Requester {
  caller: Caller | undefined;
  /** The client's address as the gateway saw it; undefined: the call came past the gateway. */
  address: string | undefined;
  correlationId: string;
}

/**
 * Takes stock for an order. Throws Rejected when the sale refuses, 429 when the address holds too many tickets,
 * 503 while the message of a new event is on its way. The
 * order's id is the command's: a retry is the same hold.
 */
export async function holdTickets(
  { sales, ticketSecret, clock, networkHolds, mayArrive }: Deps,
  body: Omit<HoldBody, 'replaces'> & { orderId: string; guest?: string; replaces?: string; closedPaymentId?: string },
  { caller, address, correlationId }: Requester,
): Promise<Hold> {
  const { eventId, quantity, orderId, guest, replaces, closedPaymentId } = body;
  const wanted = [{ type: GENERAL.type, quantity }];
  // An account costs nothing: without a verified address it counts for its network, as guests do.
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
      // After any other fault the sale may hold them all the same.
      if (error instanceof Rejected || error instanceof CommandReused) giveBack?.();
      if (!(error instanceof Rejected) || error.code !== 'no-sale') throw error;
      // An event is shown by the catalog a moment before ticketing knows it.
      if (await mayArrive(eventId)) throw arriving('sales-open');
      throw new Rejected('not-on-sale');
    });
  const held = events.find((event) => event.type === 'TicketsHeld')?.data;
  if (!held) throw new Error(`order ${orderId} is held by another command`);
  return holdAnswer(ticketSecret, eventId, held);
}

/**
 * The order that an idempotency key names. An account's key is scoped to the account. A guest's key is all that tells
 * one guest from another, so the server makes it: a key of a guest's own choice could be another's too, and would open
 * that one's order. `attempt` goes on when an order ended without a way to pay, so that the same key can be sent again
 * (`holdForPayment`).
 */
export function orderIdFor(secret: Secrets, key: string | undefined, caller: Caller | undefined, attempt = 0): string {
  if (key === undefined) return randomUUID();
  const again = attempt > 0 ? `:${attempt}` : '';
  if (caller) return uuidFrom(`order:${caller.id}:${key}${again}`);
  if (!isGuestKey(secret, key)) throw badKey('invalid.key-of-guest');
  return uuidFrom(`order:guest:${key}${again}`);
}

/**
 * Before its buyer lets a hold go, its intent is closed at the provider: a card confirmed in another window must not
 * pay for what was given up. An order that turns out to be paid is sold. Answers which payment was closed, for the sale
 * to compare with the one it knows. Throws Rejected `already-paid`, `payment-under-way`.
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
