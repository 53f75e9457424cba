import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Message } from '@beltway/contracts/common';
import { BusUnavailable, silent, type Bus, type BusLog, type Delivery } from '../src/bus.ts';
import { openKafkaBus } from '../src/bus-kafka.ts';
import { TIMES, type Times } from '../src/bus-kafka-client.ts';
import { keepConsuming } from '../src/bus-kafka-consumer.ts';
import { consume, on } from '../src/consume.ts';
import { openPool } from '../src/postgres.ts';
import { testDatabase } from '../src/testing.ts';
import { startBroker, type TestBroker } from '../src/testing-kafka.ts';
import { counted, keys, numberOf, type Counted } from './bus-contract.ts';

// What the Kafka bus lives through. The broker is always one of our own, also where KAFKA_BROKERS names another: it is killed.

let broker: TestBroker;
let bus: Bus;
let topic: string;
let group: string;
const opened: Bus[] = [];
const warnings: string[] = [];
const log: BusLog = { ...silent, warn: (_, text) => void warnings.push(text) };

beforeAll(async () => {
  broker = await startBroker();
});
beforeEach(async () => {
  warnings.length = 0;
  bus = await open();
  topic = `test-${randomUUID()}`;
  group = `group-${randomUUID()}`;
  await bus.ensureTopics([topic]);
});
afterEach(async () => {
  await broker.thaw();
  await Promise.all(opened.splice(0).map((one) => one.close()));
});
afterAll(() => broker.stop());

/** All shorter than usual, and than the faults. */
const times = { wait: 2_000, request: 3_000, session: 3_000, rebalance: 5_000, still: 6_000 };

async function open(more: Partial<Times> = {}): Promise<Bus> {
  const one = await openKafkaBus({ brokers: broker.brokers, log, times: { ...times, ...more } });
  opened.push(one);
  return one;
}

const eventually = (check: () => void | Promise<void>, timeout = 30_000) =>
  vi.waitFor(check, { timeout, interval: 50 });

async function logged(): Promise<Message[]> {
  const all: Message[] = [];
  await bus.replay(topic, async (batch) => void all.push(...batch.map(({ message }) => message as Message)));
  return all;
}

/** Publishes until told to stop, each batch until it is in, as the relay does; several at once, as services do. */
function publishing(lanes = 3): {
  stop(): Promise<void>;
  published: string[];
  refusals: () => number;
  slowest: () => number;
} {
  const published: string[] = [];
  let [on, refusals, slowest] = [true, 0, 0];
  const lane = async (who: number) => {
    for (let n = 0; on; n++) {
      const messages = keys(6).map((key) => counted(key, n, `by ${who}`));
      for (;;) {
        const began = performance.now();
        try {
          await bus.publish(topic, messages);
          break;
        } catch (error) {
          expect(error).toBeInstanceOf(BusUnavailable);
          refusals++;
        } finally {
          slowest = Math.max(slowest, performance.now() - began);
        }
      }
      published.push(...messages.map(({ id }) => id));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const running = Promise.all(Array.from({ length: lanes }, (_, who) => lane(who)));
  return {
    published,
    refusals: () => refusals,
    slowest: () => slowest,
    async stop() {
      on = false;
      await running;
    },
  };
}

/** For each key and publisher the first appearance of each number is in order, and none is missing. */
function expectOrder(messages: Message[]): void {
  const next = new Map<string, number>();
  for (const { key, data } of messages as Counted[]) {
    const line = `${key} ${data.text}`;
    const due = next.get(line) ?? 0;
    expect(data.n, line).toBeLessThanOrEqual(due);
    next.set(line, Math.max(due, data.n + 1));
  }
}

const faults: [string, () => Promise<void>][] = [
  [
    'killed and started again at once',
    async () => {
      await broker.kill();
      await broker.start();
    },
  ],
  [
    'frozen for ten seconds',
    async () => {
      await broker.freeze();
      await new Promise((resolve) => setTimeout(resolve, 10_000));
      await broker.thaw();
    },
  ],
  [
    'away for twelve seconds',
    async () => {
      await broker.kill();
      await new Promise((resolve) => setTimeout(resolve, 12_000));
      await broker.start();
    },
  ],
];

test.each(faults)(
  'the broker is %s: nothing is lost, the order stays, all go on by themselves',
  { timeout: 150_000 },
  async (_, fault) => {
    const handled: Message[] = [];
    const heard: Message[] = [];
    const handle = async (batch: Delivery[]) => void handled.push(...batch.map(({ message }) => message as Message));
    await bus.subscribe({ group, topics: [topic], handle });
    await bus.tail([topic], (message) => void heard.push(message as Message));
    const publisher = publishing();
    await eventually(() => expect(handled.length).toBeGreaterThan(100));

    await fault();
    const before = publisher.published.length;
    await eventually(() => expect(publisher.published.length).toBeGreaterThan(before + 100));
    await publisher.stop();
    // A publisher is never kept waiting: those that came in behind a request without an answer are rejected with it.
    expect(publisher.slowest()).toBeLessThan(4_000);

    await eventually(async () => expect(await bus.lag(group, [topic])).toEqual({ [topic]: 0 }));
    const kept = await logged();
    const keptIds = new Set(kept.map(({ id }) => id));
    expect(publisher.published.filter((id) => !keptIds.has(id))).toEqual([]);
    expectOrder(kept);
    // What was rejected may be in the log; what is in the log reaches everyone.
    await eventually(() => expect(heard.length).toBeGreaterThanOrEqual(kept.length));
    expect(new Set(handled.map(({ id }) => id))).toEqual(keptIds);
    expectOrder(handled);
    // A tail has each place of the log once, across all gaps.
    expect(heard.map(({ id }) => id).toSorted()).toEqual(kept.map(({ id }) => id).toSorted());
    await eventually(async () => expect(await bus.healthy()).toBe(true));
  },
);

test('while the broker is away everything answers in time, and what comes in vain is not published later', async () => {
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
  for (let n = 1; n <= 3; n++)
    expect(await timed(bus.publish(topic, [counted('a', n)]), 3_000)).toBeInstanceOf(BusUnavailable);
  expect(await timed(bus.healthy(), 1_500)).toBe(false);
  expect(await timed(bus.lag(group, [topic]), 3_000)).toBeInstanceOf(BusUnavailable);
  expect(
    await timed(
      bus.replay(topic, async () => {}),
      3_000,
    ),
  ).toBeInstanceOf(BusUnavailable);
  expect(await timed(openKafkaBus({ brokers: broker.brokers, times }), 3_000)).toBeInstanceOf(BusUnavailable);
  await timed(bus.close(), 5_000);

  await broker.start();
  bus = await open();
  await bus.publish(topic, [counted('a', 4)]);
  // Twice what kafkajs waits between two tries.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect((await logged()).map((message) => (message as Counted).data.n)).toEqual([0, 4]);
});

test('what a publisher repeats after a silence is in the log twice, and has its effect once', async () => {
  const database = await testDatabase([new URL('../migrations/inbox', import.meta.url).pathname]);
  const pool = openPool(database.url);
  await pool.query('create table effects (id uuid)');
  const consumer = await consume({
    bus,
    pool,
    log,
    group,
    topics: [topic],
    handlers: {
      'test.counted': on(
        z.object({ id: z.uuid() }),
        async ({ id }, tx) => void (await tx.query('insert into effects values ($1)', [id])),
      ),
    },
  });
  const publisher = publishing();
  await eventually(() => expect(publisher.published.length).toBeGreaterThan(20));
  await broker.freeze();
  await eventually(() => expect(publisher.refusals()).toBeGreaterThan(0));
  await broker.thaw();
  const before = publisher.published.length;
  await eventually(() => expect(publisher.published.length).toBeGreaterThan(before + 20));
  await publisher.stop();
  await eventually(async () => expect(await bus.lag(group, [topic])).toEqual({ [topic]: 0 }));

  const ids = (await logged()).map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(new Set(ids).size);
  const { rows } = await pool.query<{ id: string }>('select id from effects');
  expect(rows.map(({ id }) => id).toSorted()).toEqual([...new Set(ids)].toSorted());
  await consumer.stop();
  await pool.end();
  await database.drop();
});

test('a member that crashes for good is started again', async () => {
  await bus.publish(topic, [counted('a', 1)]);
  const offsets: string[] = [];
  const member = await keepConsuming(
    { brokers: [broker.brokers], log, prefix: '', times: { ...TIMES, ...times } },
    {
      groupId: group,
      topics: [topic],
      concurrency: 1,
      async eachBatch({ batch }) {
        offsets.push(...batch.messages.map(({ offset }) => offset));
        // For kafkajs a mistake in the program, after which it stops and says nothing. No handler of ours lets it through.
        if (offsets.length < 3) throw new TypeError('undefined is not a function');
      },
    },
  );
  await eventually(() => expect(offsets.slice(0, 3)).toEqual(['0', '0', '0']));
  expect(warnings.filter((text) => text === 'bus: a group member failed and is started again')).toHaveLength(2);
  await member.stop();
});

test('a member that works for too long loses its partition to another, and its late commit moves nothing', async () => {
  const slow = await open({ rebalance: 1_500 });
  await slow.publish(
    topic,
    [1, 2, 3].map((n) => counted('a', n)),
  );
  const gate = Promise.withResolvers<void>();
  const mine: number[] = [];
  const theirs: number[] = [];
  const handle = async (batch: Delivery[]) => {
    mine.push(...batch.map(numberOf));
    await gate.promise;
  };
  await slow.subscribe({ group, topics: [topic], handle });
  await eventually(() => expect(mine).toEqual([1, 2, 3]));

  const others = await open({ rebalance: 1_500 });
  const member = await others.subscribe({
    group,
    topics: [topic],
    handle: async (batch) => void theirs.push(...batch.map(numberOf)),
  });
  await eventually(() => expect(theirs).toEqual([1, 2, 3]));
  await bus.publish(topic, [counted('a', 4)]);
  await eventually(() => expect(theirs).toEqual([1, 2, 3, 4]));
  await eventually(async () => expect(await bus.lag(group, [topic])).toEqual({ [topic]: 0 }));
  await member.stop();

  gate.resolve();
  await bus.publish(topic, [counted('a', 5)]);
  await eventually(() => expect(mine).toContain(5));
  expect(mine).toEqual([1, 2, 3, 5]);
  await eventually(async () => expect(await bus.lag(group, [topic])).toEqual({ [topic]: 0 }));
});
