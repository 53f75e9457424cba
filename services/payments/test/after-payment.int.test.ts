import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AlertPage } from '@beltway/contracts/payments/payments';
import { refundDue } from '../src/work/refunds.ts';
import { readReports } from '../src/work/reports.ts';
import { ordersOf, type Orders, type Paid } from './orders.ts';
import { anOrder, type Stack, startStack, termsOf } from './stack.ts';

let stack: Stack;
let paid: Orders['paid'];
let askRefund: Orders['askRefund'];
let purchased: Orders['purchased'];
let until: Orders['until'];
beforeAll(async () => {
  stack = await startStack();
  ({ paid, askRefund, purchased, until } = ordersOf(stack));
});
afterAll(() => stack.stop());
beforeEach(() => stack.query('delete from provider_positions'));

const refundsOf = async (paymentId: string) => (await stack.stripe.refunds.list({ payment_intent: paymentId })).data;
const balance = async (orderId: string) =>
  Object.fromEntries(
    (
      await stack.query<{ account: string; cents: number }>(
        'select account, sum(amount_cents)::int as cents from ledger_entries where payment_id = $1 group by account',
        [orderId],
      )
    ).map(({ account, cents }) => [account, cents]),
  );
const said = async ({ order }: Paid) =>
  (await stack.heard())
    .filter(({ data }) => (data as { orderId: string }).orderId === order.orderId)
    .map(({ type }) => type.replace('payments.', ''));
const alertsOf = async ({ order }: Paid, status = 'open') => {
  const page = (await stack.call('GET', `/internal/alerts?limit=100&status=${status}`)).body as AlertPage;
  return page.alerts.filter(({ orderId }) => orderId === order.orderId).map(({ kind }) => kind);
};
/** Sends all webhooks of a payment in the given order. */
async function tellAll(
  { paymentId }: Paid,
  order: (providerEvents: object[]) => object[] = (providerEvents) => providerEvents,
) {
  for (const event of order(await stack.providerEvents(paymentId))) expect((await stack.tell(event)).status).toBe(200);
}
const typesOf = async ({ order }: Paid) => (await stack.events(order.orderId)).slice(2);
const paymentRow = async ({ order }: Paid) =>
  (
    await stack.query<{ status: string; returned_cents: number; refunded: boolean }>(
      'select status, returned_cents, refunded_at is not null as refunded from payments where id = $1',
      [order.orderId],
    )
  )[0];
async function refunded() {
  const payment = await paid();
  await purchased(payment);
  await until(payment.order.orderId, 'PaymentFulfilled');
  await askRefund(payment, 'event-canceled');
  await until(payment.order.orderId, 'PaymentRefunded');
  const [refund] = await refundsOf(payment.paymentId);
  return { payment, refundId: refund!.id };
}

test('a refund that fails days after it succeeded is reversed and reported, another refund is made, and staff are alerted', async () => {
  const { payment, refundId } = await refunded();
  await stack.dashboard(`/refunds/${refundId}/fail`);
  await tellAll(payment);
  await tellAll(payment); // sends each report twice, so the refund's old success follows its failure
  await stack.eventually(
    async () => (await typesOf(payment)).filter((type) => type === 'PaymentRefunded').length === 2,
  );
  await tellAll(payment, (providerEvents) => providerEvents.reverse());
  expect(await typesOf(payment)).toEqual([
    'PaymentFulfilled',
    'RefundRequested',
    'PaymentRefunded',
    'RefundReversed',
    'PaymentRefunded',
  ]);
  expect((await refundsOf(payment.paymentId)).map(({ status }) => status)).toEqual(['succeeded', 'failed']);
  expect(await balance(payment.order.orderId)).toEqual({ provider: 0, platform: 0, 'organizer:3': 0 });
  expect(await said(payment)).toEqual(['payment-succeeded', 'payment-refunded', 'refund-reversed', 'payment-refunded']);
  expect(await alertsOf(payment)).toEqual([]);
  expect(await alertsOf(payment, 'all')).toEqual(['refund-reversed']);
});

test('until the second refund is done, the money is owed and an alert is listed', async () => {
  const { payment, refundId } = await refunded();
  await stack.dashboard(`/refunds/${refundId}/fail`);
  await stack.tune('api', { mode: 'failing' });
  const failed = {
    object: 'refund',
    id: refundId,
    amount: 5_099,
    currency: 'usd',
    status: 'failed',
    payment_intent: payment.paymentId,
  };
  await stack.tell({ id: `evt_${randomUUID()}`, type: 'refund.failed', data: { object: failed } });
  expect(await paymentRow(payment)).toEqual({ status: 'succeeded', returned_cents: 0, refunded: false });
  expect((await stack.query('select status from refunds where id = $1', [payment.order.orderId]))[0]).toEqual({
    status: 'due',
  });
  expect(await alertsOf(payment)).toEqual(['refund-reversed']);
  expect(await balance(payment.order.orderId)).toEqual({ provider: 5_099, platform: -255, 'organizer:3': -4_844 });
  const { checks } = (await stack.call('GET', '/internal/invariants')).body;
  expect(checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
  await stack.tune('api', { mode: 'normal' });
  await stack.eventually(async () => (await paymentRow(payment))?.status === 'refunded');
});

test('a bank that returns every refund is not retried immediately each time', async () => {
  const payment = await paid('pm_card_refundFail');
  await askRefund(payment);
  await until(payment.order.orderId, 'PaymentRefunded');
  await tellAll(payment);
  // The first failure is retried immediately, the second after an hour.
  await stack.eventually(async () => (await refundsOf(payment.paymentId)).length === 2);
  await tellAll(payment);
  expect(await refundDue(stack.deps, { pauseMs: 0, maxPauseMs: 0 })).toBe(false);
  expect(await refundsOf(payment.paymentId)).toHaveLength(2);
  expect((await typesOf(payment)).filter((type) => type === 'RefundReversed')).toHaveLength(2);
  await stack.query(`update refunds set reversed_at = now() - interval '61 minutes' where id = $1`, [
    payment.order.orderId,
  ]);
  await stack.eventually(async () => (await refundsOf(payment.paymentId)).length === 3);
});

test('after a full refund made in the dashboard, the tickets are returned, whichever reports arrive', async () => {
  for (const order of [
    (providerEvents: object[]) => providerEvents,
    (providerEvents: object[]) => providerEvents.reverse(),
    // Only the charge reports the refund.
    (providerEvents: object[]) =>
      providerEvents.filter((event) => (event as { type: string }).type === 'charge.refunded'),
  ]) {
    const payment = await paid();
    await purchased(payment);
    await until(payment.order.orderId, 'PaymentFulfilled');
    await stack.dashboard(`/intents/${payment.paymentId}/refund`);
    await tellAll(payment, order);
    expect(await typesOf(payment)).toEqual(['PaymentFulfilled', 'PaymentRefunded']);
    await tellAll(payment);
    expect(await typesOf(payment)).toEqual(['PaymentFulfilled', 'PaymentRefunded']);
    expect(await said(payment)).toEqual(['payment-succeeded', 'payment-refunded', 'money-withdrawn']);
    expect(await alertsOf(payment)).toEqual(['refunded-by-provider']);

    // Ticketing publishes that the tickets are returned: no second refund follows, and no alert is left.
    await askRefund(payment, 'refunded-by-provider');
    await until(payment.order.orderId, 'RefundRequested');
    expect(await alertsOf(payment)).toEqual([]);
    expect(await refundsOf(payment.paymentId)).toHaveLength(1);
    expect(await balance(payment.order.orderId)).toEqual({ provider: 0, platform: 0, 'organizer:3': 0 });
  }
});

test('a refund by hand that fails after the tickets were returned is repeated', async () => {
  const payment = await paid();
  const { id } = await stack.dashboard(`/intents/${payment.paymentId}/refund`);
  await tellAll(payment);
  await askRefund(payment, 'refunded-by-provider');
  await until(payment.order.orderId, 'RefundRequested');
  await stack.dashboard(`/refunds/${id}/fail`);
  await tellAll(payment);
  await stack.eventually(async () => (await refundsOf(payment.paymentId)).length === 2);
  await stack.eventually(async () => (await paymentRow(payment))?.status === 'refunded');
});

test('a refund whose webhooks are all lost is found in the provider’s list of events, once', async () => {
  const payment = await paid();
  await stack.dashboard(`/intents/${payment.paymentId}/refund`);
  const reports = { everyMs: 0, lagSeconds: 0 };
  const [first] = await Promise.all([readReports(stack.deps, reports), readReports(stack.deps, reports)]);
  expect(first).toBe(false);
  await until(payment.order.orderId, 'PaymentRefunded');
  const [position] = await stack.query<{ event_id: string }>('select event_id from provider_positions');
  expect(position?.event_id).toMatch(/^evt_/);
  await readReports(stack.deps, reports);
  expect(await typesOf(payment)).toEqual(['PaymentRefunded']);

  const later = await paid();
  await stack.dashboard(`/intents/${later.paymentId}/dispute`);
  await readReports(stack.deps, reports);
  expect(await typesOf(later)).toEqual(['DisputeOpened']);
});

test('a payment that is not recorded here, as after a restore from backup, is found in the list of events, once', async () => {
  const order = anOrder();
  const { id: paymentId } = await stack.deps.provider.request(termsOf(order), order, `lost-${order.orderId}`);
  await stack.pay(paymentId);
  const reports = { everyMs: 0, lagSeconds: 0 };
  await readReports(stack.deps, reports);
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested', 'PaymentSucceeded']);
  await stack.query('delete from provider_positions');
  await readReports(stack.deps, reports);
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested', 'PaymentSucceeded']);
});

test('reading events continues where it stopped, even after a crash or if the last event was deleted', async () => {
  const reports = { everyMs: 0, lagSeconds: 0 };
  await readReports(stack.deps, reports);
  const payment = await paid();
  await stack.dashboard(`/intents/${payment.paymentId}/refund`, { amount: 99 });
  await stack.query(`update provider_positions set event_id = 'evt_forgotten'`);
  await readReports(stack.deps, reports);
  await readReports(stack.deps, reports);
  expect(await typesOf(payment)).toEqual(['PaymentPartlyRefunded']);

  const second = await paid();
  await stack.dashboard(`/intents/${second.paymentId}/refund`, { amount: 99 });
  await stack.dashboard(`/intents/${second.paymentId}/refund`, { amount: 98 });
  let calls = 0;
  const payments = {
    ...stack.deps.payments,
    handle: (...args: Parameters<typeof stack.deps.payments.handle>) =>
      ++calls > 1 ? Promise.reject(new Error('killed')) : stack.deps.payments.handle(...args),
  };
  await expect(readReports({ ...stack.deps, payments }, reports)).rejects.toThrow('killed');
  expect(await typesOf(second)).toEqual(['PaymentPartlyRefunded']);
  await readReports(stack.deps, reports);
  expect(await typesOf(second)).toEqual(['PaymentPartlyRefunded', 'PaymentPartlyRefunded']);
});

test('only one instance reads the list per interval', async () => {
  let asked = 0;
  const provider = { ...stack.deps.provider, events: async () => (asked++, []) };
  const turns = { everyMs: 60_000, lagSeconds: 0 };
  await Promise.all([readReports({ ...stack.deps, provider }, turns), readReports({ ...stack.deps, provider }, turns)]);
  expect(asked).toBe(1);
});

test('a partial refund made in the dashboard is booked with its share of the fee, and the tickets stay valid', async () => {
  const payment = await paid();
  await purchased(payment);
  await until(payment.order.orderId, 'PaymentFulfilled');
  await stack.dashboard(`/intents/${payment.paymentId}/refund`, { amount: 1_000 });
  await tellAll(payment);
  await tellAll(payment);
  expect(await balance(payment.order.orderId)).toEqual({ provider: 4_099, platform: -205, 'organizer:3': -3_894 });
  expect(await said(payment)).toEqual(['payment-succeeded', 'payment-partly-refunded']);
  expect(await alertsOf(payment)).toEqual(['partly-refunded']);
  expect(await paymentRow(payment)).toEqual({ status: 'succeeded', returned_cents: 1_000, refunded: false });
  expect(await stack.invariants()).toMatchObject({ 'the money ledger agrees with the payments': 0 });

  // Refunding the rest completes the refund.
  await stack.dashboard(`/intents/${payment.paymentId}/refund`);
  await tellAll(payment);
  expect(await balance(payment.order.orderId)).toEqual({ provider: 0, platform: 0, 'organizer:3': 0 });
  expect(await said(payment)).toEqual([
    'payment-succeeded',
    'payment-partly-refunded',
    'payment-refunded',
    'money-withdrawn',
  ]);
  expect(await alertsOf(payment)).toEqual(['refunded-by-provider']);
});

test('a dispute alerts staff; after a lost dispute, money and tickets are gone', async () => {
  const payment = await paid('pm_card_createDispute');
  await purchased(payment);
  await until(payment.order.orderId, 'PaymentFulfilled');
  await tellAll(payment);
  expect(await typesOf(payment)).toEqual(['PaymentFulfilled', 'DisputeOpened']);
  expect(await alertsOf(payment)).toEqual(['dispute-opened']);
  expect(await balance(payment.order.orderId)).toMatchObject({ provider: 5_099 });
  const [dispute] = (await stack.stripe.disputes.list({ payment_intent: payment.paymentId })).data;
  await stack.stripe.disputes.close(dispute!.id);
  await tellAll(payment, (providerEvents) => providerEvents.reverse());
  await tellAll(payment);
  expect(await typesOf(payment)).toEqual(['PaymentFulfilled', 'DisputeOpened', 'DisputeLost']);
  expect(await balance(payment.order.orderId)).toEqual({ provider: 0, platform: 0, 'organizer:3': 0 });
  expect(await said(payment)).toEqual(['payment-succeeded', 'dispute-opened', 'money-withdrawn', 'dispute-closed']);
  expect(await alertsOf(payment)).toEqual(['dispute-lost']);
});

test('after a lost dispute over a part, a requested refund returns exactly the rest', async () => {
  const payment = await paid();
  await purchased(payment);
  await until(payment.order.orderId, 'PaymentFulfilled');
  const dispute = await stack.dashboard(`/intents/${payment.paymentId}/dispute`, { amount: 5_060 });
  await tellAll(payment);
  // The event is canceled during the dispute: the refund waits.
  await askRefund(payment, 'event-canceled');
  await until(payment.order.orderId, 'RefundRequested');
  await stack.dashboard(`/disputes/${dispute.id}/close`, { outcome: 'lost' });
  await tellAll(payment);
  await stack.query(`update provider_tasks set next_at = now()`);
  await stack.eventually(async () => (await paymentRow(payment))?.status === 'refunded');
  expect((await refundsOf(payment.paymentId)).map(({ amount, status }) => [amount, status])).toEqual([
    [39, 'succeeded'],
  ]);
  expect(await balance(payment.order.orderId)).toEqual({ provider: 0, platform: 0, 'organizer:3': 0 });
  expect(await stack.invariants()).toMatchObject({
    'no payment is both fulfilled and refunded': 0,
    'the money ledger agrees with the payments': 0,
  });

  // The dispute is won after all. The event is canceled, so admins decide.
  await stack.dashboard(`/disputes/${dispute.id}/reverse`);
  await tellAll(payment);
  expect(await balance(payment.order.orderId)).toMatchObject({ provider: 5_060 });
  expect(await stack.query('select status from refunds where id = $1', [payment.order.orderId])).toEqual([
    { status: 'kept' },
  ]);
});

test('if a refund of the rest was made but not recorded, it is not repeated', async () => {
  const payment = await paid();
  const dispute = await stack.dashboard(`/intents/${payment.paymentId}/dispute`, { amount: 3_000 });
  await stack.dashboard(`/disputes/${dispute.id}/close`, { outcome: 'lost' });
  await tellAll(payment);
  await stack.tune('api', { mode: 'lost-answers', share: 1 });
  await askRefund(payment, 'event-canceled');
  const tries = () =>
    stack.query('select from provider_tasks where payment_id = $1 and failures > 0', [payment.order.orderId]);
  await stack.eventually(async () => (await tries()).length === 1);
  await stack.tune('api', { mode: 'normal' });
  expect(await refundsOf(payment.paymentId)).toHaveLength(1);
  // The earlier idempotency keys are used up, as after a quarter of an hour.
  await stack.query(`update provider_tasks set next_at = now(), attempts = 8`);
  await stack.eventually(async () => (await paymentRow(payment))?.status === 'refunded');
  expect((await refundsOf(payment.paymentId)).map(({ amount }) => amount)).toEqual([2_099]);
});

test.each([
  ['above the charge', 6_000],
  ['after the whole was refunded', 5_099],
])(
  'a dispute %s is lost: the books agree with the provider, and the organizer returns no more than the share received',
  async (_what, amount) => {
    const payment = await paid();
    await purchased(payment);
    await until(payment.order.orderId, 'PaymentFulfilled');
    if (amount === 5_099) {
      await stack.dashboard(`/intents/${payment.paymentId}/refund`);
      await tellAll(payment);
      await askRefund(payment, 'refunded-by-provider');
      await until(payment.order.orderId, 'RefundRequested');
    }
    const dispute = await stack.dashboard(`/intents/${payment.paymentId}/dispute`, { amount });
    await stack.dashboard(`/disputes/${dispute.id}/close`, { outcome: 'lost' });
    await tellAll(payment, (providerEvents) => providerEvents.reverse());
    await tellAll(payment);
    const beyond = amount === 5_099 ? 5_099 : 901;
    expect(await balance(payment.order.orderId)).toEqual({ provider: -beyond, platform: beyond, 'organizer:3': 0 });
    const [row] = await stack.query('select owed_cents from payments where id = $1', [payment.order.orderId]);
    expect(row).toEqual({ owed_cents: 0 });
    expect(await stack.invariants()).toMatchObject({
      'no payment is both fulfilled and refunded': 0,
      'the money ledger sums to zero': 0,
      'the money ledger agrees with the payments': 0,
      'organizers’ shares agree with the money ledger': 0,
      'the revenue of days agrees with the payments': 0,
    });
  },
);

test('after a lost dispute is won after all, the payment is as before: fulfilled, and owed to its organizer', async () => {
  const payment = await paid();
  await purchased(payment);
  await until(payment.order.orderId, 'PaymentFulfilled');
  const dispute = await stack.dashboard(`/intents/${payment.paymentId}/dispute`, { isInquiry: true });
  await stack.dashboard(`/disputes/${dispute.id}/escalate`);
  await stack.dashboard(`/disputes/${dispute.id}/close`, { outcome: 'lost' });
  await tellAll(payment);
  expect(await stack.invariants()).toMatchObject({ 'no payment is both fulfilled and refunded': 0 });
  await stack.dashboard(`/disputes/${dispute.id}/reverse`);
  await tellAll(payment);
  expect(await paymentRow(payment)).toEqual({ status: 'succeeded', returned_cents: 0, refunded: false });
  // No refund prevents the transfer of the organizer's share.
  expect(await stack.query('select status from refunds where id = $1', [payment.order.orderId])).toEqual([]);
  expect(await typesOf(payment)).toEqual([
    'PaymentFulfilled',
    'DisputeOpened',
    'DisputeOpened',
    'DisputeLost',
    'DisputeWon',
  ]);
  expect(await balance(payment.order.orderId)).toEqual({ provider: 5_099, platform: -255, 'organizer:3': -4_844 });
});

test('a refund that waits for a dispute over a part stays due when the dispute is won', async () => {
  const payment = await paid();
  const dispute = await stack.dashboard(`/intents/${payment.paymentId}/dispute`, { amount: 3_000 });
  await stack.dashboard(`/disputes/${dispute.id}/close`, { outcome: 'lost' });
  await stack.dashboard(`/disputes/${dispute.id}/reverse`);
  const reports = await stack.providerEvents(payment.paymentId);
  await stack.tune('api', { mode: 'failing' });
  await askRefund(payment, 'event-canceled');
  await until(payment.order.orderId, 'RefundRequested');
  for (const report of reports) expect((await stack.tell(report)).status).toBe(200);
  expect(await stack.query('select status from refunds where id = $1', [payment.order.orderId])).toEqual([
    { status: 'due' },
  ]);
  await stack.tune('api', { mode: 'normal' });
  await stack.query(`update provider_tasks set next_at = now(), attempts = 8`);
  await stack.eventually(async () => (await paymentRow(payment))?.status === 'refunded');
  expect((await refundsOf(payment.paymentId)).map(({ amount }) => amount)).toEqual([5_099]);
});

test('a dispute that is won leaves everything unchanged', async () => {
  const payment = await paid('pm_card_createDispute');
  const [dispute] = (await stack.stripe.disputes.list({ payment_intent: payment.paymentId })).data;
  await stack.stripe.disputes.update(dispute!.id, { evidence: { uncategorized_text: 'winning_evidence' } });
  await tellAll(payment, (providerEvents) => providerEvents.reverse());
  expect(await typesOf(payment)).toEqual(['DisputeOpened', 'DisputeWon']);
  expect(await balance(payment.order.orderId)).toMatchObject({ provider: 5_099 });
  expect(await said(payment)).toEqual(['payment-succeeded', 'dispute-opened', 'dispute-closed']);
  expect(await alertsOf(payment)).toEqual([]);
});

test('a dispute that is won after it was lost: the money is booked again, reported once, and shown to admins', async () => {
  const payment = await paid('pm_card_createDispute');
  const [dispute] = (await stack.stripe.disputes.list({ payment_intent: payment.paymentId })).data;
  await stack.stripe.disputes.close(dispute!.id);
  await tellAll(payment);
  expect(await balance(payment.order.orderId)).toMatchObject({ provider: 0 });
  const object = { ...(await stack.stripe.disputes.retrieve(dispute!.id)), status: 'won' };
  for (const type of ['charge.dispute.funds_reinstated', 'charge.dispute.closed', 'charge.dispute.funds_reinstated'])
    expect((await stack.tell({ id: `evt_${randomUUID()}`, type, data: { object } })).status).toBe(200);
  await tellAll(payment); // repeats the earlier reports
  expect(await typesOf(payment)).toEqual(['DisputeOpened', 'DisputeLost', 'DisputeWon']);
  expect(await balance(payment.order.orderId)).toMatchObject({ provider: 5_099 });
  expect(await said(payment)).toEqual([
    ...['payment-succeeded', 'dispute-opened', 'money-withdrawn', 'dispute-closed'],
    ...['money-reinstated', 'dispute-closed'],
  ]);
  expect(await alertsOf(payment)).toEqual(['dispute-won-after-loss']);
});

test('a refund is not sent while a dispute is open, and is no longer owed once the dispute is lost', async () => {
  const payment = await paid('pm_card_createDispute');
  await askRefund(payment, 'event-canceled');
  await until(payment.order.orderId, 'RefundRequested');
  const [dispute] = (await stack.stripe.disputes.list({ payment_intent: payment.paymentId })).data;
  await stack.stripe.disputes.close(dispute!.id);
  await tellAll(payment);
  expect((await stack.query('select status from refunds where id = $1', [payment.order.orderId]))[0]).toEqual({
    status: 'refunded',
  });
  expect(await refundsOf(payment.paymentId)).toEqual([]);
  // The request already returned the tickets.
  expect(await said(payment)).toEqual(['payment-succeeded', 'dispute-opened', 'money-withdrawn', 'dispute-closed']);
});

test('when one of two disputes of a payment ends, the other stays an alert', async () => {
  const payment = await paid();
  const [one, other] = [`dp_one_${payment.paymentId}`, `dp_other_${payment.paymentId}`];
  const tell = (id: string, status: string) =>
    stack.tell({
      id: `evt_${randomUUID()}`,
      type: status === 'needs_response' ? 'charge.dispute.created' : 'charge.dispute.closed',
      data: {
        object: {
          ...{ object: 'dispute', id, amount: 1_000, currency: 'usd', status, reason: 'fraudulent' },
          payment_intent: payment.paymentId,
        },
      },
    });
  await tell(one, 'needs_response');
  await tell(other, 'needs_response');
  await tell(one, 'won');
  const open = await stack.query(
    `select kind, subject from alerts where payment_id = $1 and resolved_at is null order by kind, subject`,
    [payment.order.orderId],
  );
  expect(open).toEqual([{ kind: 'dispute-opened', subject: other }]);
  await tell(other, 'lost');
  expect(await alertsOf(payment)).toEqual(['dispute-lost']);
});

test('refunds and disputes of payments that are not ours are not recorded', async () => {
  const foreign = await stack.stripe.paymentIntents.create({
    ...{ amount: 900, currency: 'usd', payment_method: 'pm_card_createDispute', confirm: true },
    allowed_payment_method_types: ['card'],
  });
  const before = (await stack.query<{ n: string }>('select count(*) as n from events'))[0]?.n;
  for (const event of await stack.providerEvents(foreign.id)) expect((await stack.tell(event)).status).toBe(200);
  const object = {
    object: 'refund',
    id: 're_x',
    amount: 1,
    currency: 'usd',
    status: 'succeeded',
    payment_intent: 'pi_unknown',
  };
  expect((await stack.tell({ id: 'evt_unknown', type: 'refund.created', data: { object } })).status).toBe(200);
  expect((await stack.query<{ n: string }>('select count(*) as n from events'))[0]?.n).toBe(before);
});

test('a refund of an unrecorded payment is recorded together with the payment', async () => {
  const order = anOrder();
  const intent = await stack.deps.provider.request(termsOf(order), order, `forgotten-${order.orderId}`);
  await stack.pay(intent.id);
  await stack.dashboard(`/intents/${intent.id}/refund`, { amount: 99 });
  const providerEvents = (await stack.providerEvents(intent.id)) as Array<{ type: string }>;
  await stack.tell(providerEvents.find(({ type }) => type === 'refund.created')!);
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested', 'PaymentSucceeded', 'PaymentPartlyRefunded']);
});

test('only an admin can resolve an alert that needs staff, with a note; other alerts cannot be resolved, and other roles are refused', async () => {
  const payment = await paid();
  await stack.dashboard(`/intents/${payment.paymentId}/refund`, { amount: 99 });
  await stack.dashboard(`/intents/${payment.paymentId}/dispute`);
  await tellAll(payment);
  const { alerts } = (await stack.call('GET', '/internal/alerts?limit=100')).body as AlertPage;
  const idOf = (kind: string) =>
    alerts.find((alert) => alert.kind === kind && alert.orderId === payment.order.orderId)!.id;
  const resolve = async (id: string, as: { id: number; role: 'admin' | 'business' } | null, body: object) =>
    stack.call('POST', `/api/platform/alerts/${encodeURIComponent(id)}/resolve`, body, {
      ...(as && { authorization: `Bearer ${await stack.identity.tokenFor(as)}` }),
    });
  const admin = { id: 1, role: 'admin' as const };
  const note = { note: 'The organizer agreed to it' };
  const [part, dispute] = [idOf('partly-refunded'), idOf('dispute-opened')];
  expect((await resolve(part, null, note)).status).toBe(401);
  expect((await resolve(part, { id: 2, role: 'business' }, note)).status).toBe(403);
  for (const body of [{}, { note: ' ' }, { note: 'a'.repeat(501) }, { ...note, kind: 'other-currency' }])
    expect((await resolve(part, admin, body)).status).toBe(400);
  for (const id of ['x', `${payment.order.orderId}:partly-refunded:re_none`, `${part}\0`, randomUUID()])
    expect((await resolve(id, admin, note)).status).toBe(404);
  expect(await resolve(dispute, admin, note)).toMatchObject({ status: 409, body: { code: 'ends-by-itself' } });
  const answers = await Promise.all([1, 2, 3].map(() => resolve(part, admin, note)));
  for (const { status, body } of answers)
    expect([status, body.id, body.resolvedAt === null]).toEqual([200, part, false]);
  expect(await alertsOf(payment)).toEqual(['dispute-opened']);
  const kept = await stack.query(`select user_id, data ->> 'note' as note from events where type = 'AlertResolved'`);
  expect(kept).toEqual([{ user_id: 1, ...note }]);
  // Repeated reports raise no alert.
  await tellAll(payment);
  expect(await alertsOf(payment)).toEqual(['dispute-opened']);
});

test('alerts are listed newest first, page by page', async () => {
  for (let n = 0; n < 3; n++) {
    const payment = await paid();
    await stack.dashboard(`/intents/${payment.paymentId}/refund`, { amount: 99 });
    await tellAll(payment);
  }
  const all = (await stack.call('GET', '/internal/alerts?limit=100')).body as AlertPage;
  const seen: string[] = [];
  let next: string | null = null;
  do {
    const page: AlertPage = (await stack.call('GET', `/internal/alerts?limit=2${next ? `&before=${next}` : ''}`)).body;
    seen.push(...page.alerts.map(({ id }) => id));
    next = page.next;
  } while (next);
  expect(seen).toEqual(all.alerts.map(({ id }) => id));
  expect(all.alerts.map(({ raisedAt }) => raisedAt)).toEqual(
    all.alerts
      .map(({ raisedAt }) => raisedAt)
      .sort()
      .reverse(),
  );
  const uuid = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
  const at = '1795341600123456';
  for (const parts of [
    ['1x', uuid, 'a', 'b'],
    // PostgreSQL rejects this date.
    ['2026-19-39 29:00:00+00', uuid, 'a', 'b'],
    [at, '-'.repeat(36), 'a', 'b'],
    [at, uuid, 'a\0', 'b'],
    [at, uuid, 'a'],
  ])
    expect(
      (await stack.call('GET', `/internal/alerts?before=${Buffer.from(JSON.stringify(parts)).toString('base64url')}`))
        .status,
    ).toBe(400);
  expect((await stack.call('GET', '/internal/alerts?before=x')).status).toBe(400);
  expect((await stack.call('GET', '/internal/alerts?limit=0')).status).toBe(400);
});
