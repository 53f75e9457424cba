import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { openPool } from '@beltway/kit/postgres';
import { testDatabase } from '@beltway/kit/testing';
import { invariants } from '../src/invariants.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

test('a ticket that was checked in twice is found in the log', async () => {
  const database = await testDatabase([
    eventStoreMigrations,
    folder('../../../packages/kit/migrations/inbox'),
    folder('../prisma/migrations'),
  ]);
  const pool = openPool(database.url);
  const checkIn = (ticket: string, version: number) =>
    pool.query(
      `insert into events (stream, version, type, data, correlation_id, causation_id, occurred_at)
       values ($1, $2, 'TicketCheckedIn', '{}', 'c', 'c', now())`,
      [`ticket-${ticket}`, version],
    );
  const found = async () => (await invariants(pool)).find(({ name }) => name.includes('checked in'));
  await checkIn('a', 1);
  await checkIn('b', 1);
  expect(await found()).toMatchObject({ ok: true, violations: 0 });
  await checkIn('b', 2);
  expect(await found()).toMatchObject({ ok: false, violations: 1, examples: ['ticket-b'] });
  await pool.end();
  await database.drop();
});
