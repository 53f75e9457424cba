import { createHmac, randomUUID } from 'node:crypto';
import type { Client } from './client.ts';

/** Age of a stale webhook in seconds. Webhooks are accepted for 300 seconds. */
const STALE = 3_600;

/** A signature in the provider's format, with a random secret, because a forger does not know the real one. */
function signature(payload: string, at: number): string {
  const digest = createHmac('sha256', `whsec_${randomUUID()}`).update(`${at}.${payload}`).digest('hex');
  return `t=${at},v1=${digest}`;
}

/**
 * Forges success webhooks for a payment intent that is not paid: unsigned, with a nonsense signature, and signed with a
 * guessed secret (fresh and stale).
 */
export async function forgeWebhooks(
  client: Client,
  { paymentId, amount, key }: { paymentId: string; amount: number; key: string },
): Promise<void> {
  const now = Math.floor(Date.now() / 1_000);
  const body = {
    ...{ id: `evt_${randomUUID()}`, object: 'event', type: 'payment_intent.succeeded', created: now, livemode: false },
    data: {
      object: {
        ...{ id: paymentId, object: 'payment_intent', status: 'succeeded', created: now, currency: 'usd' },
        ...{ amount, amount_received: amount, metadata: {} },
      },
    },
  };
  const payload = JSON.stringify(body);
  const signatures = [undefined, 'nonsense', signature(payload, now), signature(payload, now - STALE)];
  await Promise.all(
    signatures.map((signed) =>
      client.once({
        path: '/api/stripe/webhook',
        body,
        ...(signed && { headers: { 'stripe-signature': signed } }),
        asked: { call: 'forge', key, paymentId },
      }),
    ),
  );
}
