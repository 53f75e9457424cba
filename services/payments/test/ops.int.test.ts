import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FoundPayments, TimelineOf } from '@beltway/contracts/ops/timelines';
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

test('a payment is found by its id, its intent and its refund; its timeline has all its events', async () => {
  const payment = await orders.paid();
  await orders.purchased(payment);
  const { orderId } = payment.order;
  const requestId = randomUUID();
  await stack.say('refund-requested', {
    ...{ orderId, eventId: 7, quantity: 1, paymentId: payment.paymentId },
    ...{ amountCents: 1_000, reason: 'canceled-by-buyer', requestId },
  });
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
    expect.arrayContaining(['$50.99 paid.', 'What was paid for was handed over.', '$10.00 was refunded.']),
  );
  expect(JSON.stringify(steps)).not.toMatch(/secret|4242/);
});

test("a payment is found by the provider's ids of its refunds and disputes, even refunds that we did not request", async () => {
  const [refunded, disputed] = [await orders.paid(), await orders.paid('pm_card_createDispute')];
  const refund = await stack.stripe.refunds.create({ payment_intent: refunded.paymentId, amount: 1_000 });
  for (const { paymentId } of [refunded, disputed])
    for (const event of await stack.providerEvents(paymentId)) expect((await stack.tell(event)).status).toBe(200);
  await orders.until(refunded.order.orderId, 'PaymentPartlyRefunded');
  await orders.until(disputed.order.orderId, 'DisputeOpened');
  const [dispute] = (await stack.stripe.disputes.list({ payment_intent: disputed.paymentId })).data;
  expect((await find(refund.id)).payments).toMatchObject([{ id: refunded.order.orderId }]);
  expect((await find(dispute!.id)).payments).toMatchObject([{ id: disputed.order.orderId }]);
  const { rows } = await stack.deps.pool.query<{ 'QUERY PLAN': string }>(
    `explain select substr(stream, 9)::uuid from events where coalesce(data->>'disputeId', data->>'refundId') = 'x'
     and type in ('RefundFailed', 'PaymentRefunded', 'PaymentPartlyRefunded', 'RefundReversed', 'DisputeOpened', 'DisputeLost', 'DisputeWon')
     and stream like 'payment-%'`,
  );
  expect(rows.map((row) => row['QUERY PLAN']).join()).toContain('events_of_provider');
});

test('an unknown id finds nothing, and bad input is refused', async () => {
  for (const q of [
    randomUUID(),
    'pi_unknown',
    're_unknown',
    'dp_unknown',
    're_',
    'xre_unknown',
    're_%%%%%%%%',
    'ann@example.test',
    '%',
    "'; drop table payments; --",
  ])
    expect(await find(q), q).toEqual({ payments: [] });
  expect(await timeline(randomUUID())).toEqual({ known: false, steps: [], isCut: false });
  expect((await stack.call('GET', '/internal/ops/timelines/x')).status).toBe(400);
  for (const body of [{}, { q: '' }, { q: 'x'.repeat(255) }, { q: ['x'] }])
    expect((await stack.call('POST', '/internal/ops/search', body)).status).toBe(400);
  const stranger = { 'x-internal-token': 'x'.repeat(40) };
  expect((await stack.call('POST', '/internal/ops/search', { q: 'x' }, stranger)).status).toBe(403);
});
