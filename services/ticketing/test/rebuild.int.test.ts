import { expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { rebuild } from '../src/rebuild.ts';
import { call, eventState, message, onSale, pay, startCheckout, startTicketing, mailsIn, wereSent } from './support.ts';

test('availability, orders and tickets are the same after a rebuild from the log, and no mail is sent again', async () => {
  const ticketing = await onSale(30);
  const intent = async (quantity: number) => (await startCheckout(ticketing, { quantity })).body;
  for (const quantity of [1, 2, 3]) {
    const { paymentIntentId } = await intent(quantity);
    await pay(ticketing, paymentIntentId);
  }
  const given = await intent(4);
  await call(ticketing.url, 'DELETE', `/api/holds/${given.orderId}`, { headers: { 'x-order-key': given.accessKey } });
  const kept = await intent(2);
  await call(ticketing.url, 'POST', `/api/holds/${kept.orderId}/extension`, {
    headers: { 'x-order-key': kept.accessKey },
  });
  await eventually(() => wereSent(ticketing, 3));

  const { tables, events } = await rebuild(ticketing.databaseUrl);
  expect(events).toBe(16); // opened, 5 held, 5 with a payment, 3 sold, 1 given back, 1 extended
  expect(tables.map(({ table, rows }) => [table, rows])).toEqual([
    ['availability', 1],
    ['orders', 5],
    ['tickets', 6],
    ['order_refunds', 0],
  ]);
  for (const { table, before, after } of tables) expect(after, table).toBe(before);
  expect((await mailsIn(ticketing)).map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
});

test('a sale that was closed before it opened is also open after a rebuild', async () => {
  const ticketing = await startTicketing();
  await ticketing.bus.publish('catalog.events', [
    message('catalog.event-published', 'event-42', eventState(42, 30, { salesEnabled: false, version: 1 })),
    message('catalog.event-updated', 'event-42', eventState(42, 30, { version: 2 })),
  ]);
  await eventually(async () => (await call(ticketing.url, 'GET', '/api/events/42/availability')).status === 200);

  const { tables } = await rebuild(ticketing.databaseUrl);
  for (const { table, before, after } of tables) expect(after, table).toBe(before);
  expect(await ticketing.rows('select closed from availability')).toEqual([{ closed: null }]);
});
