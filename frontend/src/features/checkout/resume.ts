import { Order, type Hold, type TicketPaymentIntent } from '@beltway/contracts/ticketing';
import { queryOptions } from '@tanstack/react-query';
import { get, HttpError } from '../../lib/http.ts';
import { isBought, keyHeaders } from '../../lib/orders.ts';
import { prepare } from './api.ts';
import { orderMemory } from './order-memory.ts';

/** Where a checkout begins: anew (`lost`: an earlier hold has run out), with tickets held before, or it is done already. */
export type Beginning =
  | { kind: 'new'; lost: boolean }
  | { kind: 'held'; hold: Hold; intent: TicketPaymentIntent | null }
  | { kind: 'bought'; orderId: string; quantity: number };

async function resume(eventId: number, signal: AbortSignal): Promise<Beginning> {
  const { order, asked, isPaying } = orderMemory.get(eventId) ?? {};
  if (!order) return { kind: 'new', lost: false };
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
    if (asked && status === 'released') return { kind: 'new', lost: false };
    orderMemory.clear(eventId);
    return isBought(status) ? { kind: 'bought', orderId, quantity } : { kind: 'new', lost: true };
  } catch (error) {
    // Refused is an answer (the order is unknown, the tickets are gone); anything else may pass, and the hold is worth another try.
    if (!(error instanceof HttpError) || ![404, 409].includes(error.status)) throw error;
    orderMemory.clear(eventId);
    return { kind: 'new', lost: true };
  }
}

/** Reloaded, or come back to: the order this browser was making goes on where it was. Asked anew each time the checkout opens. */
export const beginningQuery = (eventId: number) =>
  queryOptions({
    queryKey: ['checkout', eventId],
    queryFn: ({ signal }) => resume(eventId, signal),
    initialData: (): Beginning | undefined =>
      orderMemory.get(eventId)?.order ? undefined : { kind: 'new', lost: false },
    gcTime: 0,
  });
