import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { BusUnavailable, silent, type Bus, type BusLog } from '../src/bus/bus.ts';
import { openKafkaBus } from '../src/bus/kafka/bus.ts';
import { consume, on } from '../src/bus/consume.ts';
import { openBus } from '../src/bus/open.ts';
import { openPool } from '../src/postgres/pool.ts';
import { eventuallyPasses as eventually, testDatabase } from '../src/testing/testing.ts';
import { startBroker, type TestBroker } from '@beltway/test-engines/kafka';
import { counted, numberOf, type Counted } from './bus-contract.ts';
import { logged, openWarm, publishing, times } from './publishing.ts';

// Tests the responses of the Kafka bus while its broker is down, and their later effects. The test has its own broker.

let broker: TestBroker;
let bus: Bus;
let topic: string;
let group: string;

beforeAll(async () => {
  broker = await startBroker();
});
beforeEach(async () => {
  bus = await openWarm(broker.brokers);
  topic = `test-${randomUUID()}`;
  group = `group-${randomUUID()}`;
  await bus.ensureTopics([topic]);
});
afterEach(async () => {
  await broker.thaw();
  await bus.close();
});
afterAll(() => broker.stop());

test('while the broker is down, calls fail in time, failed publishes stay unpublished, and a start waits', async () => {
  await bus.subscribe({ group, topics: [topic], handle: async () => {} });
  await bus.publish(topic, [counted('a', 0)]);
  await broker.kill();
  const timed = async (work: Promise<unknown>, within: number): Promise<unknown> => {
    const began = performance.now();
    const answer = await work.then(
      (value) => value,
      (error: unknown) => error,
    );
    expect(performance.now() - began).toBeLessThan(within);
    return answer;
  };
  const inVain = (n: number) => bus.publish(topic, [counted('a', n)]);
  const { wait } = times;
  const answers = await Promise.all([
    timed(inVain(1), 3 * wait),
    timed(inVain(2), 3 * wait),
    timed(bus.lag(group, [topic]), 3 * wait),
    timed(logged(bus, topic), 3 * wait),
    timed(openKafkaBus({ brokers: broker.brokers, times }), 3 * wait),
  ]);
  for (const answer of answers) expect(answer).toBeInstanceOf(BusUnavailable);
  expect(await timed(inVain(3), 3 * wait)).toBeInstanceOf(BusUnavailable);
  expect(await timed(bus.healthy(), 2 * wait)).toBe(false);
  await timed(bus.close(), 5 * wait);
  const words: string[] = [];
  const log: BusLog = { ...silent, warn: (_, text) => void words.push(text), info: (_, text) => void words.push(text) };
  const opening = openBus({ KAFKA_BROKERS: broker.brokers }, log);
  await eventually(() => expect(words).toEqual(['bus: it does not answer, the start waits for it']));

  await broker.start();
  bus = await opening;
  expect(words.at(-1)).toBe('bus: it answers, going on with the start');
  await eventually(() => bus.publish(topic, [counted('a', 4)]));
  // Waits twice as long as kafkajs's pause between two attempts.
  await pause(2_000);
  const kept = (await logged(bus, topic)).map((message) => (message as Counted).data.n);
  expect([...new Set(kept)]).toEqual([0, 4]);
});

test('closes in bounded time while a commit is unanswered, and the batch is redelivered', async () => {
  await bus.publish(topic, [counted('a', 1)]);
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const handle = async () => {
    begun.resolve();
    await gate.promise;
  };
  await bus.subscribe({ group, topics: [topic], handle });
  await begun.promise;
  await broker.kill();
  const closed = bus.close();
  gate.resolve();
  expect(await Promise.race([closed.then(() => 'closed'), pause(15_000, 'still closing')])).toBe('closed');

  await broker.start();
  bus = await openWarm(broker.brokers);
  const again: number[] = [];
  await bus.subscribe({ group, topics: [topic], handle: async (batch) => void again.push(...batch.map(numberOf)) });
  await eventually(() => expect(again).toEqual([1]));
});

test('a message repeated after a silence is in the log twice, and has its effect once', async () => {
  const database = await testDatabase([new URL('../migrations/inbox', import.meta.url).pathname]);
  const pool = openPool(database.url);
  await pool.query('create table effects (id uuid)');
  const consumer = await consume({
    bus,
    pool,
    log: silent,
    group,
    topics: [topic],
    handlers: {
      'test.counted': on(
        z.object({ id: z.uuid() }),
        async ({ id }, tx) => void (await tx.query('insert into effects values ($1)', [id])),
      ),
    },
  });
  const publisher = publishing(bus, topic);
  await eventually(() => expect(publisher.published.length).toBeGreaterThan(20));
  await broker.freeze();
  await eventually(() => expect(publisher.refusals()).toBeGreaterThan(0));
  await broker.thaw();
  const before = publisher.published.length;
  await eventually(() => expect(publisher.published.length).toBeGreaterThan(before + 20));
  await publisher.stop();
  await eventually(async () => expect(await bus.lag(group, [topic])).toEqual({ [topic]: 0 }));

  const ids = (await logged(bus, topic)).map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(new Set(ids).size);
  const { rows } = await pool.query<{ id: string }>('select id from effects');
  expect(rows.map(({ id }) => id).toSorted()).toEqual([...new Set(ids)].toSorted());
  await consumer.stop();
  await pool.end();
  await database.drop();
});
