import { createHmac, randomUUID } from 'node:crypto';
import type { Client } from './client.ts';

/** Seconds. The provider's words are believed for 300. */
const STALE = 3_600;

/** What the provider sends, signed as it signs: with a secret that is not ours, for who forges has none. */
function signature(payload: string, at: number): string {
  const digest = createHmac('sha256', `whsec_${randomUUID()}`).update(`${at}.${payload}`).digest('hex');
  return `t=${at},v1=${digest}`;
}

/** Forges webhooks of payments that were never made: unsigned, and signed with guessed secrets. */
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
