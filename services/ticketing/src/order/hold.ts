import { randomUUID } from 'node:crypto';
import type { Hold, HoldBody } from '@beltway/contracts/ticketing';
import { uuidFrom } from '@beltway/event-store';
import type { Caller } from '@beltway/kit/auth';
import type { Deps } from '../deps.ts';
import type { SaleEvent } from '../sale/events.ts';
import { accessKeyOf } from './access.ts';
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
  extendable: true,
  accessKey: accessKeyOf(secret, held.orderId),
});

export const orderHold = (secret: string, order: OrderRow): Hold => ({
  orderId: order.orderId,
  eventId: order.eventId,
  quantity: order.quantity,
  priceCents: order.priceCents,
  amount: order.quantity * order.priceCents,
  holdUntil: order.holdUntil.toISOString(),
  extendable: order.status === 'held' && !order.extended,
  accessKey: accessKeyOf(secret, order.orderId),
});

/** Takes stock for an order. Throws Rejected when the sale refuses. The order's id is the command's: a retry is the same hold. */
export async function holdTickets(
  { sales, ticketSecret, clock }: Deps,
  body: Omit<HoldBody, 'replaces'> & { orderId: string; replaces?: string },
  caller: Caller | undefined,
  correlationId: string,
): Promise<Hold> {
  const { eventId, quantity, orderId, replaces } = body;
  const at = clock().toISOString();
  const { events } = await sales.handle(
    eventId,
    {
      type: 'HoldTickets',
      orderId,
      quantity,
      buyerId: caller?.id ?? null,
      at,
      ...(replaces !== undefined && { replaces }),
    },
    {
      commandId: orderId,
      fingerprint: `${eventId}:${quantity}:${caller?.id ?? 'guest'}`,
      correlationId,
      ...(caller && { userId: caller.id }),
    },
  );
  const held = events.find((event) => event.type === 'TicketsHeld')?.data;
  if (!held) throw new Error(`order ${orderId} is held by another command`);
  return holdAnswer(ticketSecret, eventId, held);
}

/** Scoped to who sends it, so that a key tells nobody of another's order. A guest's key is a secret: with it comes the order. */
export const orderIdFor = (key: string | undefined, caller: Caller | undefined): string =>
  key === undefined ? randomUUID() : uuidFrom(`order:${caller?.id ?? 'guest'}:${key}`);
