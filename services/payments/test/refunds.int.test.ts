import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AlertPage } from '@beltway/contracts/payments/payments';
import { requestPayment, settlePayment } from '../src/payment/actions.ts';
import type { Bought } from '../src/payment/bought.ts';
import type { Provider } from '../src/provider/provider.ts';
import { ordersOf, type Orders } from './orders.ts';
import { anOrder, startStack, type Stack } from './stack.ts';

let stack: Stack;
let paid: Orders['paid'];
let askRefund: Orders['askRefund'];
let until: Orders['until'];
/** Set by a test: runs after the provider made the refund and before its response arrives. */
let afterRefund: () => void = () => undefined;
/** The statuses that responses contain, instead of the provider's statuses. */
let insteadOfRefund: Array<'failed' | 'pending'> = [];
/**
 * For each payment, refunds of parts that the provider never completes; with the requests that made them, and how often
 * they were listed.
 */
const endless = new Map<string, { status: string; made: string[]; listed: number }>();
let afterRequest: () => void = () => undefined;
/** For each intent, the amount that the provider received, if it differs from the amount requested. */
const received = new Map<string, number>();
let keysUsed: string[] = [];
const endlessRefund = (paymentId: string, requestId: string, status: string) => ({
  ...{ object: 'refund' as const, id: `re_${requestId}`, amount: 1_000, currency: 'usd', status },
  ...{ payment_intent: paymentId, metadata: { refundRequestId: requestId } },
});
const wrap = (provider: Provider): Provider => ({
  ...provider,
  request: async (...args) => {
    const intent = await provider.request(...args);
    afterRequest();
    return intent;
  },
  retrieve: async (paymentId) => {
    const intent = await provider.retrieve(paymentId);
    const cents = received.get(paymentId);
    return cents === undefined ? intent : { ...intent, amount_received: cents };
  },
  refundPart: async (terms, part, key) => {
    const one = endless.get(terms.paymentId);
    if (!one) return provider.refundPart(terms, part, key);
    one.made.push(part.requestId);
    return [endlessRefund(terms.paymentId, part.requestId, one.status)];
  },
  refunds: async (paymentId) => {
    const one = endless.get(paymentId);
    if (!one) return provider.refunds(paymentId);
    one.listed++;
    return one.made.map((requestId) => endlessRefund(paymentId, requestId, one.status));
  },
  refund: async (terms, expectedCents, key) => {
    keysUsed.push(key);
    const status = insteadOfRefund.shift();
    if (status)
      return [
        {
          object: 'refund',
          id: `re_${status}_${terms.paymentId}`,
          amount: terms.amountCents,
          currency: 'usd',
          status,
          payment_intent: terms.paymentId,
        },
      ];
    const refunds = await provider.refund(terms, expectedCents, key);
    afterRefund();
    return refunds;
  },
});
beforeAll(async () => {
  stack = await startStack({ wrap });
  ({ paid, askRefund, until } = ordersOf(stack));
});
afterAll(() => stack.stop());
beforeEach(() => {
  afterRefund = afterRequest = () => undefined;
  keysUsed = [];
  insteadOfRefund = [];
});

const refundsOf = async (paymentId: string) => (await stack.stripe.refunds.list({ payment_intent: paymentId })).data;
const balance = (orderId: string) =>
  stack.query(
    'select account, sum(amount_cents)::int as cents from ledger_entries where payment_id = $1 group by account order by account',
    [orderId],
  );

test('a refund that ticketing requests is made once, in full, and published', async () => {
  const payment = await paid();
  const id = randomUUID();
  await askRefund(payment, 'too-late', id);
  await askRefund(payment, 'too-late', id); // delivered twice
  await askRefund(payment); // sent twice
  await until(payment.order.orderId, 'PaymentRefunded');
  expect(await stack.events(payment.order.orderId)).toEqual([
    'PaymentRequested',
    'PaymentSucceeded',
    'RefundRequested',
    'PaymentRefunded',
  ]);
  const [refund, ...others] = await refundsOf(payment.paymentId);
  expect(refund).toMatchObject({ amount: 5_099, status: 'succeeded', metadata: { orderId: payment.order.orderId } });
  expect(others).toEqual([]);
  expect(await balance(payment.order.orderId)).toEqual([
    { account: 'organizer:3', cents: 0 },
    { account: 'platform', cents: 0 },
    { account: 'provider', cents: 0 },
  ]);
  expect((await stack.settle(payment.paymentId)).body.status).toBe('refunded');
  // The provider's later reports change nothing.
  for (const event of await stack.providerEvents(payment.paymentId)) expect((await stack.tell(event)).status).toBe(200);
  const published = (await stack.heard()).filter(
    ({ data }) => (data as { orderId: string }).orderId === payment.order.orderId,
  );
  expect(published.map(({ type }) => type)).toEqual(['payments.payment-succeeded', 'payments.payment-refunded']);
  expect(published[1]?.data).toEqual({
    paymentId: payment.paymentId,
    orderId: payment.order.orderId,
    eventId: 7,
    amountCents: 5_099,
    refundId: refund?.id,
  });
});

test('a refund requested before the payment is made when the payment arrives', async () => {
  const order = anOrder();
  const { paymentId } = (await stack.request(order)).body as { paymentId: string };
  await askRefund({ order, paymentId });
  await until(order.orderId, 'RefundRequested');
  expect(await refundsOf(paymentId)).toEqual([]);
  await stack.pay(paymentId);
  await stack.settle(paymentId);
  await until(order.orderId, 'PaymentRefunded');
  expect(await refundsOf(paymentId)).toHaveLength(1);
});

test('a worker that crashes after the provider made the refund, before recording it, refunds once', async () => {
  const payment = await paid();
  let crashes = 2;
  afterRefund = () => {
    if (crashes-- > 0) throw new Error('killed');
  };
  await askRefund(payment);
  await until(payment.order.orderId, 'PaymentRefunded');
  expect(keysUsed.length).toBeGreaterThanOrEqual(2);
  expect(await refundsOf(payment.paymentId)).toHaveLength(1);
  // The task is deleted only after its result was recorded.
  const left = () => stack.query('select 1 from provider_tasks where payment_id = $1', [payment.order.orderId]);
  await stack.eventually(async () => (await left()).length === 0);
});

test('if a request crashes after the provider created the intent, the next request finds that intent', async () => {
  const order = anOrder();
  afterRequest = () => {
    throw new Error('killed');
  };
  expect((await stack.request(order)).status).toBe(500);
  expect(await stack.events(order.orderId)).toEqual([]);
  afterRequest = () => undefined;
  // The buyer has corrected the email address.
  expect((await stack.request({ ...order, receiptEmail: 'ann.corrected@example.com' })).status).toBe(200);
  const made = (await stack.stripe.paymentIntents.list({ limit: 100 })).data.filter(
    ({ metadata }) => metadata['orderId'] === order.orderId,
  );
  expect(made).toHaveLength(1);
});

test('while the provider fails, the refund is owed; it is made when the provider works again', async () => {
  const payment = await paid();
  await stack.tune('api', { mode: 'failing' });
  await askRefund(payment);
  await stack.eventually(
    async () =>
      (
        await stack.query<{ attempts: number }>('select attempts from provider_tasks where payment_id = $1', [
          payment.order.orderId,
        ])
      )[0]!.attempts >= 2,
    { what: 'a second attempt' },
  );
  expect((await stack.query('select status from refunds where id = $1', [payment.order.orderId]))[0]).toEqual({
    status: 'due',
  });
  await stack.tune('api', { mode: 'normal' });
  await until(payment.order.orderId, 'PaymentRefunded');
  expect(await refundsOf(payment.paymentId)).toHaveLength(1);
});

test('if responses are lost in transit, only one refund is made', async () => {
  const payment = await paid();
  await stack.tune('api', { mode: 'lost-answers' });
  await askRefund(payment);
  await stack.eventually(() => keysUsed.length >= 2, { what: 'a second attempt' });
  await stack.tune('api', { mode: 'normal' });
  await until(payment.order.orderId, 'PaymentRefunded');
  expect(await refundsOf(payment.paymentId)).toHaveLength(1);
});

test('a refund made by hand before ours counts as done', async () => {
  const payment = await paid();
  const byHand = await stack.stripe.refunds.create({ payment_intent: payment.paymentId });
  await askRefund(payment);
  await until(payment.order.orderId, 'PaymentRefunded');
  expect(keysUsed).toHaveLength(1);
  expect((await stack.heard()).map(({ data }) => data)).toContainEqual(
    expect.objectContaining({ paymentId: payment.paymentId, refundId: byHand.id }),
  );
});

test('after a partial refund by hand, the rest is refunded', async () => {
  const payment = await paid();
  await stack.stripe.refunds.create({ payment_intent: payment.paymentId, amount: 1_000 });
  for (const event of await stack.providerEvents(payment.paymentId)) expect((await stack.tell(event)).status).toBe(200);
  expect(await stack.events(payment.order.orderId)).not.toContain('PaymentRefunded'); // a part is not booked
  await askRefund(payment);
  await until(payment.order.orderId, 'PaymentRefunded');
  expect((await refundsOf(payment.paymentId)).map(({ amount }) => amount).sort()).toEqual([1_000, 4_099]);
  expect((await balance(payment.order.orderId)).every((row) => (row as { cents: number }).cents === 0)).toBe(true);
  expect(keysUsed).toHaveLength(1);
});

test('a refund the bank refuses is recorded and retried under another key', async () => {
  const payment = await paid();
  insteadOfRefund = ['failed'];
  await askRefund(payment);
  await until(payment.order.orderId, 'PaymentRefunded');
  expect((await stack.events(payment.order.orderId)).slice(2)).toEqual([
    'RefundRequested',
    'RefundFailed',
    'PaymentRefunded',
  ]);
  expect(new Set(keysUsed).size).toBe(2);
  expect(await refundsOf(payment.paymentId)).toHaveLength(1);
});

test('a pending refund is polled until it succeeds', async () => {
  const payment = await paid();
  insteadOfRefund = Array.from({ length: 1_000 }, () => 'pending');
  await askRefund(payment);
  await stack.eventually(() => keysUsed.length >= 2, { what: 'a second poll' });
  expect((await stack.events(payment.order.orderId)).at(-1)).toBe('RefundRequested');
  insteadOfRefund = [];
  await until(payment.order.orderId, 'PaymentRefunded');
});

test.each(['pending', 'requires_action'])(
  'the refund of a part that is %s is requested once, however long it takes',
  async (status) => {
    const { order, paymentId } = await paid();
    const one = { status, made: new Array<string>(), listed: 0 };
    endless.set(paymentId, one);
    const requestId = randomUUID();
    const part = { orderId: order.orderId, eventId: 7, quantity: 1, paymentId, amountCents: 1_000 };
    await stack.say('refund-requested', { ...part, reason: 'refunded-by-admin', requestId });
    await stack.eventually(() => one.listed >= 6, { what: 'a sixth look' });
    expect(one.made).toEqual([requestId]);
  },
);

test("the bank's report of a refund a few days later is booked once", async () => {
  const payment = await paid();
  insteadOfRefund = ['pending', 'pending', 'pending', 'pending'];
  await askRefund(payment);
  await until(payment.order.orderId, 'RefundRequested');
  const object = {
    object: 'refund',
    id: 're_late',
    amount: 5_099,
    currency: 'usd',
    status: 'succeeded',
    payment_intent: payment.paymentId,
  };
  for (let i = 0; i < 2; i++) await stack.tell({ id: `evt_${randomUUID()}`, type: 'refund.updated', data: { object } });
  expect((await stack.events(payment.order.orderId)).filter((type) => type === 'PaymentRefunded')).toHaveLength(1);
});

test('a refund made by hand and reported by webhook is booked, although it lacks our metadata', async () => {
  const { order, paymentId } = await paid();
  await stack.stripe.refunds.create({ payment_intent: paymentId });
  for (const event of await stack.providerEvents(paymentId)) expect((await stack.tell(event)).status).toBe(200);
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested', 'PaymentSucceeded', 'PaymentRefunded']);
});

const askPart = ({ order, paymentId }: Awaited<ReturnType<Orders['paid']>>, amountCents: number) => {
  const requestId = randomUUID();
  const part = { orderId: order.orderId, eventId: 7, quantity: 1, paymentId, amountCents, requestId };
  const reason = 'refunded-by-admin';
  return stack.say('refund-requested', { ...part, reason }).then(() => requestId);
};
const alertsOf = async (id: string) =>
  ((await stack.call('GET', '/internal/alerts?status=all&limit=100')).body as AlertPage).alerts
    .filter(({ orderId, subject }) => orderId === id || subject === id)
    .map(({ kind, subject, amountCents, resolvedAt }) => ({ kind, subject, amountCents, isOpen: resolvedAt === null }));
const told = async (orderId: string, type: string) =>
  (await stack.heard()).filter((one) => one.type === type && (one.data as { orderId: string }).orderId === orderId);
const delayedOf = (orderId: string) =>
  stack.eventually(async () => (await stack.events(orderId)).includes('RefundDelayed'), {
    what: 'people are told',
    timeoutMs: 20_000,
  });

test('a refund that the bank keeps refusing is reported to ticketing and raises an alert, until it is done', async () => {
  const payment = await paid();
  const { orderId } = payment.order;
  insteadOfRefund = Array.from({ length: 12 }, () => 'failed' as const);
  await askRefund(payment);
  await until(orderId, 'RefundFailed');
  // The bank may have refused the refund again by now.
  const failures = await told(orderId, 'payments.refund-failed');
  expect(new Set(failures.map(({ data }) => (data as { requestId: unknown }).requestId))).toEqual(new Set([null]));
  await delayedOf(orderId);
  await until(orderId, 'PaymentRefunded');
  expect((await stack.events(orderId)).filter((type) => type === 'RefundDelayed')).toHaveLength(1);
  expect(await alertsOf(orderId)).toEqual([
    { kind: 'refund-delayed', subject: payment.paymentId, amountCents: 5_099, isOpen: false },
  ]);
  expect(await refundsOf(payment.paymentId)).toHaveLength(1);
});

test('a partial refund that is refused repeatedly is reported with its part, its alert ends with the refund, and other parts are refunded', async () => {
  const payment = await paid();
  const { orderId } = payment.order;
  endless.set(payment.paymentId, { status: 'failed', made: [], listed: 0 });
  const requestId = await askPart(payment, 1_000);
  await until(orderId, 'RefundFailed');
  await delayedOf(orderId);
  for (const { data } of await told(orderId, 'payments.refund-failed')) expect(data).toMatchObject({ requestId });
  const alert = { kind: 'refund-delayed', subject: requestId, amountCents: 1_000 };
  expect(await alertsOf(orderId)).toEqual([{ ...alert, isOpen: true }]);
  endless.delete(payment.paymentId);
  const other = await askPart(payment, 500);
  await stack.eventually(async () => (await told(orderId, 'payments.payment-partly-refunded')).length === 2);
  expect((await refundsOf(payment.paymentId)).map(({ metadata }) => metadata?.['refundRequestId']).sort()).toEqual(
    [requestId, other].sort(),
  );
  expect(await alertsOf(orderId)).toEqual([{ ...alert, isOpen: false }]);
});

test('a refund that is only slow raises no alert, however often the provider is asked', async () => {
  const payment = await paid();
  insteadOfRefund = Array.from({ length: 14 }, () => 'pending' as const);
  await askRefund(payment);
  await stack.eventually(async () => (await stack.events(payment.order.orderId)).includes('PaymentRefunded'), {
    timeoutMs: 20_000,
  });
  expect(await alertsOf(payment.order.orderId)).toEqual([]);
});

test('partial refunds return the amount that a refund by hand left; the rest counts as covered', async () => {
  const payment = await paid();
  const { orderId } = payment.order;
  await stack.stripe.refunds.create({ payment_intent: payment.paymentId, amount: 4_500 });
  for (const event of await stack.providerEvents(payment.paymentId)) await stack.tell(event);
  await askPart(payment, 1_000);
  await until(orderId, 'PaymentRefunded');
  expect((await refundsOf(payment.paymentId)).map(({ amount }) => amount).sort()).toEqual([4_500, 599]);
  const covered = await askPart(payment, 1_000);
  await until(orderId, 'PartRefundCovered');
  expect((await told(orderId, 'payments.part-refund-covered')).map(({ data }) => data)).toMatchObject([
    { requestId: covered, paymentId: payment.paymentId },
  ]);
  expect(await stack.query('select status, cents from part_refunds where request_id = $1', [covered])).toEqual([
    { status: 'covered', cents: 1_000 },
  ]);
  expect(await refundsOf(payment.paymentId)).toHaveLength(2);
  expect((await balance(orderId)).every((row) => (row as { cents: number }).cents === 0)).toBe(true);
});

test.each<[Bought, string]>([
  [{ purpose: 'promotion', eventId: 7, level: 'featured' }, 'Promotion'],
  [{ purpose: 'ad', packageId: 'banner-7d' }, 'Ad'],
])('an underpayment for %o is reported only to staff, and refunded automatically', async (bought, description) => {
  const id = randomUUID();
  const terms = { id, amountCents: 2_999, bought, organizerId: null, buyerId: 9 };
  const asked = { terms, description, receiptEmail: 'olga@example.com' };
  const { paymentId } = await requestPayment(stack.deps, asked, id);
  await stack.pay(paymentId);
  received.set(paymentId, 2_000);
  // The sandbox has the full amount, so it is refunded in two parts.
  await stack.stripe.refunds.create({ payment_intent: paymentId, amount: 999 });
  expect(await settlePayment(stack.deps, paymentId)).toMatchObject({ status: 'succeeded', amountCents: 2_000 });
  await until(id, 'PaymentRefunded');
  const alert = { kind: 'underpaid', subject: paymentId, amountCents: 2_000 };
  expect(await alertsOf(paymentId)).toEqual([{ ...alert, isOpen: false }]);
  expect((await stack.heard()).filter(({ key, type }) => key === `payment-${id}` && /-paid$/.test(type))).toEqual([]);
});

test('an underpayment is reported to ticketing with the received amount, and raises an alert until it is refunded', async () => {
  const order = anOrder();
  const { paymentId } = (await stack.request(order)).body as { paymentId: string };
  await stack.pay(paymentId);
  received.set(paymentId, 5_000);
  for (let looks = 0; looks < 2; looks++)
    expect((await stack.settle(paymentId)).body).toMatchObject({ status: 'succeeded', amountCents: 5_000 });
  expect((await told(order.orderId, 'payments.payment-succeeded')).map(({ data }) => data)).toMatchObject([
    { amountCents: 5_000 },
  ]);
  const alert = { kind: 'underpaid', subject: paymentId, amountCents: 5_000 };
  expect(await alertsOf(order.orderId)).toEqual([{ ...alert, isOpen: true }]);
  // The sandbox has the full amount, so it is refunded in two parts.
  await stack.stripe.refunds.create({ payment_intent: paymentId, amount: 99 });
  const facts = { orderId: order.orderId, eventId: 7, quantity: 2, paymentId };
  await stack.say('refund-requested', { ...facts, amountCents: 5_000, reason: 'underpaid', requestId: null });
  await until(order.orderId, 'PaymentRefunded');
  expect(await alertsOf(order.orderId)).toEqual([{ ...alert, isOpen: false }]);
});
