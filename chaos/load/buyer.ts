import { setTimeout as pause } from 'node:timers/promises';
import { cardForm } from './card.ts';
import type { Client, Reply, Request } from './client.ts';
import type { Attempt } from './plan.ts';

export interface Shop {
  client: Client;
  /** Keys issued by the server. A guest's idempotency key begins with one of these keys. */
  guestKeys: string[];
  /** Base URLs of ticketing's instances, for repeats that bypass the gateway. */
  instances: () => string[];
  publishableKey: string;
  holdMs: number;
}

interface Order {
  orderId: string;
  accessKey: string;
  paymentIntentId: string;
  clientSecret: string;
}

const CARD = '4242424242424242';
const DECLINED = '4000000000000002';
const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
const idsOf = ({ body }: Reply) => {
  const orderId = text(body['orderId']);
  const paymentId = text(body['paymentIntentId']);
  return { ...(orderId && { orderId }), ...(paymentId && { paymentId }) };
};

/** Executes one planned purchase, from the hold to the tickets, and stops when a request is refused. */
export async function buy(
  { client, guestKeys, instances, publishableKey, holdMs }: Shop,
  attempt: Attempt,
  eventId: number,
  token?: string,
  holder = { ticketHolderName: `Buyer ${attempt.n}`, ticketHolderEmail: `buyer.${attempt.n}@example.test` },
): Promise<void> {
  const { n, quantity, end } = attempt;
  const key = `wish-${n}-${eventId}`;
  const orderKey = token ? key : `${guestKeys[n % guestKeys.length]}.${key}`;
  const signed: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const elsewhere = () => instances()[n % Math.max(instances().length, 1)];

  const holdRequest = (amount: number, instance?: string): Request => ({
    path: '/api/holds',
    body: { eventId, quantity: amount },
    headers: { ...signed, 'idempotency-key': orderKey },
    asked: { call: 'hold', key, eventId, quantity: amount },
    instance,
    read: idsOf,
  });
  const intentRequest = (amount: number, instance?: string, order?: Order): Request => ({
    path: '/api/create-ticket-payment-intent',
    body: {
      eventId,
      quantity: amount,
      ...holder,
      ...(order && { orderId: order.orderId, accessKey: order.accessKey }),
    },
    headers: { ...signed, ...(!order && { 'idempotency-key': orderKey }) },
    asked: { call: 'intent', key, eventId, quantity: amount },
    instance,
    read: idsOf,
  });
  const first = attempt.holdsFirst ? holdRequest : intentRequest;

  /** Sends the first request and its planned repeats. */
  async function begin(): Promise<Reply> {
    const other = attempt.repeat === 'elsewhere' || attempt.repeat === 'during' ? elsewhere() : undefined;
    const [reply] = await Promise.all([
      client.insist(first(quantity)),
      attempt.repeat === 'during' ? client.insist(first(quantity, other)) : undefined,
    ]);
    if (attempt.repeat === 'after' || attempt.repeat === 'elsewhere') await client.once(first(quantity, other));
    if (attempt.repeat === 'other-body') await client.once(first((quantity % 10) + 1));
    return reply;
  }

  const opening = (order: Order) => ({ ...signed, 'x-order-key': order.accessKey });
  const confirm = (order: Order, card: string) =>
    client.insist({
      path: `/sandbox/stripe/v1/payment_intents/${order.paymentIntentId}/confirm`,
      body: cardForm({ publishableKey, clientSecret: order.clientSecret, card }),
      headers: { 'idempotency-key': `${key}-${card.slice(-4)}` },
      asked: { call: 'confirm', key, orderId: order.orderId, paymentId: order.paymentIntentId },
      read: ({ outcome, body }) => (outcome === 'acknowledged' ? { result: String(body['status']) } : {}),
    });
  const process = (order: Order, instance?: string) =>
    client.insist({
      path: '/api/process-ticket-purchase',
      body: { paymentIntentId: order.paymentIntentId },
      headers: signed,
      asked: { call: 'process', key, orderId: order.orderId, paymentId: order.paymentIntentId },
      instance,
      read: ({ body }) => ({ result: String(body['status']) }),
    });
  const look = (order: Order) =>
    client.insist({
      method: 'GET',
      path: `/api/orders/${order.orderId}`,
      headers: opening(order),
      asked: { call: 'look', key, orderId: order.orderId },
      read: ({ outcome, body }) =>
        outcome === 'acknowledged'
          ? {
              result: String(body['status']),
              codes: (body['tickets'] as Array<{ ticketCode: string }>).map(({ ticketCode }) => ticketCode),
            }
          : {},
    });

  /** Cancels bought tickets: sends each request twice concurrently, with the same key. */
  async function cancel(order: Order): Promise<void> {
    const seen = await look(order);
    const tickets = seen.outcome === 'acknowledged' ? (seen.body['tickets'] as Array<{ id: string }>) : [];
    const [one] = tickets;
    if (!one) return;
    const refund = (what: 'one' | 'all', instance?: string) =>
      client.insist({
        path: `/api/orders/${order.orderId}/refund`,
        body: what === 'one' ? { ticketIds: [one.id] } : {},
        headers: { ...opening(order), 'idempotency-key': `${key}-${what}` },
        asked: {
          ...{ call: 'refund', key: `${key}-${what}`, eventId, orderId: order.orderId },
          quantity: what === 'one' ? 1 : tickets.length,
        },
        instance,
      });
    const wanted = (['one', 'all'] as const).filter((what) => attempt.cancels.includes(what));
    await Promise.all(wanted.flatMap((what) => [refund(what), refund(what, elsewhere())]));
  }

  let reply = await begin();
  if (reply.outcome !== 'acknowledged') return;
  if (end === 'leave') return;
  const held = reply.body as unknown as Order;
  if (end === 'give-back') {
    await client.insist({
      method: 'DELETE',
      path: `/api/holds/${held.orderId}`,
      headers: opening(held),
      asked: { call: 'give-back', key, orderId: held.orderId },
    });
    return;
  }
  if (attempt.holdsFirst) {
    reply = await client.insist(intentRequest(quantity, undefined, held));
    if (reply.outcome !== 'acknowledged') return;
  }
  const order = { ...held, ...(reply.body as unknown as Order) };
  if (end === 'extend-then-pay')
    await client.insist({
      path: `/api/holds/${order.orderId}/extension`,
      headers: opening(order),
      asked: { call: 'extend', key, eventId, orderId: order.orderId },
    });
  // Late payments arrive shortly before or after the hold ends.
  await pause(end === 'pay-late' ? holdMs - 600 + attempt.thinks * 1.5 : attempt.thinks);
  if (end === 'decline' || end === 'decline-then-pay') {
    await confirm(order, DECLINED);
    if (end === 'decline') return;
  }
  const paid = await confirm(order, CARD);
  if (paid.outcome !== 'acknowledged' || end === 'pay-and-vanish') return;
  await Promise.all([
    process(order),
    attempt.repeat === 'elsewhere' || attempt.repeat === 'during' ? process(order, elsewhere()) : undefined,
  ]);
  if (attempt.looks) await look(order);
  if (attempt.cancels !== 'nothing') await cancel(order);
}
