import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdBusinessInfo, AdPackageId } from '@beltway/contracts/payments/ads';
import { keepAdOrder } from '../src/ads/orders.ts';
import type { Bought } from '../src/payment/bought.ts';
import { requestPayment, settlePayment } from '../src/payment/actions.ts';
import { openPayments } from '../src/payment/stream.ts';
import { rebuild } from '../src/rebuild.ts';
import { reconcile } from '../src/work/reconciler.ts';
import { forgiveUnfulfilled, leavePartRefund, ordersOf, type Orders } from './orders.ts';
import { startStack, type Stack } from './stack.ts';

let stack: Stack;
let orders: Orders;
beforeAll(async () => {
  stack = await startStack();
  orders = ordersOf(stack);
});
afterAll(() => stack.stop());

const balance = async (id: string) =>
  Object.fromEntries(
    (
      await stack.query<{ account: string; cents: number }>(
        'select account, sum(amount_cents)::int as cents from ledger_entries where payment_id = $1 group by account',
        [id],
      )
    ).map(({ account, cents }) => [account, cents]),
  );

const BUSINESS = AdBusinessInfo.parse({ businessName: 'The Wharf', contactEmail: 'olga@example.com' });

async function ask(bought: Bought, amountCents = 2_999, id: string = randomUUID()) {
  const terms = { id, amountCents, bought, organizerId: null, buyerId: 9 };
  const asked = { terms, description: 'Promotion', receiptEmail: 'olga@example.com' };
  if (bought.purpose === 'ad')
    await keepAdOrder(stack.pool, {
      id,
      packageId: AdPackageId.parse(bought.packageId),
      userId: 9,
      language: 'en',
      ...BUSINESS,
    });
  return { id, ...(await requestPayment(stack.deps, asked, id)) };
}

const featured: Bought = { purpose: 'promotion', eventId: 7, level: 'featured' };
const livestream = {
  ...{ startTime: '2099-12-06T00:00:00.000Z', endTime: '2099-12-06T03:00:00.000Z', maxViewers: 500 },
  ...{ chatEnabled: true, recordingEnabled: false, eventStartsAt: '2099-12-06T00:00:00.000Z' },
};
const ours: Array<[Bought, object]> = [
  [featured, { purpose: 'promotion', eventId: '7', level: 'featured' }],
  [
    { purpose: 'livestream', eventId: 7, livestream },
    { purpose: 'livestream', eventId: '7', livestream: JSON.stringify(livestream) },
  ],
  [
    { purpose: 'ad', packageId: 'banner-7d' },
    { purpose: 'ad', packageId: 'banner-7d' },
  ],
];

test.each(ours)(
  '%o is wholly the platform’s income, with the same result by browser, webhook and reconciler',
  async (bought, kept) => {
    const roads: Array<(paymentId: string) => Promise<unknown>> = [
      (paymentId) => settlePayment(stack.deps, paymentId),
      async (paymentId) => {
        for (const event of await stack.providerEvents(paymentId)) expect((await stack.tell(event)).status).toBe(200);
      },
      async (paymentId) => {
        const statusOf = async () =>
          (
            await stack.query<{ status: string }>('select status from payments where stripe_payment_intent_id = $1', [
              paymentId,
            ])
          )[0];
        while ((await statusOf())?.status !== 'succeeded')
          await reconcile(stack.deps, 0, { pauseMs: 1, maxPauseMs: 1 });
      },
    ];
    for (const [n, road] of roads.entries()) {
      const { id, paymentId } = await ask(bought);
      const intent = await stack.stripe.paymentIntents.retrieve(paymentId);
      expect(intent.metadata).toEqual({ ...kept, orderId: id, buyerId: '9' });
      await stack.pay(paymentId);
      await road(paymentId);
      // The other two ways also report the payment.
      for (const other of roads.filter((_, at) => at !== n)) await other(paymentId);
      expect(await stack.events(id)).toEqual(['PaymentRequested', 'PaymentSucceeded']);
      expect(await balance(id)).toEqual({ provider: 2_999, [`platform:${bought.purpose}`]: -2_999 });
    }
  },
);

test('a payment that was not recorded here is recorded with its purchase when only a webhook arrives', async () => {
  const id = randomUUID();
  const terms = { id, amountCents: 2_999, bought: featured, organizerId: null, buyerId: 9 };
  const wording = { description: 'Promotion', receiptEmail: 'olga@example.com' };
  const intent = await stack.deps.provider.request(terms, wording, `beltway-payment-${id}`);
  await stack.pay(intent.id);
  for (const event of await stack.providerEvents(intent.id)) await stack.tell(event);
  expect(await stack.events(id)).toEqual(['PaymentRequested', 'PaymentSucceeded']);
  const [row] = await stack.query(
    'select purpose, promotion_type, event_id, organizer_id from payments where id = $1',
    [id],
  );
  expect(row).toEqual({ purpose: 'promotion', promotion_type: 'featured', event_id: 7, organizer_id: null });
});

test('promotions are published to the catalog alone; ticketing neither receives, settles nor cancels them', async () => {
  const { id, paymentId } = await ask(featured);
  await stack.pay(paymentId);
  expect(await stack.settle(paymentId)).toMatchObject({ status: 404 });
  expect(await stack.cancel(paymentId)).toMatchObject({ status: 404 });
  expect((await stack.call('POST', '/internal/payments/decided', { paymentIds: [paymentId] })).body).toEqual({
    payments: [],
  });
  const said = (await stack.heard()).filter(({ key }) => key === `payment-${id}`);
  expect(said.map(({ type, data }) => [type, data])).toEqual([
    ['payments.promotion-paid', { promotionId: id, paymentId, eventId: 7, level: 'featured', amountCents: 2_999 }],
  ]);
});

test('the same payment cannot be requested again for something else', async () => {
  const { id } = await ask(featured);
  await expect(ask({ ...featured, level: 'premium' }, 2_999, id)).rejects.toMatchObject({ code: 'payment-changed' });
  await expect(ask(featured, 1, id)).rejects.toMatchObject({ code: 'payment-changed' });
});

const askPart = (payment: Awaited<ReturnType<Orders['paid']>>, cents: number, requestId: string = randomUUID()) =>
  stack
    .say('refund-requested', {
      ...{ orderId: payment.order.orderId, eventId: 7, quantity: 1, paymentId: payment.paymentId },
      ...{ amountCents: cents, reason: 'asked', requestId },
    })
    .then(() => requestId);
const partOf = async (requestId: string) =>
  (await stack.query<{ status: string }>('select status from part_refunds where request_id = $1', [requestId]))[0]
    ?.status;
const partIs = (requestId: string, status: string) =>
  stack.eventually(async () => (await partOf(requestId)) === status, {
    what: `part ${status}`,
    timeoutMs: 15_000,
  });

test('a requested partial refund is made once, however often it is requested and reported, and raises no alert', async () => {
  const payment = await orders.paid();
  await orders.purchased(payment);
  const requestId = await askPart(payment, 1_000);
  await partIs(requestId, 'refunded');
  await askPart(payment, 1_000, requestId);
  for (const event of await stack.providerEvents(payment.paymentId)) await stack.tell(event);
  const { data } = await stack.stripe.refunds.list({ payment_intent: payment.paymentId });
  expect(data.map(({ amount, metadata }) => [amount, metadata?.['refundRequestId']])).toEqual([[1_000, requestId]]);
  expect(await balance(payment.order.orderId)).toEqual({ provider: 4_099, platform: -205, 'organizer:3': -3_894 });
  expect(await stack.query('select 1 from alerts where payment_id = $1', [payment.order.orderId])).toEqual([]);
  const said = (await stack.heard()).filter(
    ({ key, type }) => key === `payment-${payment.order.orderId}` && type === 'payments.payment-partly-refunded',
  );
  expect(said).toMatchObject([{ data: { requestId, partCents: 1_000, returnedCents: 1_000 } }]);
});

test('refunds of two parts and then of the whole payment return each cent once', async () => {
  const payment = await orders.paid();
  await orders.purchased(payment);
  const [one, two] = await Promise.all([askPart(payment, 1_000), askPart(payment, 2_000)]);
  await orders.askRefund(payment, 'event-canceled');
  await orders.until(payment.order.orderId, 'PaymentRefunded');
  const { data } = await stack.stripe.refunds.list({ payment_intent: payment.paymentId });
  expect(data.reduce((sum, { amount }) => sum + amount, 0)).toBe(5_099);
  for (const part of [one, two]) expect(['refunded', 'covered']).toContain(await partOf(part));
  expect(await balance(payment.order.orderId)).toEqual({ provider: 0, platform: 0, 'organizer:3': 0 });
});

test('when all parts are refunded, nothing is left to return by hand', async () => {
  const payment = await orders.paid();
  await orders.purchased(payment);
  const parts = await Promise.all([askPart(payment, 3_000), askPart(payment, 2_099)]);
  for (const part of parts) await partIs(part, 'refunded');
  const said = (await stack.heard()).filter(({ key }) => key === `payment-${payment.order.orderId}`);
  expect(said.map(({ type }) => type)).not.toContain('payments.money-withdrawn');
});

test('a part that is larger than the payment is refused, and nothing is refunded', async () => {
  const payment = await orders.paid();
  const requestId = await askPart(payment, 5_100);
  const after = await askPart(payment, 100);
  await partIs(after, 'refunded');
  expect(await partOf(requestId)).toBeUndefined();
  expect(await balance(payment.order.orderId)).toMatchObject({ provider: 4_999 });
});

test('a partial refund that fails days later is repeated', async () => {
  const payment = await orders.paid('pm_card_refundFail');
  await orders.purchased(payment);
  const requestId = await askPart(payment, 1_000);
  await partIs(requestId, 'refunded');
  await stack.eventually(
    async () => {
      for (const event of await stack.providerEvents(payment.paymentId)) await stack.tell(event);
      return (await stack.events(payment.order.orderId)).includes('RefundReversed');
    },
    { what: 'the reversal' },
  );
  await stack.eventually(
    async () => (await stack.stripe.refunds.list({ payment_intent: payment.paymentId })).data.length > 1,
    { what: 'another refund' },
  );
});

test('decider, projection, rebuild and relay replay a log with the same result', async () => {
  const said = async (ids: string[]) =>
    (await stack.heard())
      .filter(({ key }) => ids.some((id) => key === `payment-${id}`))
      .map(({ type, data }) => ({ type, data }));
  const [open, paid, refunded, partly] = await Promise.all([
    stack.request({ ...(await orders.paid()).order, orderId: randomUUID() }).then(() => undefined),
    orders.paid(),
    orders.paid(),
    orders.paid(),
  ]);
  expect(open).toBeUndefined();
  await orders.purchased(paid);
  await orders.until(paid.order.orderId, 'PaymentFulfilled');
  await orders.askRefund(refunded);
  await orders.until(refunded.order.orderId, 'PaymentRefunded');
  await stack.dashboard(`/intents/${partly.paymentId}/refund`, { amount: 99 });
  for (const event of await stack.providerEvents(partly.paymentId)) await stack.tell(event);
  await orders.until(partly.order.orderId, 'PaymentPartlyRefunded');
  const ids = [paid, refunded, partly].map(({ order }) => order.orderId);
  const before = await said(ids);
  // The decider replays the events like a restarted process.
  const restarted = openPayments(stack.store);
  const { terms, fulfilled } = await restarted.read(paid.order.orderId, (state) => ({
    terms: state.terms,
    fulfilled: state.fulfilled,
  }));
  expect({ fulfilled, terms }).toMatchObject({
    fulfilled: true,
    terms: {
      id: paid.order.orderId,
      organizerId: 3,
      bought: { purpose: 'tickets', orderId: paid.order.orderId, eventId: 7 },
    },
  });
  const requestId = randomUUID();
  await leavePartRefund(stack, requestId);
  const { paymentId } = paid;
  await restarted.handle(
    paid.order.orderId,
    { type: 'RequestPartRefund', requestId, paymentId, cents: 1_000, reason: 'asked' },
    { commandId: randomUUID() },
  );
  await restarted.handle(
    paid.order.orderId,
    { type: 'RecordRefund', paymentId, terms: null, refundId: 're_new', amountCents: 1_000, requestId },
    { commandId: randomUUID() },
  );
  await restarted.drain();
  const promoted = await ask(featured);
  await stack.pay(promoted.paymentId);
  await settlePayment(stack.deps, promoted.paymentId);

  const { tables } = await rebuild(stack.databaseUrl);
  expect(tables.filter((table) => table.before !== table.after)).toEqual([]);
  expect(await balance(paid.order.orderId)).toEqual({ provider: 4_099, platform: -205, 'organizer:3': -3_894 });
  // If the relay reads the events a second time, it publishes the same messages.
  const { publishPayment } = await import('../src/payment/publish.ts');
  const events = await stack.query<{ stream: string; version: number; type: string; data: object }>(
    'select stream, version::int, type, data from events where stream = any($1) order by position',
    [ids.map((id) => `payment-${id}`)],
  );
  const place = { userId: null, correlationId: 'c', causationId: 'c', occurredAt: new Date() };
  const again = events
    .filter(({ data }) => !('requestId' in data))
    .flatMap((event) => publishPayment({ ...event, ...place, id: event.stream.slice('payment-'.length) }));
  const byKey = (said: Array<{ type: string; data: unknown }>) =>
    Map.groupBy(said, ({ data }) => (data as { orderId: string }).orderId);
  expect(byKey(again.map(({ type, data }) => ({ type, data })))).toEqual(byKey(before));
});

test('no payment of these tests violates an invariant', async () => {
  await forgiveUnfulfilled(stack);
  expect(new Set(Object.values(await stack.invariants()))).toEqual(new Set([0]));
});
