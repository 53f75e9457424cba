import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FoundPayments, TimelineOf } from '@beltway/contracts/timelines';
import { ordersOf, type Orders } from './orders.ts';
import { startStack, type Stack } from './stack.ts';

let stack: Stack;
let orders: Orders;
beforeAll(async () => {
  stack = await startStack();
  orders = ordersOf(stack);
});
afterAll(() => stack.stop());

const find = async (q: string) => FoundPayments.parse((await stack.call('POST', '/internal/ops/search', { q })).body);
const timeline = async (id: string) =>
  TimelineOf.parse((await stack.call('GET', `/internal/ops/timelines/${id}`)).body);

test('a payment is found by its id, its intent and a refund of it, and its timeline has each of its events', async () => {
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
  for (const q of [orderId, orderId.toUpperCase(), payment.paymentId, requestId])
    expect((await find(q)).payments, q).toMatchObject([
      { id: orderId, paymentId: payment.paymentId, purpose: 'tickets', amountCents: 5_099 },
    ]);
  const { known, steps } = await timeline(orderId);
  expect(known).toBe(true);
  const types = await stack.deps.pool.query<{ type: string }>(
    'select type from events where stream = $1 order by version',
    [`payment-${orderId}`],
  );
  expect(steps.map(({ type }) => type)).toEqual(types.rows.map(({ type }) => type));
  expect(steps.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['$50.99 paid.', 'What was paid for was handed over.', '$10.00 went back.']),
  );
  expect(JSON.stringify(steps)).not.toMatch(/secret|4242/);
});

test('what is nobody’s finds nothing, and bad input is refused', async () => {
  for (const q of [randomUUID(), 'pi_unknown', 'ann@example.test', '%', "'; drop table payments; --"])
    expect(await find(q), q).toEqual({ payments: [] });
  expect(await timeline(randomUUID())).toEqual({ known: false, steps: [], isCut: false });
  expect((await stack.call('GET', '/internal/ops/timelines/x')).status).toBe(400);
  for (const body of [{}, { q: '' }, { q: 'x'.repeat(255) }, { q: ['x'] }])
    expect((await stack.call('POST', '/internal/ops/search', body)).status).toBe(400);
  const stranger = { 'x-internal-token': 'x'.repeat(40) };
  expect((await stack.call('POST', '/internal/ops/search', { q: 'x' }, stranger)).status).toBe(403);
});
