import { PublicConfig } from '@beltway/contracts/config';
import { Hold, TicketPaymentIntent, TicketPurchaseResult } from '@beltway/contracts/ticketing';
import type { Stripe } from '@stripe/stripe-js';
import { queryOptions } from '@tanstack/react-query';
import { get, HttpError, post } from '../../lib/http.ts';
import { keyHeaders } from '../../lib/orders.ts';
import { orderMemory, type Remembered } from './order-memory.ts';

export interface Details {
  name: string;
  email: string;
  quantity: number;
}

/** The card provider as the server says: Stripe, or the sandbox's object of the same shape. Loaded when someone checks out. */
export const providerQuery = queryOptions({
  queryKey: ['card-provider'],
  queryFn: async ({ signal }): Promise<{ stripe: Stripe; sandbox: boolean }> => {
    const { payments } = await get('/api/config', PublicConfig, { signal });
    if (payments.sandbox) {
      const { createSandboxStripe } = await import('../../sandbox-stripe/index.ts');
      return { stripe: createSandboxStripe(payments), sandbox: true };
    }
    const { loadStripe } = await import('@stripe/stripe-js');
    const stripe = await loadStripe(payments.publishableKey);
    if (!stripe) throw new Error('Unable to initialize payment');
    return { stripe, sandbox: false };
  },
});

const codeOf = (error: unknown): string | undefined => (error instanceof HttpError ? error.problem?.code : undefined);
/** The order this tab remembers is over: a new one may be made. */
const isOver = (error: unknown): boolean =>
  ['hold-gone', 'order-mismatch', 'idempotency-key-reused'].includes(codeOf(error) ?? '') ||
  (error instanceof HttpError && error.status === 404);

/**
 * Holds the tickets and asks for a payment intent. An order that is still held is gone on with; with another quantity its hold is
 * exchanged in one decision, so that nobody comes in between.
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
    headers: { 'idempotency-key': `hold-${wish}` },
  });
}

async function intentFor(
  eventId: number,
  { name, email, quantity }: Details,
  order: { orderId: string; accessKey: string } | null,
  wish: string,
): Promise<TicketPaymentIntent> {
  if (order) orderMemory.set(eventId, { orderId: order.orderId, accessKey: order.accessKey, quantity, name, email });
  const intent = await post(
    '/api/create-ticket-payment-intent',
    {
      eventId,
      quantity,
      ticketHolderName: name,
      ticketHolderEmail: email,
      ...(order && { orderId: order.orderId, accessKey: order.accessKey }),
    },
    TicketPaymentIntent,
    { headers: { 'idempotency-key': `intent-${wish}` } },
  );
  orderMemory.set(eventId, { orderId: intent.orderId, accessKey: intent.accessKey, quantity, name, email });
  return intent;
}

/** Ten more minutes, once. */
export const extendHold = (orderId: string, accessKey: string): Promise<Hold> =>
  post(`/api/holds/${orderId}/extension`, undefined, Hold, { headers: keyHeaders(accessKey) });

export const processPurchase = (paymentIntentId: string): Promise<TicketPurchaseResult> =>
  post('/api/process-ticket-purchase', { paymentIntentId }, TicketPurchaseResult);
