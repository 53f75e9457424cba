import { Hold, Order, TicketPaymentIntent, TicketPurchaseResult } from '@beltway/contracts/ticketing/tickets';
import { forgetGuestKey, orderKeyFor } from '../../lib/orders/guest-key.ts';
import { del, get, HttpError, isPassing, post } from '../../lib/http/http.ts';
import { isUnpaid, keyHeaders } from '../../lib/orders/orders.ts';
import { traced } from '../../lib/http/trace.ts';
import { orderMemory } from './order-memory.ts';

export interface Details {
  name: string;
  email: string;
  quantity: number;
}

/** True when the remembered order is over, so that a new order may be started. */
const isOver = (error: unknown): boolean =>
  error instanceof HttpError &&
  (error.status === 404 || ['hold-gone', 'order-mismatch'].includes(error.problem?.code ?? ''));

const isRefusedGuestKey = (error: unknown): boolean =>
  error instanceof HttpError &&
  error.status === 400 &&
  (error.problem?.errors ?? []).some(({ field }) => field === 'Idempotency-Key');

/**
 * Runs the hold requests for an event one at a time, across all tabs, so that each request uses the result of the
 * previous one.
 */
const requests = new Map<number, Promise<unknown>>();
function oneAtATime<T>(eventId: number, work: () => Promise<T>): Promise<T> {
  const locks = (navigator as Partial<Navigator>).locks;
  const before = requests.get(eventId) ?? Promise.resolve();
  const request = before
    .catch(() => undefined)
    .then(() => (locks ? locks.request(`beltway.hold.${eventId}`, work) : work()) as Promise<T>);
  requests.set(eventId, request);
  return request;
}

/**
 * Requests the remembered hold, in exchange for the current one. A retry has the same idempotency key, so that it
 * returns the same hold.
 */
async function requestHold(eventId: number): Promise<Hold> {
  const { order, asked } = orderMemory.get(eventId) ?? {};
  if (!asked) throw new Error('no hold was requested');
  const { key, quantity } = asked;
  const replaces = order && { replaces: { orderId: order.orderId, accessKey: order.accessKey } };
  const send = async () =>
    traced('hold tickets', async (trace) =>
      post('/api/holds', { eventId, quantity, ...replaces }, Hold, {
        headers: { 'idempotency-key': await orderKeyFor(key), ...trace },
      }),
    );
  try {
    const held = await send().catch((error: unknown) => {
      if (!isRefusedGuestKey(error)) throw error;
      forgetGuestKey();
      return send();
    });
    orderMemory.set(eventId, { order: held, asked: null, isPaying: false });
    return held;
  } catch (error) {
    if (error instanceof HttpError && !isPassing(error)) {
      orderMemory.set(eventId, { asked: null });
      if (order && isOver(error)) orderMemory.clear(eventId);
    }
    throw error;
  }
}

/**
 * Holds this many tickets before any payment. A current hold of this quantity is kept; a hold of another quantity is
 * exchanged in a single request.
 */
export const hold = (eventId: number, quantity: number): Promise<Hold> =>
  oneAtATime(eventId, () => holdNow(eventId, quantity));

/** Like `hold`, but returns null if the request is outdated when its turn comes. */
export const holdIfCurrent = (eventId: number, quantity: number, isCurrent: () => boolean): Promise<Hold | null> =>
  oneAtATime(eventId, async () => (isCurrent() ? holdNow(eventId, quantity) : null));

async function holdNow(eventId: number, quantity: number): Promise<Hold> {
  // An earlier request has no answer yet, so it is retried first.
  if (orderMemory.get(eventId)?.asked) await requestHold(eventId);
  const { order } = orderMemory.get(eventId) ?? {};
  if (order?.quantity === quantity) return order;
  const holdNew = () => {
    orderMemory.set(eventId, { asked: { key: crypto.randomUUID(), quantity } });
    return requestHold(eventId);
  };
  return holdNew().catch((error: unknown) => {
    if (!order || !isOver(error)) throw error;
    return holdNew(); // the hold to exchange is gone, so request one without it
  });
}

/** Thrown when the order is already paid, so that no second payment is made. */
export class AlreadyPaid extends Error {}

const statusOf = async ({ orderId, accessKey }: Hold) =>
  (await get(`/api/orders/${orderId}`, Order, { headers: keyHeaders(accessKey) })).status;

/**
 * Creates a payment for held tickets. If the hold is gone, tries once to hold tickets again. Throws AlreadyPaid if the
 * order was paid in the meantime.
 */
export async function prepare(eventId: number, details: Details): Promise<TicketPaymentIntent> {
  const held = await hold(eventId, details.quantity);
  try {
    return await intentFor(held, details);
  } catch (error) {
    if (!isOver(error)) throw error;
    const status = error instanceof HttpError && error.status === 404 ? 'unknown' : await statusOf(held);
    if (status !== 'unknown' && status !== 'held' && !isUnpaid(status)) throw new AlreadyPaid();
    orderMemory.clear(eventId);
    return intentFor(await hold(eventId, details.quantity), details);
  }
}

async function intentFor(
  { eventId, orderId, accessKey, quantity }: Hold,
  { name, email }: Details,
): Promise<TicketPaymentIntent> {
  const intent = await traced('prepare payment', (headers) =>
    post(
      '/api/create-ticket-payment-intent',
      { eventId, quantity, ticketHolderName: name.trim(), ticketHolderEmail: email.trim(), orderId, accessKey },
      TicketPaymentIntent,
      { headers },
    ),
  );
  orderMemory.set(eventId, { order: Hold.parse(intent), isPaying: true });
  return intent;
}

/** Extends the hold by ten minutes; the server allows it once. */
export const extendHold = ({ orderId, accessKey }: Hold): Promise<Hold> =>
  post(`/api/holds/${orderId}/extension`, undefined, Hold, { headers: keyHeaders(accessKey) });

/** Releases the hold. If there is a payment for the hold, the server closes the payment first. */
export const giveBack = (eventId: number): Promise<void> =>
  // Waits for a hold request in progress, which may still create a hold.
  oneAtATime(eventId, async () => {
    const order = orderMemory.get(eventId)?.order;
    if (!order) return;
    await del(`/api/holds/${order.orderId}`, undefined, { headers: keyHeaders(order.accessKey) });
    orderMemory.clear(eventId);
  });

export const processPurchase = (paymentIntentId: string): Promise<TicketPurchaseResult> =>
  traced('buy tickets', (headers) =>
    post('/api/process-ticket-purchase', { paymentIntentId }, TicketPurchaseResult, { headers }),
  );
