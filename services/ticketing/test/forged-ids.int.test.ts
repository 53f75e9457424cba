import { expect, test } from 'vitest';
import { uuidFrom } from '@beltway/event-store';
import { call, guestKey, onSale, startCheckout } from './support.ts';

test('who knows the id of a guest’s order (it is printed on each ticket) does not get its secret by asking for the same hold', async () => {
  const { url } = await onSale(20);
  const order = (await startCheckout({ url })).body;
  const stranger = await call(url, 'POST', '/api/holds', {
    body: { eventId: 42, quantity: 2, orderId: order.orderId },
  });
  expect(stranger.status).toBe(400);
  expect(JSON.stringify(stranger.body)).not.toContain(order.accessKey);
});

test("the id of the command that will sell another buyer's tickets cannot be used first", async () => {
  const ticketing = await onSale(20);
  const { url, fake } = ticketing;
  const order = (await startCheckout({ url })).body;
  const stolen = uuidFrom(`sell:${order.paymentIntentId}`);
  await call(url, 'POST', '/api/holds', { body: { eventId: 42, quantity: 1, orderId: stolen } });
  await call(url, 'POST', '/api/holds', {
    headers: { 'idempotency-key': guestKey(stolen) },
    body: { eventId: 42, quantity: 1 },
  });
  fake.become(order.paymentIntentId, 'succeeded');
  const done = await call(url, 'POST', '/api/process-ticket-purchase', {
    body: { paymentIntentId: order.paymentIntentId },
  });
  expect(done.body.status).toBe('fulfilled');
});
