import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { linesOf } from '@beltway/contracts/testing/lines';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { openPool } from '@beltway/kit/postgres';
import { testDatabase } from '@beltway/kit/testing';
import { invariants } from '../src/invariants.ts';
import { chargedPrices } from '../src/sale/queries.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const closing: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function open() {
  const database = await testDatabase([
    eventStoreMigrations,
    folder('../../../packages/kit/migrations/inbox'),
    folder('../../../packages/kit/migrations/jobs'),
    folder('../prisma/migrations'),
  ]);
  const pool = openPool(database.url);
  closing.push(database.drop, () => pool.end());
  const log = (stream: string, version: number, type: string, data: object = {}) =>
    pool.query(
      `insert into events (stream, version, type, data, correlation_id, causation_id, occurred_at) values ($1, $2, $3, $4, 'c', 'c', now())`,
      [stream, version, type, data],
    );
  return { pool, log };
}

/** Stores a sale with this log and this row; returns whether the check reports it. */
async function isOversold(
  history: Array<[type: string, data: object]>,
  row: [capacity: number, sold: number, held: number],
) {
  const { pool, log } = await open();
  for (const [index, [type, data]] of history.entries()) await log('sale-42', index + 1, type, data);
  await pool.query(
    `insert into availability (event_id, organizer_id, capacity, price_cents, sold, held, version) values (42, 1, $1, 100, $2, $3, 1)`,
    row,
  );
  const found = (await invariants(pool)).find(({ name }) => name.includes('capacity'));
  return found?.examples.includes('42');
}
const hold = (quantity: number) => ['TicketsHeld', { lines: linesOf(quantity) }] as [string, object];
const release = (quantity: number, reason: string) =>
  ['HoldReleased', { lines: linesOf(quantity), reason }] as [string, object];

test('a grant beyond the capacity is found, even if it no longer exists at the end of the log', async () => {
  const history = [['SaleOpened', { capacity: 5 }] as [string, object], hold(3), hold(3), release(3, 'expired')];
  expect(await isOversold(history, [5, 0, 3])).toBe(true);
  expect(await isOversold([...history.slice(0, 2), hold(2)], [5, 0, 5])).toBe(false);
});

test('a capacity lowered below sold and held breaks no invariant; a grant after it does', async () => {
  const lowered: Array<[string, object]> = [
    ['SaleOpened', { capacity: 70 }],
    hold(40),
    hold(20),
    ['SaleChanged', { capacity: 50 }],
    ['TicketsSold', { lines: linesOf(40), fromHold: linesOf(40) }],
    release(20, 'replaced'),
    hold(15),
  ];
  expect(await isOversold(lowered, [50, 40, 15])).toBe(false);
  expect(await isOversold([...lowered, release(15, 'expired'), hold(11)], [50, 40, 11])).toBe(true);
  expect(await isOversold([...lowered.slice(0, -1), hold(21)], [50, 40, 21])).toBe(true);
  expect(await isOversold([...lowered, ['TicketsSold', { lines: linesOf(1), fromHold: [] }]], [50, 41, 15])).toBe(true);
});

test.each([
  ['a refund of a cent too much', 'update order_refunds set amount_cents = amount_cents + 1'],
  ['a ticket that is refunded twice', 'update order_refunds set quantity = 2, amount_cents = 5000'],
  ['a refund whose ticket stands', 'update tickets set refund_id = null'],
  ['a ticket that ended without a refund', 'delete from order_refunds'],
  ['an order that counts another number', 'update orders set returned = 2'],
  ['an order that counts another amount', 'update orders set returned_cents = 2400'],
  ['an order without tickets that is not refunded', 'update orders set quantity = 1'],
])('%s is found', async (_what, mistake) => {
  const { pool } = await open();
  const order = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
  const found = async () => (await invariants(pool)).find(({ name }) => name.includes('refunded at most once'));
  await pool.query(
    `insert into orders (order_id, event_id, quantity, lines, total_cents, status, held_at, hold_until, returned, returned_cents)
     values ($1, 42, 2, '[]', 5000, 'fulfilled', now(), now(), 1, 2500)`,
    [order],
  );
  await pool.query(
    `insert into tickets (id, order_id, event_id, code, ordinal, type, price_cents, refund_id, sold_at)
     select gen_random_uuid(), $1, 42, 'code-' || n, n, 'general', 2500, case n when 1 then gen_random_uuid() end, now()
     from generate_series(1, 2) n`,
    [order],
  );
  await pool.query(
    `insert into order_refunds (refund_id, order_id, event_id, cause, quantity, amount_cents, requested_at)
     values (gen_random_uuid(), $1, 42, 'refunded-by-admin', 1, 2500, now())`,
    [order],
  );
  expect(await found()).toMatchObject({ ok: true, violations: 0 });
  await pool.query(mistake);
  expect(await found()).toMatchObject({ ok: false, violations: 1, examples: [order] });
});

test("reports the prices of sales, for the gateway to compare with the catalog's", async () => {
  const { pool } = await open();
  await pool.query(
    `insert into availability (event_id, organizer_id, capacity, price_cents, closed, version)
     values (42, 1, 5, 2500, null, 1), (43, 1, 5, 100, 'withdrawn', 1), (44, 1, 5, 900, null, 1)`,
  );
  const { prices } = await chargedPrices(pool, [42, 43, 99]);
  expect(prices.toSorted((a, b) => a.eventId - b.eventId)).toEqual([
    { eventId: 42, priceCents: 2500, isClosed: false },
    { eventId: 43, priceCents: 100, isClosed: true },
  ]);
});
