import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { metricsText } from '@beltway/kit/metrics';
import { probe, shownProbe } from './probe.ts';

const ORDER = '00000000-0000-4000-8000-000000000001';
const ANSWERS: Record<string, unknown> = {
  'GET /api/events': [1, 2].map((id) => ({ id, hasTickets: true, ticketSalesEnabled: true })),
  'GET /api/events/1/availability': { capacity: 10, sold: 2, held: 1 },
  'GET /api/events/2/availability': { capacity: 20, sold: 2, held: 1 },
  'POST /api/order-keys': { key: 'k' },
  'POST /api/holds': { orderId: ORDER, accessKey: 'a' },
  'POST /api/create-ticket-payment-intent': { clientSecret: 's', paymentIntentId: 'pi_1' },
  'GET /api/config': { payments: { sandbox: false, publishableKey: 'pk_live_1' } },
  [`DELETE /api/holds/${ORDER}`]: undefined,
};

const started: Array<() => void> = [];
afterEach(() => started.splice(0).forEach((end) => end()));

/** A stub of the site, in which the given calls fail. */
async function site(...failing: string[]) {
  const calls: string[] = [];
  const held: unknown[] = [];
  const server = createServer((req, res) => {
    const call = `${req.method} ${req.url}`;
    calls.push(call);
    let body = '';
    req.on('data', (chunk) => (body += chunk));
    req.on('end', () => {
      if (call === 'POST /api/holds') held.push(JSON.parse(body));
      if (failing.includes(call)) return res.writeHead(503).end('away');
      const isKnown = Object.hasOwn(ANSWERS, call);
      return res.writeHead(isKnown ? 200 : 404).end(isKnown ? JSON.stringify(ANSWERS[call]) : 'unknown');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  started.push(() => server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls, held };
}

const release = `DELETE /api/holds/${ORDER}`;
const shown = async () =>
  Object.fromEntries(
    [...(await metricsText()).matchAll(/^probe_success\{step="(\w+)"\} (\d)$/gm)].map(([, step, ok]) => [step, ok]),
  );

test('the probe holds a ticket of the event with the most tickets left, and releases it', async () => {
  const { url, calls, held } = await site();
  expect(await shownProbe({ url })).toBeUndefined();
  expect(held).toEqual([{ eventId: 2, quantity: 1 }]);
  expect(calls.at(-1)).toBe(release);
  expect(await shown()).toEqual({ browse: '1', hold: '1', intent: '1', release: '1' });
});

test('a failed step is shown with all later steps, and the hold is still released', async () => {
  const { url, calls } = await site('POST /api/create-ticket-payment-intent');
  expect(await shownProbe({ url, eventId: 1 })).toBe(
    'intent: POST /api/create-ticket-payment-intent answered 503: away',
  );
  expect(calls.at(-1)).toBe(release);
  expect(await shown()).toEqual({ browse: '1', hold: '1', intent: '0', release: '0' });
});

test('the probe never pays on a site that accepts real cards', async () => {
  const { url, calls } = await site();
  await expect(probe({ url, buy: true })).rejects.toThrow('buy: this site takes real cards');
  expect(calls.filter((call) => call.includes('/sandbox/') || call.includes('process'))).toEqual([]);
  expect(calls.at(-1)).toBe(release);
});
