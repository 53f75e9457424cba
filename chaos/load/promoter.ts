import { setTimeout as pause } from 'node:timers/promises';
import { cardForm } from './card.ts';
import type { Client, Reply } from './client.ts';
import { forgeWebhooks } from './forger.ts';
import type { PromotionPlan } from './plan.ts';

const CARD = '4242424242424242';
const DECLINED = '4000000000000002';
const HOUR_MS = 3_600_000;
const UNHEARD_TRIES = 20;
const UNHEARD_MS = 300;

export interface Promoter {
  client: Client;
  /** The organizer's token. */
  token: string;
  publishableKey: string;
  stopped: AbortSignal;
}

/** Buys a promotion of the organizer's own event, with the planned outcome. */
export async function promote(
  { client, token, publishableKey, stopped }: Promoter,
  { level, twice, end }: PromotionPlan,
  { eventId, startsAt, key }: { eventId: number; startsAt: number; key: string },
): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const livestreamConfig = {
    startTime: new Date(startsAt).toISOString(),
    endTime: new Date(startsAt + HOUR_MS).toISOString(),
    ...{ maxViewers: 100, chatEnabled: true, recordingEnabled: false },
  };
  const intentOf = ({ body }: Reply): string => String(body['clientSecret'] ?? '').split('_secret')[0] ?? '';
  const ask = () =>
    client.insist({
      path: '/api/create-promotion-payment',
      body: { promotionLevel: level, eventId, ...(level === 'livestream' && { livestreamConfig }) },
      headers,
      asked: { call: 'promote', key, eventId },
      read: (reply) => (reply.outcome === 'acknowledged' ? { paymentId: intentOf(reply) } : {}),
    });
  let [reply] = await Promise.all([ask(), twice ? ask() : undefined]);
  // The payments service receives a new event in a bus message, so the first tries may return 404.
  for (let tries = 0; reply.status === 404 && tries < UNHEARD_TRIES && !stopped.aborted; tries++) {
    await pause(UNHEARD_MS);
    reply = await ask();
  }
  if (reply.outcome !== 'acknowledged') return;
  const paymentId = intentOf(reply);
  // Sends forged webhooks before the payment. If a service accepted such a webhook, the promotion would start without a
  // payment.
  if (end === 'leave' || end === 'decline-then-pay')
    await forgeWebhooks(client, { paymentId, amount: Number(reply.body['amount']), key });
  if (end === 'leave') return;
  const pay = (card: string) =>
    client.insist({
      path: `/sandbox/stripe/v1/payment_intents/${paymentId}/confirm`,
      body: cardForm({ publishableKey, clientSecret: String(reply.body['clientSecret']), card }),
      headers: { 'idempotency-key': `${key}-${paymentId}-${card.slice(-4)}` },
      asked: { call: 'confirm', key, paymentId },
      read: ({ outcome, body }) => (outcome === 'acknowledged' ? { result: String(body['status']) } : {}),
    });
  if (end === 'decline-then-pay') await pay(DECLINED);
  const paid = await pay(CARD);
  if (paid.outcome !== 'acknowledged' || end === 'pay-and-vanish') return;
  await client.insist({
    path: '/api/confirm-promotion-payment',
    body: { paymentIntentId: paymentId },
    headers,
    asked: { call: 'confirm-promotion', key, eventId, paymentId },
    read: ({ outcome, body }) => (outcome === 'acknowledged' ? { result: String(body['status']) } : {}),
  });
}
