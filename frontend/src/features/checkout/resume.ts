import { Order, type Hold, type TicketPaymentIntent } from '@beltway/contracts/ticketing';
import { queryOptions } from '@tanstack/react-query';
import { get, HttpError } from '../../lib/http.ts';
import { isUnpaid, keyHeaders } from '../../lib/orders.ts';
import { AlreadyPaid, prepare } from './api.ts';
import { orderMemory } from './order-memory.ts';

/** What the server said of a hold that is over: without money, or that it knows of no such order for this browser. */
export type Ending = 'unpaid' | 'unknown';

/** Where a checkout begins: anew (`lost`: how an earlier hold ended), with tickets held before, or it is done already. */
export type Beginning =
  | { kind: 'new'; lost: Ending | null }
  | { kind: 'held'; hold: Hold; intent: TicketPaymentIntent | null }
  | { kind: 'bought'; orderId: string; quantity: number };

async function resume(eventId: number, signal: AbortSignal): Promise<Beginning> {
  const { order, asked, isPaying } = orderMemory.get(eventId) ?? {};
  if (!order) return { kind: 'new', lost: null };
  const { orderId, accessKey, quantity } = order;
  try {
    const { status, holdUntil, extendable } = await get(`/api/orders/${orderId}`, Order, {
      signal,
      headers: keyHeaders(accessKey),
    });
    if (status === 'held' && holdUntil) {
      const hold = { ...order, holdUntil, extendable };
      orderMemory.set(eventId, { order: hold });
      const holder = orderMemory.holder();
      const intent = isPaying && holder ? await prepare(eventId, { ...holder, quantity }) : null;
      return { kind: 'held', hold: intent ?? hold, intent };
    }
    // Perhaps exchanged, by a request whose answer was lost: asked again, it answers the other one.
    if (asked && status === 'released') return { kind: 'new', lost: null };
    orderMemory.clear(eventId);
    return isUnpaid(status) ? { kind: 'new', lost: 'unpaid' } : { kind: 'bought', orderId, quantity };
  } catch (error) {
    if (error instanceof AlreadyPaid) return { kind: 'bought', orderId, quantity };
    // Refused is an answer (the order is unknown, the tickets are gone); anything else may pass, and the hold is worth another try.
    if (!(error instanceof HttpError) || ![404, 409].includes(error.status)) throw error;
    orderMemory.clear(eventId);
    return { kind: 'new', lost: 'unknown' };
  }
}

/** Reloaded, or come back to: the order this browser was making goes on where it was. Asked anew each time the checkout opens. */
export const beginningQuery = (eventId: number) =>
  queryOptions({
    queryKey: ['checkout', eventId],
    queryFn: ({ signal }) => resume(eventId, signal),
    initialData: (): Beginning | undefined =>
      orderMemory.get(eventId)?.order ? undefined : { kind: 'new', lost: null },
    gcTime: 0,
  });
