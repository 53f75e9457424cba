import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
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

/** A sale whose row says what its log says; answers whether the check finds something. */
async function isOversold(
  history: Array<[type: string, data: object]>,
  row: [capacity: number, sold: number, held: number],
) {
  const { pool, log } = await open();
  for (const [index, [type, data]] of history.entries()) await log('sale-42', index + 1, type, data);
  await pool.query(
    `insert into availability (event_id, organiser_id, capacity, price_cents, sold, held, version) values (42, 1, $1, 100, $2, $3, 1)`,
    row,
  );
  const found = (await invariants(pool)).find(({ name }) => name.includes('capacity'));
  return found?.examples.includes('42');
}
const hold = (quantity: number) => ['TicketsHeld', { quantity }] as [string, object];
const release = (quantity: number, reason: string) => ['HoldReleased', { quantity, reason }] as [string, object];

test('a grant beyond the capacity is found, also when it is over at the end', async () => {
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
    ['TicketsSold', { quantity: 40, fromHold: 40 }],
    release(20, 'replaced'),
    hold(15),
  ];
  expect(await isOversold(lowered, [50, 40, 15])).toBe(false);
  expect(await isOversold([...lowered, release(15, 'expired'), hold(11)], [50, 40, 11])).toBe(true);
  expect(await isOversold([...lowered.slice(0, -1), hold(21)], [50, 40, 21])).toBe(true);
  expect(await isOversold([...lowered, ['TicketsSold', { quantity: 1, fromHold: 0 }]], [50, 41, 15])).toBe(true);
});

test('a ticket that was checked in twice is found in the log', async () => {
  const { pool, log } = await open();
  const checkIn = (ticket: string, version: number) => log(`ticket-${ticket}`, version, 'TicketCheckedIn');
  const found = async () => (await invariants(pool)).find(({ name }) => name.includes('checked in'));
  await checkIn('a', 1);
  await checkIn('b', 1);
  expect(await found()).toMatchObject({ ok: true, violations: 0 });
  await checkIn('b', 2);
  expect(await found()).toMatchObject({ ok: false, violations: 1, examples: ['ticket-b'] });
});

test('tells what sales charge, for the gateway to compare with what the catalog shows', async () => {
  const { pool } = await open();
  await pool.query(
    `insert into availability (event_id, organiser_id, capacity, price_cents, closed, version)
     values (42, 1, 5, 2500, null, 1), (43, 1, 5, 100, 'withdrawn', 1), (44, 1, 5, 900, null, 1)`,
  );
  const { prices } = await chargedPrices(pool, [42, 43, 99]);
  expect(prices.toSorted((a, b) => a.eventId - b.eventId)).toEqual([
    { eventId: 42, priceCents: 2500, isClosed: false },
    { eventId: 43, priceCents: 100, isClosed: true },
  ]);
});
