import { request } from 'node:http';
import { expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { openPaperWorkers } from '../src/ticket/papers.ts';
import { call, later, onSale, pay, startCheckout, stockOf, type Ticketing, wereSent } from './support.ts';

/** Sells two tickets to Ann; returns a request for their PDF. */
async function sold() {
  const ticketing = await onSale(10);
  const { orderId, accessKey, paymentIntentId } = (await startCheckout(ticketing)).body;
  await pay(ticketing, paymentIntentId);
  const headers = { 'x-order-key': accessKey as string };
  const path = `/api/orders/${orderId}/tickets.pdf`;
  const { url, drawing } = ticketing;
  // Waits for the mail, because it draws the same PDF.
  await eventually(() => wereSent(ticketing, 1));
  drawing.jobs.length = 0;
  return { ticketing, drawing, path, headers, ask: (method = 'GET') => fetch(url + path, { method, headers }) };
}

const hold = (ticketing: Ticketing) =>
  call(ticketing.url, 'POST', '/api/holds', { body: { eventId: 42, quantity: 1 } });

test('the website gets the PDF that was mailed, and a new PDF after the event changed', async () => {
  const { ticketing, drawing, ask } = await sold();
  const [one, other] = await Promise.all([ask(), ask()]);
  expect([one.status, one.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect(await one.bytes()).toEqual(await other.bytes());
  expect(drawing.jobs).toEqual([]);

  await ticketing.rows(`update listings set title = 'Moved' where event_id = 42`);
  expect((await ask()).status).toBe(200);
  expect(drawing.jobs).toMatchObject([{ kind: 'tickets', order: { event: { title: 'Moved' } } }]);
});

test('HEAD has the headers of GET and draws nothing', async () => {
  const { ticketing, drawing, ask } = await sold();
  await ticketing.rows(`update listings set title = 'Moved' where event_id = 42`);
  const head = await ask('HEAD');
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect(drawing.jobs).toEqual([]);
});

test('holds are decided while tickets are drawn, and a drawing is dropped when its reader leaves', async () => {
  const { ticketing, drawing, path, headers } = await sold();
  await ticketing.rows(`update listings set title = 'Moved' where event_id = 42`);
  let signal: AbortSignal | undefined;
  drawing.draw = (_job, abandoned) => {
    signal = abandoned;
    return new Promise((_resolve, reject) => {
      abandoned!.addEventListener('abort', () => reject(abandoned!.reason as Error));
    });
  };
  const reader = request(ticketing.url + path, { headers }).on('error', () => undefined);
  reader.end();
  await eventually(() => signal);
  expect((await hold(ticketing)).status).toBe(201);
  expect((await stockOf(ticketing)).held).toBe(1);

  expect(signal!.aborted).toBe(false);
  reader.destroy();
  await eventually(() => signal!.aborted, { what: 'the end of the drawing' });
});

test('a separate process draws, and ends with the service', async () => {
  const workers = openPaperWorkers();
  later(workers.close);
  expect(workers.size()).toBe(0);
  const [code] = await workers.draw({ kind: 'codes', texts: ['BW1.x'] });
  expect(workers.size()).toBe(1);
  expect(code!.subarray(1, 4).toString('latin1')).toBe('PNG');
  workers.close();
  expect(workers.size()).toBe(0);
  await expect(workers.draw({ kind: 'codes', texts: ['BW1.x'] })).rejects.toMatchObject({ status: 503 });
});
