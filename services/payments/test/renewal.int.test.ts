import { afterAll, beforeAll, expect, test } from 'vitest';
import { RequestedPayment } from '@beltway/contracts/payments/payments';
import { anOrder, startStack, type Stack } from './stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack.stop());

async function renewed() {
  const order = anOrder();
  const first = RequestedPayment.parse((await stack.request(order)).body);
  await stack.cancel(first.paymentId);
  const second = RequestedPayment.parse((await stack.request(order)).body);
  return { order, first, second };
}

test('an order whose intent was canceled is paid with a new intent, which every repeat returns', async () => {
  const { order, first, second } = await renewed();
  expect(second.paymentId).not.toBe(first.paymentId);
  expect((await stack.request(order)).body).toEqual(second);
  expect(await stack.pay(second.paymentId)).toBe('paid');
  expect((await stack.settle(second.paymentId)).body).toMatchObject({ orderId: order.orderId, status: 'succeeded' });
  expect(await stack.events(order.orderId)).toEqual([
    'PaymentRequested',
    'PaymentCanceled',
    'PaymentRequested',
    'PaymentSucceeded',
  ]);
});

test('concurrent requests for the same renewal make one intent', async () => {
  const order = anOrder();
  const first = RequestedPayment.parse((await stack.request(order)).body);
  await stack.cancel(first.paymentId);
  const answers = await Promise.all(Array.from({ length: 12 }, () => stack.request(order)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(new Set(answers.map(({ body }) => body.paymentId)).size).toBe(1);
});

test('different terms are refused even if the intent was canceled', async () => {
  const { order } = await renewed();
  expect((await stack.request({ ...order, amountCents: 1_00 })).status).toBe(422);
});

test('a late report of the first intent changes nothing, and a request for its state returns `canceled`', async () => {
  const { order, first, second } = await renewed();
  for (const event of await stack.providerEvents(first.paymentId)) expect((await stack.tell(event)).status).toBe(200);
  expect((await stack.settle(first.paymentId)).body).toMatchObject({ orderId: order.orderId, status: 'canceled' });
  expect((await stack.cancel(first.paymentId)).body).toMatchObject({ orderId: order.orderId, status: 'canceled' });
  expect((await stack.settle(second.paymentId)).body.status).toBe('open');
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested', 'PaymentCanceled', 'PaymentRequested']);
});
