import { randomUUID } from 'node:crypto';
import { adPackage } from '@beltway/contracts/payments/ads';
import { cardForm } from './card.ts';
import type { Client } from './client.ts';
import type { AdPlan } from './plan.ts';

const CARD = '4242424242424242';
const DECLINED = '4000000000000002';

/**
 * A visitor without an account buys an ad, with the planned outcome. No page reports the payment; only the provider's
 * webhook reports it.
 */
export async function advertise(
  client: Client,
  publishableKey: string,
  { packageId, twice, end }: AdPlan,
  key: string,
): Promise<void> {
  const headers = { 'idempotency-key': randomUUID() };
  const businessInfo = { businessName: 'The Wharf', contactEmail: `${key}@example.test`, eventTitle: 'Go-Go Night' };
  const ask = () =>
    client.insist({
      path: '/api/create-ad-payment-intent',
      body: { packageId, amount: adPackage(packageId)?.cents, businessInfo },
      headers,
      asked: { call: 'advertise', key },
      read: ({ outcome, body }) =>
        outcome === 'acknowledged' ? { paymentId: String(body['clientSecret']).split('_secret')[0] ?? '' } : {},
    });
  const [reply] = await Promise.all([ask(), twice ? ask() : undefined]);
  if (reply.outcome !== 'acknowledged' || end === 'leave') return;
  const clientSecret = String(reply.body['clientSecret']);
  const [paymentId = ''] = clientSecret.split('_secret');
  const pay = (card: string) =>
    client.insist({
      path: `/sandbox/stripe/v1/payment_intents/${paymentId}/confirm`,
      body: cardForm({ publishableKey, clientSecret, card }),
      headers: { 'idempotency-key': `${key}-${paymentId}-${card.slice(-4)}` },
      asked: { call: 'confirm', key, paymentId },
      read: ({ outcome, body }) => (outcome === 'acknowledged' ? { result: String(body['status']) } : {}),
    });
  if (end === 'decline-then-pay') await pay(DECLINED);
  await pay(CARD);
}
