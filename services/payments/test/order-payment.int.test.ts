import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OrderPayment } from '@beltway/contracts/ticketing/orders';
import { ordersOf, type Orders } from './orders.ts';
import { startStack, type Stack } from './stack.ts';

let stack: Stack;
let orders: Orders;
beforeAll(async () => {
  stack = await startStack();
  orders = ordersOf(stack);
});
afterAll(() => stack.stop());

const ofOrder = (orderId: string, query = '') => stack.call('GET', `/internal/orders/${orderId}/payment${query}`);

test("an order's payment shows the amount, shares, refunds, dispute and history", async () => {
  const payment = await orders.paid();
  await orders.purchased(payment);
  const { orderId } = payment.order;
  const requestId = randomUUID();
  await stack.say('refund-requested', {
    ...{ orderId, eventId: 7, quantity: 1, paymentId: payment.paymentId },
    ...{ amountCents: 1_000, reason: 'canceled-by-buyer', requestId },
  });
  await orders.until(orderId, 'PaymentPartlyRefunded');
  await stack.dashboard(`/intents/${payment.paymentId}/dispute`);
  for (const event of await stack.providerEvents(payment.paymentId)) await stack.tell(event);
  const known = OrderPayment.parse((await ofOrder(orderId)).body['payment']);
  expect(known).toMatchObject({
    ...{ paymentId: payment.paymentId, status: 'succeeded', amountCents: 5_099, feeCents: 255, organizerCents: 4_844 },
    ...{ returnedCents: 1_000, disputes: [{ outcome: 'open' }] },
  });
  expect(known.history.map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      '$50.99 requested.',
      '$50.99 paid.',
      'A refund of $10.00 was requested.',
      '$10.00 was refunded.',
    ]),
  );
  const inSpanish = OrderPayment.parse((await ofOrder(orderId, '?language=es')).body['payment']);
  expect(inSpanish.history.map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      ...[
        'Se pidió el pago de $50.99.',
        'Se pagaron $50.99.',
        'Se pidió un reembolso de $10.00.',
        'Se reembolsaron $10.00.',
      ],
    ]),
  );
  expect(inSpanish.history.map(({ at, type }) => [at, type])).toEqual(known.history.map(({ at, type }) => [at, type]));
  expect(await ofOrder(orderId, '?language=fr')).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'language' }] },
  });
  // The response contains neither a card nor a secret.
  expect(JSON.stringify(known)).not.toMatch(/secret|4242/);
});

test('an owed refund that the bank refuses is announced as retried; a manual refund is not', async () => {
  const { order, paymentId } = await orders.paid();
  const { orderId } = order;
  const refuse = (refundId: string) =>
    stack.deps.payments.handle(
      orderId,
      { type: 'RecordRefundFailure', paymentId, terms: null, refundId, amountCents: 1_000, code: 'expired_card' },
      { commandId: refundId, correlationId: orderId },
    );
  const texts = async () =>
    OrderPayment.parse((await ofOrder(orderId)).body['payment']).history.map(({ text }) => text);
  await refuse(`re_${randomUUID()}`);
  expect((await texts()).at(-1)).toBe('The bank refused a refund.');
  // While the provider is down, the owed refund cannot be made.
  await stack.away();
  await stack.deps.payments.handle(
    orderId,
    { type: 'RequestRefund', paymentId, amountCents: order.amountCents, reason: 'too-late' },
    { commandId: randomUUID(), correlationId: orderId },
  );
  await refuse(`re_${randomUUID()}`);
  const told = await texts();
  await stack.back();
  expect(told).toContain('The bank refused a refund. We’re trying again.');
});

test('an order without a payment has none, and a malformed path is refused', async () => {
  expect((await ofOrder(randomUUID())).body).toEqual({ payment: null });
  expect((await ofOrder('x')).status).toBe(400);
});
