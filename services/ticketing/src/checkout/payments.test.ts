import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { instances } from '@beltway/kit/instances';
import { paymentsClient } from './payments.ts';

const closing: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const payment = (paymentId: string, status: string) => ({
  paymentId,
  orderId: '0192f8a4-5b1c-7c3d-8e4f-000000000001',
  eventId: 7,
  amountCents: 2_550,
  status,
});

/** A fake payments service. Payments in `final` are decided. Each of the other payments needs a separate call. */
async function payments(final: string[], { status = 200 } = {}) {
  const asked: string[] = [];
  const server = createServer(async (req, res) => {
    let text = '';
    for await (const chunk of req) text += String(chunk);
    asked.push(`${req.url} ${text}`);
    const answer = (code: number, body: object) =>
      res.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (status !== 200) return void answer(status, { code: 'unavailable', detail: 'Not now.' });
    if (req.url === '/internal/payments/decided') {
      const { paymentIds } = JSON.parse(text) as { paymentIds: string[] };
      return void answer(200, {
        payments: final.filter((id) => paymentIds.includes(id)).map((id) => payment(id, 'succeeded')),
      });
    }
    answer(200, payment(req.url!.split('/')[3]!, 'open'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, client: paymentsClient(instances({ service: 'payments', urls: [url] }), 'a-token') };
}

test('decided payments are fetched in one batch; each of the other payments is fetched with a separate call', async () => {
  const { client, asked } = await payments(['pi_a', 'pi_c']);
  const settled = await Promise.all(['pi_a', 'pi_b', 'pi_c'].map((id) => client.settle(id)));
  expect(settled).toEqual([payment('pi_a', 'succeeded'), payment('pi_b', 'open'), payment('pi_c', 'succeeded')]);
  expect(asked).toEqual([
    '/internal/payments/decided {"paymentIds":["pi_a","pi_b","pi_c"]}',
    '/internal/payments/pi_b/settle {}',
  ]);
});

test('payments that are unavailable now are not requested twice', async () => {
  const { client, asked } = await payments([], { status: 503 });
  await expect(client.settle('pi_a')).rejects.toMatchObject({ status: 503, transient: true });
  expect(asked.length).toBe(1);
});
