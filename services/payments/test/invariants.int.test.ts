import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { InvariantCheck } from '@beltway/contracts/ops';
import { ordersOf, type Orders } from './orders.ts';
import { startStack, type Stack } from './stack.ts';

const NEITHER = 'a payment that succeeded is fulfilled or refunded';
const BOTH = 'no payment is both fulfilled and refunded';
const SUM = 'the money ledger sums to zero';
const AGREES = 'the money ledger agrees with the payments';

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
  for (const table of ['payments', 'refunds', 'ledger_entries']) await stack.query(`delete from ${table}`);
});

/** The checks that fail, with what they point at. */
async function violated(): Promise<Record<string, string[]>> {
  const { checks } = (await stack.call('GET', '/internal/invariants')).body as { checks: InvariantCheck[] };
  expect(checks.map(({ name }) => name)).toEqual([NEITHER, BOTH, SUM, AGREES]);
  for (const { ok, violations, examples } of checks)
    expect([ok, violations]).toEqual([examples.length === 0, examples.length]);
  return Object.fromEntries(checks.filter(({ ok }) => !ok).map(({ name, examples }) => [name, examples]));
}
const aMinuteAgo = (orderId: string) =>
  stack.query(`update payments set succeeded_at = now() - interval '61 seconds' where id = $1`, [orderId]);

test('money for which nothing was given after a minute', async () => {
  const forgotten = await paid();
  expect(await violated()).toEqual({});
  await aMinuteAgo(forgotten.order.orderId);
  expect(await violated()).toEqual({ [NEITHER]: [forgotten.order.orderId] });
  await purchased(forgotten);
  await until(forgotten.order.orderId, 'PaymentFulfilled');
  expect(await violated()).toEqual({});
});

test('a refund, asked for or done, is something given', async () => {
  const late = await paid();
  await askRefund(late);
  await until(late.order.orderId, 'RefundRequested');
  await aMinuteAgo(late.order.orderId);
  expect(await violated()).toEqual({});
  await until(late.order.orderId, 'PaymentRefunded');
  expect(await violated()).toEqual({});
});

test('an order undone, its tickets first and its money back after, is no mistake', async () => {
  const undone = await paid();
  await purchased(undone);
  await askRefund(undone, 'event-cancelled');
  await until(undone.order.orderId, 'PaymentRefunded');
  expect(await stack.events(undone.order.orderId)).toContain('PaymentFulfilled');
  expect(await violated()).toEqual({});
});

test('tickets for money that was already on its way back are a mistake', async () => {
  const mistaken = await paid();
  await askRefund(mistaken, 'event-cancelled');
  await purchased(mistaken);
  await until(mistaken.order.orderId, 'PaymentFulfilled');
  expect(await violated()).toEqual({ [BOTH]: [mistaken.order.orderId] });
});

test('an order that got its tickets cannot have come too late', async () => {
  const mistaken = await paid();
  await purchased(mistaken);
  await askRefund(mistaken, 'too-late');
  await until(mistaken.order.orderId, 'PaymentRefunded');
  expect(await violated()).toEqual({ [BOTH]: [mistaken.order.orderId] });
});

test('a cent too much in the ledger', async () => {
  const { order } = await paid();
  await stack.query(
    `update ledger_entries set amount_cents = amount_cents + 1 where payment_id = $1 and account = 'platform'`,
    [order.orderId],
  );
  expect(await violated()).toEqual({ [SUM]: [order.orderId] });
  await stack.query(`delete from ledger_entries where payment_id = $1`, [order.orderId]);
  expect(await violated()).toEqual({ [AGREES]: [order.orderId] });
});
