import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { silent, type Bus, type Published } from '../src/bus/bus.ts';
import { openEmbeddedBus } from '../src/bus/embedded/bus.ts';
import { partitionOf } from '../src/bus/partition.ts';
import { skipSaidNumbers } from '../src/bus/said-numbers.ts';
import { versionsAhead } from '../src/bus/versions-ahead.ts';
import { openPool } from '../src/postgres/pool.ts';
import { testDatabase, type TestDatabase } from '../src/testing/testing.ts';
import { counted } from './bus-contract.ts';

const TOPIC = 'test.events';
let databases: TestDatabase[];
let bus: Bus;
let pool: ReturnType<typeof openPool>;

beforeAll(async () => {
  databases = await Promise.all([
    testDatabase([eventStoreMigrations]),
    testDatabase([new URL('../migrations/bus', import.meta.url).pathname]),
  ]);
  pool = openPool(databases[0]!.url);
});
afterAll(async () => {
  await pool.end();
  await Promise.all(databases.map((database) => database.drop()));
});
beforeEach(async () => {
  await pool.query('create sequence numbers as integer');
  bus = await openEmbeddedBus({ url: databases[1]!.url });
  await bus.ensureTopics([TOPIC]);
});
afterEach(async () => {
  await bus.close();
  await pool.query('drop sequence numbers; delete from events');
  const busPool = openPool(databases[1]!.url);
  await busPool.query('delete from bus_messages; update bus_partitions set next_offset = 0');
  await busPool.end();
});

const errors: object[] = [];
const skip = () =>
  skipSaidNumbers({
    ...{ bus, pool, topic: TOPIC, category: 'user', sequence: 'numbers' },
    log: { ...silent, error: (fields) => void errors.push(fields) },
  });
const next = async () => Number((await pool.query<{ n: string }>(`select nextval('numbers') as n`)).rows[0]!.n);
const say = (...keys: string[]) =>
  bus.publish(
    TOPIC,
    keys.map((key) => counted(key, 1)),
  );

test('a published number is never assigned again, however many instances start concurrently', async () => {
  for (let n = 1; n <= 3; n++) expect(await next()).toBe(n);
  await say(...Array.from({ length: 41 }, (_, n) => `user-${n + 1}`));
  // Many newer messages follow the message with the greatest number.
  const partition = partitionOf('user-41');
  const neighbor = Array.from({ length: 40 }, (_, n) => `user-${n + 1}`).find((key) => partitionOf(key) === partition)!;
  await bus.publish(
    TOPIC,
    Array.from({ length: 600 }, (_, n) => counted(neighbor, n)),
  );
  await Promise.all([skip(), skip(), skip()]);
  expect(errors.splice(0)).toContainEqual(expect.objectContaining({ known: 3, said: 41 }));
  expect(await next()).toBeGreaterThan(41);
});

test('a complete log continues its numbers, and so does a first start', async () => {
  await skip();
  expect(await next()).toBe(1);
  await say('user-1');
  await skip();
  expect(await next()).toBe(2);
  expect(errors).toEqual([]);
});

test('only keys of numbered streams with valid numbers count', async () => {
  await say('user-0', 'user-07', 'user-', 'user-99999999999', 'superuser-9', 'user-9-b', 'event-9', 'user--9');
  await skip();
  expect(await next()).toBe(1);
});

test('the newest version of each stream is compared, whatever else the topic contains', async () => {
  const version = (key: string, number: unknown) =>
    ({ ...counted(key, 1), data: { version: number } }) as unknown as Published;
  await pool.query(
    `insert into events (stream, version, type, data, correlation_id, causation_id, occurred_at)
     select 'hall-1', n, 'Sold', '{}', 'c', 'c', now() from generate_series(1, 5) n`,
  );
  await bus.publish(TOPIC, [
    version('hall-1', 5),
    version('hall-2', 'six'),
    version('hall-2', -1),
    version('hall-2', 1.5),
    counted('hall-2', 9),
  ]);
  expect(await versionsAhead(bus, pool, TOPIC)).toEqual([]);
  await bus.publish(TOPIC, [version('hall-1', 7), version('hall-1', 6), version('hall-3', 1)]);
  expect(await versionsAhead(bus, pool, TOPIC)).toEqual([
    { stream: 'hall-1', said: 7, known: 5 },
    { stream: 'hall-3', said: 1, known: 0 },
  ]);
});
