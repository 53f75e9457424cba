import { Order, type TicketPaymentIntent } from '@beltway/contracts/ticketing';
import { queryOptions } from '@tanstack/react-query';
import { get, HttpError } from '../../lib/http.ts';
import { isBought, keyHeaders } from '../../lib/orders.ts';
import { prepare } from './api.ts';
import { orderMemory } from './order-memory.ts';

/** Where a checkout begins: anew (`lost`: an earlier hold has run out), with tickets held before, or it is done already. */
export type Beginning =
  | { kind: 'new'; lost: boolean }
  | { kind: 'held'; intent: TicketPaymentIntent }
  | { kind: 'bought'; orderId: string; quantity: number };

async function resume(eventId: number, signal: AbortSignal): Promise<Beginning> {
  const known = orderMemory.get(eventId);
  if (!known) return { kind: 'new', lost: false };
  const { orderId, accessKey, quantity } = known;
  try {
    const { status } = await get(`/api/orders/${orderId}`, Order, { signal, headers: keyHeaders(accessKey) });
    if (status === 'held') return { kind: 'held', intent: await prepare(eventId, known, crypto.randomUUID()) };
    orderMemory.clear(eventId);
    return isBought(status) ? { kind: 'bought', orderId, quantity } : { kind: 'new', lost: true };
  } catch (error) {
    // Refused is an answer (the order is unknown, the tickets are gone); anything else may pass, and the hold is worth another try.
    if (!(error instanceof HttpError) || ![404, 409].includes(error.status)) throw error;
    orderMemory.clear(eventId);
    return { kind: 'new', lost: true };
  }
}

/** Reloaded, or come back to: the order this tab was making goes on where it was. Asked anew each time the checkout opens. */
export const beginningQuery = (eventId: number) =>
  queryOptions({
    queryKey: ['checkout', eventId],
    queryFn: ({ signal }) => resume(eventId, signal),
    initialData: (): Beginning | undefined => (orderMemory.get(eventId) ? undefined : { kind: 'new', lost: false }),
    gcTime: 0,
  });
