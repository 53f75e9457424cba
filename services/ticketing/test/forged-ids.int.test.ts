import { expect, test } from 'vitest';
import { uuidFrom } from '@beltway/event-store';
import { call, guestKey, onSale, startCheckout } from './support.ts';

test('a stranger who repeats a hold with the order id from a guest’s ticket does not get its access key', async () => {
  const { url } = await onSale(20);
  const order = (await startCheckout({ url })).body;
  const stranger = await call(url, 'POST', '/api/holds', {
    body: { eventId: 42, quantity: 2, orderId: order.orderId },
  });
  expect(stranger.status).toBe(400);
  expect(JSON.stringify(stranger.body)).not.toContain(order.accessKey);
});

test("a caller cannot block another buyer's purchase by using the id of its SellTickets command first", async () => {
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
