import { Order, type Hold, type TicketPaymentIntent } from '@beltway/contracts/ticketing/tickets';
import { queryOptions } from '@tanstack/react-query';
import { get, HttpError } from '../../lib/http/http.ts';
import { isUnpaid, keyHeaders } from '../../lib/orders/orders.ts';
import { AlreadyPaid, prepare } from './api.ts';
import { orderMemory } from './order-memory.ts';

/** How a hold ended: without a payment, or unknown because the server has no such order for this browser. */
export type Ending = 'unpaid' | 'unknown';

/**
 * How a checkout begins: without a hold (`lost`: how an earlier hold ended), with an earlier hold, or after payment.
 */
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
    // The hold may have been exchanged by a request whose answer was lost. Retrying that request returns the new hold.
    if (asked && status === 'released') return { kind: 'new', lost: null };
    orderMemory.clear(eventId);
    return isUnpaid(status) ? { kind: 'new', lost: 'unpaid' } : { kind: 'bought', orderId, quantity };
  } catch (error) {
    if (error instanceof AlreadyPaid) return { kind: 'bought', orderId, quantity };
    // 404 and 409 are final: the order is unknown, or its tickets are gone. Other errors may be temporary, so the hold
    // is kept.
    if (!(error instanceof HttpError) || ![404, 409].includes(error.status)) throw error;
    orderMemory.clear(eventId);
    return { kind: 'new', lost: 'unknown' };
  }
}

/** Continues the order in progress in this browser. Fetched each time the checkout opens. */
export const beginningQuery = (eventId: number) =>
  queryOptions({
    queryKey: ['checkout', eventId],
    queryFn: ({ signal }) => resume(eventId, signal),
    initialData: (): Beginning | undefined =>
      orderMemory.get(eventId)?.order ? undefined : { kind: 'new', lost: null },
    gcTime: 0,
  });
