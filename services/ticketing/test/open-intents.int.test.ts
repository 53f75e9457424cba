import { expect, test } from 'vitest';
import { expireHolds, settleLapsedPayments } from '../src/checkout/expire-holds.ts';
import { call, onSale, startCheckout } from './support.ts';

const MINUTE = 60_000;

async function setup(capacity: number) {
  const ticketing = await onSale(capacity);
  const { url, rows } = ticketing;
  const checkOut = (quantity: number, order?: { orderId: string; accessKey: string }) =>
    startCheckout(ticketing, { quantity, ...(order && { orderId: order.orderId, accessKey: order.accessKey }) });
  const hold = async (quantity: number, replaces?: { orderId: string; accessKey: string }) =>
    call(url, 'POST', '/api/holds', {
      body: {
        eventId: 42,
        quantity,
        ...(replaces && { replaces: { orderId: replaces.orderId, accessKey: replaces.accessKey } }),
      },
    });
  const statuses = async () =>
    Object.fromEntries(
      (await rows('select order_id, status from orders')).map((row) => [row['order_id'], row['status']]),
    );
  return { ...ticketing, checkOut, hold, statuses };
}

test('an exchange closes the intent of the old order first, so that no buyer pays twice', async () => {
  const { checkOut, hold, fake, statuses } = await setup(10);
  const old = (await checkOut(2)).body;
  const exchanged = await hold(3, old);
  expect(exchanged.status).toBe(201);
  expect(fake.intents.get(old.paymentIntentId)?.status).toBe('canceled');
  expect(await statuses()).toEqual({ [old.orderId]: 'released', [exchanged.body.orderId]: 'held' });
});

test('an order that turns out to be paid is sold, not exchanged', async () => {
  const { checkOut, hold, fake, statuses } = await setup(10);
  const old = (await checkOut(2)).body;
  fake.become(old.paymentIntentId, 'succeeded');
  expect(await hold(3, old)).toMatchObject({ status: 409, body: { code: 'already-paid' } });
  expect(await statuses()).toEqual({ [old.orderId]: 'fulfilled' });
});

test('an order whose payment is in progress is neither exchanged nor given back', async () => {
  const { checkOut, hold, fake, statuses, url } = await setup(10);
  const old = (await checkOut(2)).body;
  fake.become(old.paymentIntentId, 'processing');
  expect(await hold(3, old)).toMatchObject({ status: 409, body: { code: 'payment-under-way' } });
  const headers = { 'x-order-key': old.accessKey };
  expect((await call(url, 'DELETE', `/api/holds/${old.orderId}`, { headers })).body.code).toBe('payment-under-way');
  fake.state.down = true;
  expect((await hold(3, old)).status).toBe(503);
  expect(await statuses()).toEqual({ [old.orderId]: 'held' });
});

test('an order that was given back can no longer be paid', async () => {
  const { checkOut, fake, url, statuses } = await setup(10);
  const order = (await checkOut(2)).body;
  const given = await call(url, 'DELETE', `/api/holds/${order.orderId}`, {
    headers: { 'x-order-key': order.accessKey },
  });
  expect(given.status).toBe(204);
  expect(fake.intents.get(order.paymentIntentId)?.status).toBe('canceled');
  expect(await statuses()).toEqual({ [order.orderId]: 'released' });
});

test('after an exchange is refused for lack of tickets, the old order can still be paid', async () => {
  const { checkOut, hold, fake, url, statuses } = await setup(3);
  const old = (await checkOut(2)).body;
  expect((await hold(4, old)).body.code).toBe('not-enough-left');
  const again = (await checkOut(2, old)).body;
  expect(again.orderId).toBe(old.orderId);
  fake.become(again.paymentIntentId, 'succeeded');
  const body = { paymentIntentId: again.paymentIntentId };
  expect((await call(url, 'POST', '/api/process-ticket-purchase', { body })).body.status).toBe('fulfilled');
  expect(await statuses()).toEqual({ [old.orderId]: 'fulfilled' });
});

test('an intent that took longer than its hold lasted is not returned', async () => {
  const { hold, checkOut, deps, fake, time, reconcile: round } = await setup(3);
  const held = (await hold(1)).body;
  const ask = fake.payments.request;
  deps.payments.request = async (payment) => {
    time.offsetMs = 11 * MINUTE;
    await round();
    return ask(payment);
  };
  const answer = await checkOut(1, held);
  expect([answer.status, answer.body.code]).toEqual([409, 'hold-gone']);
});

test('a payment in progress keeps its hold and is checked again later, not at every poll', async () => {
  const { checkOut, deps, fake, time, reconcile: round, rows } = await setup(3);
  const order = (await checkOut(1)).body;
  fake.become(order.paymentIntentId, 'processing');
  let asked = 0;
  const cancel = fake.payments.cancel;
  deps.payments.cancel = (paymentId) => (asked++, cancel(paymentId));
  time.offsetMs = 11 * MINUTE;
  for (let n = 0; n < 5; n++) await round();
  expect(asked).toBe(1);
  expect(await rows('select status from orders')).toEqual([{ status: 'held' }]);
  fake.become(order.paymentIntentId, 'open'); // the money did not arrive
  time.offsetMs = 22 * MINUTE;
  await round();
  expect(await rows('select status from orders')).toEqual([{ status: 'expired' }]);
});

test('a hold whose intent could not be closed stays until the intent is closed', async () => {
  const { checkOut, deps, fake, time, reconcile: round, rows } = await setup(3);
  const { paymentIntentId } = (await checkOut(1)).body;
  const cancel = fake.payments.cancel;
  deps.payments.cancel = fake.payments.settle; // the provider refuses to cancel during an attempt
  time.offsetMs = 11 * MINUTE;
  await round();
  expect(await rows('select status from orders')).toEqual([{ status: 'held' }]);
  deps.payments.cancel = cancel;
  await round();
  expect(await rows('select status from orders')).toEqual([{ status: 'expired' }]);
  expect(fake.intents.get(paymentIntentId)?.status).toBe('canceled');
});

test('holds that cannot be settled do not block those behind them', async () => {
  const { checkOut, hold, deps, time, statuses } = await setup(5);
  const stuck = [(await checkOut(1)).body, (await checkOut(1)).body];
  const last = (await hold(1)).body;
  time.offsetMs = 11 * MINUTE;
  const payments = {
    ...deps.payments,
    cancel: async () => {
      throw new Error('this payment is broken');
    },
  };
  await settleLapsedPayments({ ...deps, payments }, () => true, 2);
  await expireHolds(deps);
  expect(await statuses()).toEqual({
    [stuck[0].orderId]: 'held',
    [stuck[1].orderId]: 'held',
    [last.orderId]: 'expired',
  });
});
