import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore, type Store } from '@beltway/event-store';
import { testDatabase, type TestDatabase } from '@beltway/kit/testing';
import type { PaymentCommand, PaymentTerms } from '../src/payment/events.ts';
import { openPayments } from '../src/payment/stream.ts';
import { rebuild } from '../src/rebuild.ts';
import { toMessages } from '../src/publish.ts';
import { ownMigrations } from './stack.ts';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await testDatabase(ownMigrations);
  store = openStore({ url: database.url, toMessages });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

/** Possible histories of a payment, command by command. */
function fates(orderId: string): PaymentCommand[][] {
  const terms = (paymentId: string): PaymentTerms => ({
    ...{ id: orderId, paymentId, amountCents: 5_099, organizerId: 3, buyerId: null },
    bought: { purpose: 'tickets', orderId, eventId: 7 },
  });
  const [first, second] = [terms(`pi_${orderId}`), terms(`pi_${orderId}_2`)];
  const update = (of: PaymentTerms) => ({ paymentId: of.paymentId, terms: of });
  const request = (of: PaymentTerms): PaymentCommand => ({ type: 'RequestPayment', terms: of, clientSecret: 'sealed' });
  const paid = (of: PaymentTerms): PaymentCommand => ({ type: 'RecordSuccess', amountCents: 5_099, ...update(of) });
  const handed: PaymentCommand = { type: 'RecordFulfillment', paymentId: first.paymentId };
  const back: PaymentCommand = {
    ...{ type: 'RequestRefund', paymentId: first.paymentId, amountCents: 5_099, reason: 'too-late' },
  };
  const refunded: PaymentCommand = {
    type: 'RecordRefund',
    refundId: `re_${orderId}`,
    amountCents: 5_099,
    ...update(first),
  };
  return [
    [request(first)],
    [request(first), { type: 'RecordProcessing', ...update(first) }],
    [
      request(first),
      { type: 'RecordFailure', attempt: 'ch_1', code: 'card_declined', ...update(first) },
      paid(first),
      handed,
    ],
    [request(first), { type: 'RecordCancellation', ...update(first) }, request(second), paid(second)],
    [request(first), back, paid(first), refunded],
    [
      request(first),
      paid(first),
      back,
      { type: 'RecordRefundFailure', refundId: 're_0', code: 'x', amountCents: 5_099, ...update(first) },
    ],
    [paid(first), refunded],
  ];
}

test('projecting several log events of many payments together gives the same rows as replaying them one by one', async () => {
  const payments = openPayments(store);
  const orders = Array.from({ length: 42 }, () => randomUUID());
  const fateOf = (orderId: string, index: number) => fates(orderId)[index % 7]!;
  // Sends all commands concurrently, so that commands of the same payment and of different payments share appends.
  await Promise.all(
    orders.flatMap((orderId, index) =>
      fateOf(orderId, index).map((command) => payments.handle(orderId, command, { commandId: randomUUID() })),
    ),
  );
  const { rows } = await store.pool.query<{ status: string; payments: number }>(
    'select status, count(*)::int as payments from payments group by status order by status',
  );
  expect(rows).toEqual([
    { status: 'open', payments: 6 },
    { status: 'processing', payments: 6 },
    { status: 'refunded', payments: 12 },
    { status: 'succeeded', payments: 18 },
  ]);
  const { rows: refunds } = await store.pool.query<{ status: string; refunds: number }>(
    'select status, count(*)::int as refunds from refunds group by status order by status',
  );
  expect(refunds).toEqual([
    { status: 'due', refunds: 6 },
    { status: 'refunded', refunds: 12 },
  ]);
  const { rows: shared } = await store.pool.query<{ commits: number }>(
    'select count(distinct tx)::int as commits from events',
  );
  expect(shared[0]!.commits).toBeLessThan(orders.length);

  const { tables, events } = await rebuild(database.url);
  expect(events).toBeGreaterThan(100);
  expect(tables.map(({ table, before, after }) => ({ table, same: before === after }))).toEqual([
    { table: 'payments', same: true },
    { table: 'refunds', same: true },
    { table: 'part_refunds', same: true },
    { table: 'ledger_entries', same: true },
    { table: 'alerts', same: true },
    { table: 'payout_accounts', same: true },
    { table: 'payouts', same: true },
    { table: 'revenue_days', same: true },
  ]);
});
