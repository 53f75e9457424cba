import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { InvariantCheck } from '@beltway/contracts/ops/invariants';
import { invariants } from '../src/invariants.ts';
import { ordersOf, type Orders } from './orders.ts';
import { startStack, type Stack } from './stack.ts';

const NEITHER = 'a payment that succeeded is fulfilled or refunded';
const BOTH = 'no payment is both fulfilled and refunded';
const SUM = 'the money ledger sums to zero';
const AGREES = 'the money ledger agrees with the payments';
const SHARES = 'organizers’ shares agree with the money ledger';
/** Checked in revenue.int.test.ts: this file deletes rows by hand, which the sums still include. */
const DAYS = 'the revenue of days agrees with the payments';
const JOBS = 'no job was given up';
const ACCOUNTS = 'organizers’ accounts have at the provider what the ledger says';
const DISPUTES = 'the ledger has what closed disputes took';
const PROVIDER = 'the provider holds of each payment what the ledger says';

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
beforeEach(async () => {
  for (const table of ['payments', 'refunds', 'ledger_entries', 'alerts']) await stack.query(`delete from ${table}`);
});

/** The failing checks, with their examples. */
async function violated(): Promise<Record<string, string[]>> {
  const { checks } = (await stack.call('GET', '/internal/invariants')).body as { checks: InvariantCheck[] };
  expect(checks.map(({ name }) => name)).toEqual([
    NEITHER,
    BOTH,
    SUM,
    AGREES,
    SHARES,
    DAYS,
    JOBS,
    ACCOUNTS,
    DISPUTES,
    PROVIDER,
  ]);
  for (const { ok, violations, examples } of checks)
    expect([ok, violations]).toEqual([examples.length === 0, examples.length]);
  const seen = checks.filter(({ name }) => name !== DAYS);
  return Object.fromEntries(seen.filter(({ ok }) => !ok).map(({ name, examples }) => [name, examples]));
}
const aMinuteAgo = (orderId: string) =>
  stack.query(`update payments set succeeded_at = now() - interval '61 seconds' where id = $1`, [orderId]);

test('a payment without tickets or refund after a minute is found', async () => {
  const forgotten = await paid();
  expect(await violated()).toEqual({});
  await aMinuteAgo(forgotten.order.orderId);
  expect(await violated()).toEqual({ [NEITHER]: [forgotten.order.orderId] });
  await purchased(forgotten);
  await until(forgotten.order.orderId, 'PaymentFulfilled');
  expect(await violated()).toEqual({});
});

test('for the check, a requested or completed refund counts like fulfillment', async () => {
  const late = await paid();
  await askRefund(late);
  await until(late.order.orderId, 'RefundRequested');
  await aMinuteAgo(late.order.orderId);
  expect(await violated()).toEqual({});
  await until(late.order.orderId, 'PaymentRefunded');
  expect(await violated()).toEqual({});
});

test('an order whose tickets and then money were returned is no violation', async () => {
  const undone = await paid();
  await purchased(undone);
  await askRefund(undone, 'event-canceled');
  await until(undone.order.orderId, 'PaymentRefunded');
  expect(await stack.events(undone.order.orderId)).toContain('PaymentFulfilled');
  expect(await violated()).toEqual({});
});

test('tickets for a payment that was already being refunded are a violation', async () => {
  const mistaken = await paid();
  await askRefund(mistaken, 'event-canceled');
  await purchased(mistaken);
  await until(mistaken.order.orderId, 'PaymentFulfilled');
  expect(await violated()).toEqual({ [BOTH]: [mistaken.order.orderId] });
});

test('a fulfilled order with a refund for lateness is a violation', async () => {
  const mistaken = await paid();
  await purchased(mistaken);
  await askRefund(mistaken, 'too-late');
  await until(mistaken.order.orderId, 'PaymentRefunded');
  expect(await violated()).toEqual({ [BOTH]: [mistaken.order.orderId] });
});

test('one cent too much in the ledger is found', async () => {
  const { order } = await paid();
  await stack.query(
    `update ledger_entries set amount_cents = amount_cents + 1 where payment_id = $1 and account = 'platform'`,
    [order.orderId],
  );
  expect(await violated()).toEqual({ [SUM]: [order.orderId] });
  await stack.query(`delete from ledger_entries where payment_id = $1`, [order.orderId]);
  expect(await violated()).toEqual({ [AGREES]: [order.orderId], [SHARES]: [order.orderId] });
});

test.each(['owed_cents', 'transferred_cents'])('one cent too much in the %s that the workers use', async (column) => {
  const { order } = await paid();
  expect(await violated()).toEqual({});
  await stack.query(`update payments set ${column} = ${column} + 1 where id = $1`, [order.orderId]);
  expect(await violated()).toEqual({ [SHARES]: [order.orderId] });
});

test('after a refund in the dashboard ticketing has a minute to return the tickets', async () => {
  const payment = await paid();
  await purchased(payment);
  await until(payment.order.orderId, 'PaymentFulfilled');
  await stack.dashboard(`/intents/${payment.paymentId}/refund`);
  for (const event of await stack.providerEvents(payment.paymentId)) await stack.tell(event);
  expect(await violated()).toEqual({});
  await stack.query(`update refunds set requested_at = now() - interval '61 seconds' where id = $1`, [
    payment.order.orderId,
  ]);
  expect(await violated()).toEqual({ [BOTH]: [payment.order.orderId] });
  await askRefund(payment, 'refunded-by-provider');
  await until(payment.order.orderId, 'RefundRequested');
  expect(await violated()).toEqual({});
});

describe('the check of the provider’s records', () => {
  // Needs a separate sandbox, because the check reads all charges of a day.
  let own: Stack;
  let pay: Orders['paid'];
  beforeAll(async () => {
    own = await startStack();
    pay = ordersOf(own).paid;
  });
  afterAll(() => own.stop());
  const check = async (settledMs = 0) => (await invariants({ ...own.deps, settledMs })).at(-1)!;

  test('matches the ledger for paid, wholly or partly refunded and disputed payments', async () => {
    const payments = [await pay(), await pay(), await pay('pm_card_createDispute')];
    await own.dashboard(`/intents/${payments[0]!.paymentId}/refund`);
    await own.dashboard(`/intents/${payments[1]!.paymentId}/refund`, { amount: 99 });
    const [dispute] = (await own.stripe.disputes.list()).data;
    await own.stripe.disputes.close(dispute!.id);
    const unreported = await check();
    expect(unreported).toMatchObject({ name: PROVIDER, ok: false, violations: 2 });
    expect(unreported.examples.sort()).toEqual([payments[0]!.order.orderId, payments[1]!.order.orderId].sort());
    for (const { paymentId } of payments)
      for (const event of await own.providerEvents(paymentId)) expect((await own.tell(event)).status).toBe(200);
    expect(await check()).toMatchObject({ ok: true, violations: 0 });
    // Changes younger than ten minutes may still be in transit.
    await own.query(`delete from ledger_entries where payment_id = $1`, [payments[2]!.order.orderId]);
    expect(await check(600_000)).toMatchObject({ ok: true });
    expect(await check()).toMatchObject({ ok: false, examples: [payments[2]!.order.orderId] });
    await own.query(`delete from payments where id = $1`, [payments[2]!.order.orderId]);
    expect(await check()).toMatchObject({ ok: false, examples: [payments[2]!.order.orderId] });
  });

  test('compares the money taken by closed disputes: any amount, and nothing for a dispute that was won after all', async () => {
    const disputes = async (settledMs = 0) =>
      (await invariants({ ...own.deps, settledMs })).find(({ name }) => name === DISPUTES)!;
    const { order, paymentId } = await pay();
    const dispute = await own.dashboard(`/intents/${paymentId}/dispute`, { amount: 6_000 });
    await own.dashboard(`/disputes/${dispute.id}/close`, { outcome: 'lost' });
    await own.eventually(async () => (await disputes()).examples.includes(order.orderId));
    // A report younger than ten minutes may still be in transit.
    expect(await disputes(600_000)).toMatchObject({ ok: true });
    const tellAll = async () => {
      for (const event of await own.providerEvents(paymentId)) expect((await own.tell(event)).status).toBe(200);
    };
    await tellAll();
    expect((await disputes()).examples).not.toContain(order.orderId);
    await own.dashboard(`/disputes/${dispute.id}/reverse`);
    await own.eventually(async () => (await disputes()).examples.includes(order.orderId));
    await tellAll();
    expect((await disputes()).examples).not.toContain(order.orderId);
  });

  test('finds money in our books that the provider does not have', async () => {
    const { order } = await pay();
    const before = (await check()).violations;
    await own.query(`update payments set stripe_payment_intent_id = 'pi_nobody_knows' where id = $1`, [order.orderId]);
    expect((await check()).violations).toBe(before + 2); // the charge without a payment, the payment without a charge
  });

  test('is unchecked while the provider is down, and reports that', async () => {
    await own.away();
    expect(await check()).toMatchObject({ ok: true, unchecked: 'The provider does not answer.' });
    await own.back();
    expect(await check()).not.toHaveProperty('unchecked');
  });
});
