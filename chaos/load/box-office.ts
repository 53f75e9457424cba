import type { Client } from './client.ts';

const MAX_QUANTITY = 10;

/**
 * At the end of a run, requests all remaining tickets of a sale concurrently. Every ticket must be available. The
 * ledger records the results.
 */
export async function buyOut(client: Client, guestKey: string, eventId: number): Promise<void> {
  const { outcome, body } = await client.insist({
    method: 'GET',
    path: `/api/events/${eventId}/availability`,
    asked: { call: 'look', key: `box-office-${eventId}`, eventId },
  });
  if (outcome !== 'acknowledged') throw new Error(`no answer about the availability of sale ${eventId}`);
  const left = Number(body['capacity']) - Number(body['sold']) - Number(body['held']);
  const orders = Array.from({ length: Math.ceil(left / MAX_QUANTITY) }, (_, n) =>
    Math.min(MAX_QUANTITY, left - n * MAX_QUANTITY),
  );
  await Promise.all(
    orders.map((quantity, n) => {
      const key = `box-office-${eventId}-${n}`;
      return client.insist({
        path: '/api/holds',
        body: { eventId, quantity },
        headers: { 'idempotency-key': `${guestKey}.${key}` },
        asked: { call: 'hold', key, eventId, quantity },
        read: (reply) => (typeof reply.body['orderId'] === 'string' ? { orderId: reply.body['orderId'] } : {}),
      });
    }),
  );
}
