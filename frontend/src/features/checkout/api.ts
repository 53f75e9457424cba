import { Hold, TicketPaymentIntent, TicketPurchaseResult } from '@beltway/contracts/ticketing';
import { HttpError, post } from '../../lib/http.ts';
import { orderKeyFor } from '../../lib/guest-key.ts';
import { keyHeaders } from '../../lib/orders.ts';
import { orderMemory, type Remembered } from './order-memory.ts';

export interface Details {
  name: string;
  email: string;
  quantity: number;
}

/** The order this tab remembers is over: a new one may be made. */
const isOver = (error: unknown): boolean =>
  error instanceof HttpError &&
  (error.status === 404 ||
    ['hold-gone', 'order-mismatch', 'idempotency-key-reused'].includes(error.problem?.code ?? ''));

/**
 * Holds the tickets and asks for a payment intent. An order that is still held is gone on with; with another quantity its hold is
 * exchanged in one decision, so that nobody comes in between. `wish` names this press of the button: sent again it is the same order.
 */
export async function prepare(eventId: number, details: Details, wish: string): Promise<TicketPaymentIntent> {
  const known = orderMemory.get(eventId);
  try {
    return await intentFor(eventId, details, await heldFor(eventId, details, known, wish), wish);
  } catch (error) {
    if (!known || !isOver(error)) throw error;
    orderMemory.clear(eventId);
    return intentFor(eventId, details, null, `${wish}-again`);
  }
}

async function heldFor(eventId: number, { quantity }: Details, known: Remembered | null, wish: string) {
  if (!known || known.quantity === quantity) return known;
  const { orderId, accessKey } = known;
  return post('/api/holds', { eventId, quantity, replaces: { orderId, accessKey } }, Hold, {
    headers: { 'idempotency-key': await orderKeyFor(`hold-${wish}`) },
  });
}

async function intentFor(
  eventId: number,
  { name, email, quantity }: Details,
  order: { orderId: string; accessKey: string } | null,
  wish: string,
): Promise<TicketPaymentIntent> {
  const remember = ({ orderId, accessKey }: { orderId: string; accessKey: string }) =>
    orderMemory.set(eventId, { orderId, accessKey, quantity, name, email });
  // Before the call: what is held already must be found again whatever becomes of it.
  if (order) remember(order);
  const intent = await post(
    '/api/create-ticket-payment-intent',
    {
      eventId,
      quantity,
      ticketHolderName: name.trim(),
      ticketHolderEmail: email.trim(),
      ...(order && { orderId: order.orderId, accessKey: order.accessKey }),
    },
    TicketPaymentIntent,
    { headers: { 'idempotency-key': await orderKeyFor(`intent-${wish}`) } },
  );
  remember(intent);
  return intent;
}

/** Ten more minutes, once. */
export const extendHold = (orderId: string, accessKey: string): Promise<Hold> =>
  post(`/api/holds/${orderId}/extension`, undefined, Hold, { headers: keyHeaders(accessKey) });

export const processPurchase = (paymentIntentId: string): Promise<TicketPurchaseResult> =>
  post('/api/process-ticket-purchase', { paymentIntentId }, TicketPurchaseResult);
