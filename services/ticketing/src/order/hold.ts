import { randomUUID } from 'node:crypto';
import type { Hold, HoldBody } from '@beltway/contracts/ticketing';
import type { Caller } from '@beltway/kit/auth';
import { CommandReused, Rejected, uuidFrom } from '@beltway/event-store';
import type { Deps } from '../deps.ts';
import type { SaleEvent } from '../sale/events.ts';
import { accessKeyOf, badKey } from './access.ts';
import { isGuestKey } from './guest-keys.ts';
import type { OrderRow } from './queries.ts';

type Held = Extract<SaleEvent, { type: 'TicketsHeld' }>['data'];

/** What a hold answers, from the event that made it: a repeat answers the same. */
export const holdAnswer = (secret: string, eventId: number, held: Held): Hold => ({
  orderId: held.orderId,
  eventId,
  quantity: held.quantity,
  priceCents: held.priceCents,
  amount: held.quantity * held.priceCents,
  holdUntil: held.until,
  extendable: !held.extended,
  accessKey: accessKeyOf(secret, { orderId: held.orderId, linkGeneration: 0 }),
});

export const orderHold = (secret: string, order: OrderRow): Hold => ({
  orderId: order.orderId,
  eventId: order.eventId,
  quantity: order.quantity,
  priceCents: order.priceCents,
  amount: order.quantity * order.priceCents,
  holdUntil: order.holdUntil.toISOString(),
  extendable: order.status === 'held' && !order.extended,
  accessKey: accessKeyOf(secret, order),
});

/** Who asks for a hold, and from where. */
export interface Asker {
  caller: Caller | undefined;
  /** The client's address as the gateway saw it. Missing from gateways of before it was told. */
  address: string | undefined;
  correlationId: string;
}

/**
 * Takes stock for an order. Throws Rejected when the sale refuses, 429 when the address holds too many tickets. The order's id is the
 * command's: a retry is the same hold.
 */
export async function holdTickets(
  { sales, ticketSecret, clock, networkHolds }: Deps,
  body: Omit<HoldBody, 'replaces'> & { orderId: string; guest?: string; replaces?: string; closedPaymentId?: string },
  { caller, address, correlationId }: Asker,
): Promise<Hold> {
  const { eventId, quantity, orderId, guest, replaces, closedPaymentId } = body;
  const giveBack =
    address === undefined ? undefined : await networkHolds?.take({ address, orderId, eventId, quantity, replaces });
  const at = clock().toISOString();
  const { events } = await sales
    .handle(
      eventId,
      {
        type: 'HoldTickets',
        orderId,
        quantity,
        buyerId: caller?.id ?? null,
        at,
        ...(guest !== undefined && { guest }),
        ...(replaces !== undefined && { replaces }),
        ...(closedPaymentId !== undefined && { closedPaymentId }),
      },
      {
        commandId: orderId,
        fingerprint: `${eventId}:${quantity}:${caller?.id ?? 'guest'}`,
        correlationId,
        ...(caller && { userId: caller.id }),
      },
    )
    .catch((error: unknown) => {
      // After any other fault the sale may hold them all the same.
      if (error instanceof Rejected || error instanceof CommandReused) giveBack?.();
      throw error;
    });
  const held = events.find((event) => event.type === 'TicketsHeld')?.data;
  if (!held) throw new Error(`order ${orderId} is held by another command`);
  return holdAnswer(ticketSecret, eventId, held);
}

/**
 * The order that an idempotency key names. An account's key is scoped to the account. A guest's key is all that tells one guest
 * from another, so the server makes it: a key of a guest's own choice could be another's too, and would open that one's order.
 * `attempt` goes on when an order ended without a way to pay, so that the same key can be sent again (`holdForPayment`).
 */
export function orderIdFor(secret: string, key: string | undefined, caller: Caller | undefined, attempt = 0): string {
  if (key === undefined) return randomUUID();
  const again = attempt > 0 ? `:${attempt}` : '';
  if (caller) return uuidFrom(`order:${caller.id}:${key}${again}`);
  if (!isGuestKey(secret, key)) throw badKey('of a guest must begin with a key from POST /api/order-keys');
  return uuidFrom(`order:guest:${key}${again}`);
}
