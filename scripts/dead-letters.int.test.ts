import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { silent, type Bus } from '@beltway/kit/bus';
import { openEmbeddedBus } from '@beltway/kit/bus/embedded';
import { deadLetterTopic, retryTopic } from '@beltway/kit/bus/dead-letter-topics';
import { listDeadLetters } from '@beltway/kit/bus/dead-letters';
import { park } from '@beltway/kit/bus/park';
import { testDatabase, type TestDatabase } from '@beltway/kit/testing';
import { runScript } from '../e2e/support/operations.ts';

const root = join(import.meta.dirname, '..');
const GROUP = 'ticketing.catalog';
let databases: { identity: TestDatabase; bus: TestDatabase };
let bus: Bus;
let identity: Client;

beforeAll(async () => {
  const [own, ofBus] = await Promise.all([
    testDatabase([
      eventStoreMigrations,
      ...[
        'packages/kit/migrations/jobs',
        'packages/kit/migrations/requests',
        'services/identity/prisma/migrations',
      ].map((folder) => join(root, folder)),
    ]),
    testDatabase([join(root, 'packages/kit/migrations/bus')]),
  ]);
  databases = { identity: own, bus: ofBus };
  bus = await openEmbeddedBus({ url: ofBus.url });
  identity = new Client({ connectionString: own.url });
  await identity.connect();
  for (const [id, role] of [
    [1, 'admin'],
    [2, 'user'],
  ])
    await identity.query(
      `insert into users (id, email, name, role, credential_id, created_at)
       values ($1, $2, $2, $3, gen_random_uuid(), now())`,
      [id, `${role}@example.test`, role],
    );
});
afterAll(async () => {
  await bus.close();
  await identity.end();
  await Promise.all([databases.identity.drop(), databases.bus.drop()]);
});

async function parked(): Promise<string> {
  await bus.ensureTopics([deadLetterTopic(GROUP), retryTopic(GROUP)]);
  const message = {
    ...{ id: randomUUID(), type: 'catalog.event-published', version: 1, key: 'event-7', data: {} },
    ...{ occurredAt: '2026-01-01T00:00:00.000Z', correlationId: 'x', causationId: 'x' },
  };
  const known = new Set((await listDeadLetters(bus)).map(({ id }) => id));
  await park(
    { bus, log: silent, group: GROUP },
    { topic: 'catalog.events', partition: 0, offset: 1n, message },
    new Error('a bug'),
    5,
    true,
  );
  return (await listDeadLetters(bus)).find(({ id }) => !known.has(id))!.id;
}

const run = (args: string[], env: Record<string, string> = { IDENTITY_DATABASE_URL: databases.identity.url }) =>
  runScript('dead-letters.ts', args, '/nowhere', { BUS_DATABASE_URL: databases.bus.url, KAFKA_BROKERS: '', ...env });
const entries = async () =>
  (await identity.query('select account_id as account, kind, subject, note from audit_entries order by at'))
    .rows as object[];
async function sent(): Promise<number> {
  let count = 0;
  await bus.replay(retryTopic(GROUP), async (batch) => void (count += batch.length));
  return count;
}

test('a replay is audited once before it is sent; without an admin’s account nothing is sent', async () => {
  const letter = await parked();
  expect((await run([])).output).toContain(letter);
  const refused: Array<[says: string, args: string[], env?: Record<string, string>]> = [
    ['--as', ['replay', letter]],
    ['--as', ['replay', '--all']],
    ['Usage', ['replay', letter, '--all', '--as', '1']],
    ['IDENTITY_DATABASE_URL', ['replay', letter, '--as', '1'], {}],
    ['is no admin', ['replay', letter, '--as', 'user@example.test']],
    ['is no admin', ['replay', letter, '--as', '99']],
    ['There is no dead letter', ['replay', randomUUID(), '--as', '1']],
  ];
  for (const [says, args, env] of refused)
    expect(await run(args, env), args.join(' ')).toMatchObject({ code: 1, output: expect.stringContaining(says) });
  expect([await entries(), await sent()]).toEqual([[], 0]);

  const done = await run(['replay', letter, '--as', 'Admin@example.test']);
  expect(done).toEqual({ code: 0, output: `replayed ${letter} to ${retryTopic(GROUP)}\n` });
  const entry = {
    account: 1,
    kind: 'dead-letter-replayed',
    subject: letter,
    note: `${GROUP}: catalog.event-published`,
  };
  expect([await entries(), await sent()]).toEqual([[entry], 1]);

  expect(await run(['replay', letter, '--as', '1'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('was replayed'),
  });
  expect([await entries(), await sent()]).toEqual([[entry], 1]);
});
