import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OrderPayment } from '@beltway/contracts/orders';
import { ordersOf, type Orders } from './orders.ts';
import { startStack, type Stack } from './stack.ts';

let stack: Stack;
let orders: Orders;
beforeAll(async () => {
  stack = await startStack();
  orders = ordersOf(stack);
});
afterAll(() => stack.stop());

const ofOrder = (orderId: string) => stack.call('GET', `/internal/orders/${orderId}/payment`);

test('of an order is told what was paid, the shares, what went back, its dispute, and what happened', async () => {
  const payment = await orders.paid();
  await orders.purchased(payment);
  const { orderId } = payment.order;
  const requestId = randomUUID();
  await stack.say(
    'refund-requested',
    {
      ...{ orderId, eventId: 7, quantity: 1, paymentId: payment.paymentId },
      ...{ amountCents: 1_000, reason: 'cancelled-by-buyer', requestId },
    },
    randomUUID(),
    'ticketing',
    2,
  );
  await orders.until(orderId, 'PaymentPartlyRefunded');
  await stack.dashboard(`/intents/${payment.paymentId}/dispute`);
  for (const event of await stack.providerEvents(payment.paymentId)) await stack.tell(event);
  const known = OrderPayment.parse((await ofOrder(orderId)).body['payment']);
  expect(known).toMatchObject({
    ...{ paymentId: payment.paymentId, status: 'succeeded', amountCents: 5_099, feeCents: 255, organiserCents: 4_844 },
    ...{ returnedCents: 1_000, disputes: [{ outcome: 'open' }] },
  });
  expect(known.history.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['$50.99 asked for.', '$50.99 paid.', '$10.00 are to go back.', '$10.00 went back.']),
  );
  // Neither a card nor a secret.
  expect(JSON.stringify(known)).not.toMatch(/secret|4242/);
});

test('of an order that nobody paid there is nothing, and a path that is none is refused', async () => {
  expect((await ofOrder(randomUUID())).body).toEqual({ payment: null });
  expect((await ofOrder('x')).status).toBe(400);
});
