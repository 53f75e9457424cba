import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '@beltway/kit/testing';
import { serviceMigrations } from '../launcher/migrations.ts';
import { differences } from './differences.ts';

const databases = new Map<string, TestDatabase>();
beforeAll(async () => {
  for (const name of ['ticketing', 'payments', 'catalog', 'realtime'])
    databases.set(name, await testDatabase(serviceMigrations(name)));
});
afterAll(() => Promise.all([...databases.values()].map((database) => database.drop())));

const url = (name: string) => databases.get(name)!.url;

async function write(name: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url(name) });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

const id = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;
const OLD = `now() - interval '2 hours'`;
const payment = (digit: number, status: string, fulfilled: boolean, at = OLD) =>
  write(
    'payments',
    `insert into payments (id, event_id, organizer_id, order_id, purpose, stripe_payment_intent_id, amount, status, created_at, succeeded_at, fulfilled_at)
     values ('${id(digit)}', 42, 7, '${id(digit)}', 'tickets', 'pi_${digit}', 5000, '${status}', ${at}, ${at}, ${fulfilled ? at : 'null'})`,
  );
const order = (digit: number, status: string) =>
  write(
    'ticketing',
    `insert into orders (order_id, event_id, quantity, lines, total_cents, status, held_at, hold_until, payment_id, settled_at)
     values ('${id(digit)}', 42, 2, '[]', 5000, '${status}', ${OLD}, ${OLD}, 'pi_${digit}', ${OLD})`,
  );
const stock = (name: string, sold: number, version: number) =>
  write(
    name,
    `insert into stock (event_id, sold, held, version${name === 'realtime' ? ', capacity' : ''}) values (42, ${sold}, 0, ${version}${name === 'realtime' ? ', 10' : ''})
     on conflict (event_id) do update set sold = excluded.sold, version = excluded.version`,
  );

const listed = (eventId: number) =>
  write(
    'catalog',
    `insert into listings (event_id, organizer_id, status, title, description, location, tags, event_date, event_start_time, contact_email, has_tickets, ticket_sales_enabled,
       created_at, version)
     values (${eventId}, 7, 'published', 'Go-Go', '', 'U Street', '{}', now(), '20:00', '', true, true, now(), 1)`,
  );

const found = async () =>
  (await differences(url, 20)).filter(({ count }) => count > 0).map(({ what, examples }) => [what, ...examples]);

test('databases of one moment do not differ; each contradiction is reported once, work in progress never', async () => {
  await write(
    'ticketing',
    `insert into availability (event_id, organizer_id, capacity, price_cents, sold, held, version) values (42, 7, 10, 2500, 2, 0, 9)`,
  );
  await Promise.all([stock('catalog', 2, 9), stock('realtime', 2, 9), listed(42)]);
  await payment(1, 'succeeded', true);
  await order(1, 'fulfilled');
  await payment(2, 'refunded', true);
  await order(2, 'refunding');
  // This payment is younger than a minute, so its messages may still be in transit.
  await payment(3, 'succeeded', false, 'now()');
  // This order was refused or lost, but its refund is already requested.
  await payment(4, 'succeeded', false);
  await write(
    'payments',
    `insert into refunds (id, status, reason, after_fulfillment, requested_at) values ('${id(4)}', 'due', 'order-lost', false, now())`,
  );
  expect(await found()).toEqual([]);

  await payment(5, 'succeeded', true);
  await order(6, 'fulfilled');
  await payment(7, 'succeeded', true);
  await order(7, 'refunding');
  await payment(8, 'refunded', true);
  await order(8, 'fulfilled');
  await payment(9, 'succeeded', false);
  await order(9, 'fulfilled');
  await stock('catalog', 4, 15);
  await stock('realtime', 1, 7);
  await write(
    'ticketing',
    `insert into availability (event_id, organizer_id, capacity, price_cents, sold, held, version) values (43, 7, 10, 2500, 3, 0, 9)`,
  );
  const line = (digit: number) => expect.stringContaining(`${id(digit)}`);
  expect(await found()).toEqual([
    ['payments that succeeded, but are unknown to ticketing', line(5)],
    ['payments with tickets that payments does not know', line(9)],
    ['refunded payments with valid tickets', line(8)],
    ['orders with tickets, but without a succeeded payment', line(6)],
    ['orders to be refunded, without a request in payments', line(7)],
    ['sales whose stock catalog keeps differently', expect.stringContaining('version 15; ticketing has 2, 0, 9')],
    ['sales whose stock realtime keeps differently', expect.stringContaining('version 7; ticketing has 2, 0, 9')],
    ['sales of events that the catalog does not know', 'event 43: 3 sold'],
  ]);
});
