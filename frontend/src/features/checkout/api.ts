import { Hold, Order, TicketPaymentIntent, TicketPurchaseResult } from '@beltway/contracts/ticketing';
import { forgetGuestKey, orderKeyFor } from '../../lib/guest-key.ts';
import { del, get, HttpError, isPassing, post } from '../../lib/http.ts';
import { isUnpaid, keyHeaders } from '../../lib/orders.ts';
import { orderMemory } from './order-memory.ts';

export interface Details {
  name: string;
  email: string;
  quantity: number;
}

/** The order that was remembered is over: a new one may be made. */
const isOver = (error: unknown): boolean =>
  error instanceof HttpError &&
  (error.status === 404 || ['hold-gone', 'order-mismatch'].includes(error.problem?.code ?? ''));

const isStrangeKey = (error: unknown): boolean =>
  error instanceof HttpError &&
  error.status === 400 &&
  (error.problem?.errors ?? []).some(({ field }) => field === 'Idempotency-Key');

/** One hold at a time for an event, in all tabs: the next one finds what the one before was answered. */
const turns = new Map<number, Promise<unknown>>();
function inTurn<T>(eventId: number, work: () => Promise<T>): Promise<T> {
  const locks = (navigator as Partial<Navigator>).locks;
  const before = turns.get(eventId) ?? Promise.resolve();
  const turn = before
    .catch(() => undefined)
    .then(() => (locks ? locks.request(`beltway.hold.${eventId}`, work) : work()) as Promise<T>);
  turns.set(eventId, turn);
  return turn;
}

/** Asks for the hold that the memory names, in exchange for the one it has. The key is remembered first: asked again it is the same hold. */
async function ask(eventId: number): Promise<Hold> {
  const { order, asked } = orderMemory.get(eventId) ?? {};
  if (!asked) throw new Error('no hold was asked for');
  const { key, quantity } = asked;
  const replaces = order && { replaces: { orderId: order.orderId, accessKey: order.accessKey } };
  const send = async () =>
    post('/api/holds', { eventId, quantity, ...replaces }, Hold, {
      headers: { 'idempotency-key': await orderKeyFor(key) },
    });
  try {
    const held = await send().catch((error: unknown) => {
      if (!isStrangeKey(error)) throw error;
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

/** Holds so many tickets, by the short way and before any payment. Those held already are kept, or exchanged in one decision. */
export const hold = (eventId: number, quantity: number): Promise<Hold> =>
  inTurn(eventId, async () => {
    // Its answer was lost: first of all, what became of it.
    if (orderMemory.get(eventId)?.asked) await ask(eventId);
    const { order } = orderMemory.get(eventId) ?? {};
    if (order?.quantity === quantity) return order;
    const anew = () => {
      orderMemory.set(eventId, { asked: { key: crypto.randomUUID(), quantity } });
      return ask(eventId);
    };
    return anew().catch((error: unknown) => {
      if (!order || !isOver(error)) throw error;
      return anew(); // what was to be exchanged is gone
    });
  });

/** The money of this order has moved: it is not paid again. */
export class AlreadyPaid extends Error {}

const statusOf = async ({ orderId, accessKey }: Hold) =>
  (await get(`/api/orders/${orderId}`, Order, { headers: keyHeaders(accessKey) })).status;

/** A payment for held tickets. Tickets that are no longer held are held anew, once; those that were paid for meanwhile are not. */
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
  const intent = await post(
    '/api/create-ticket-payment-intent',
    { eventId, quantity, ticketHolderName: name.trim(), ticketHolderEmail: email.trim(), orderId, accessKey },
    TicketPaymentIntent,
  );
  orderMemory.set(eventId, { order: Hold.parse(intent), isPaying: true });
  return intent;
}

/** Ten more minutes, once. */
export const extendHold = ({ orderId, accessKey }: Hold): Promise<Hold> =>
  post(`/api/holds/${orderId}/extension`, undefined, Hold, { headers: keyHeaders(accessKey) });

/** The tickets go back on sale; their payment, if there is one, is closed before. */
export const giveBack = (eventId: number): Promise<void> =>
  // After a hold that is being asked for: its answer may still come.
  inTurn(eventId, async () => {
    const order = orderMemory.get(eventId)?.order;
    if (!order) return;
    await del(`/api/holds/${order.orderId}`, undefined, { headers: keyHeaders(order.accessKey) });
    orderMemory.clear(eventId);
  });

export const processPurchase = (paymentIntentId: string): Promise<TicketPurchaseResult> =>
  post('/api/process-ticket-purchase', { paymentIntentId }, TicketPurchaseResult);
