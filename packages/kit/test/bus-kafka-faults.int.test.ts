import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Message } from '@beltway/contracts/common/basics';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Bus, Delivery } from '../src/bus/bus.ts';
import { startBroker, type TestBroker } from '@beltway/test-engines/kafka';
import { expectOrder, logged, openWarm, publishing, times } from './publishing.ts';

// What the Kafka bus lives through. The broker is one of our own, also where KAFKA_BROKERS names another: it is killed. That
// no promise is rejected with nobody listening is seen by vitest, which then fails the run.

/** `KAFKA_AWAY_SECONDS=60 npx vitest run --project kafka faults` is the same with more patience. */
const AWAY_SECONDS = Number(process.env['KAFKA_AWAY_SECONDS'] ?? 15);

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
afterEach(() => bus.close());
afterAll(() => broker.stop());

const eventually = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 30_000, interval: 50 });

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
      await pause(10_000);
      await broker.thaw();
    },
  ],
  [
    `away for ${AWAY_SECONDS} seconds`,
    async () => {
      await broker.kill();
      await pause(AWAY_SECONDS * 1_000);
      await broker.start();
    },
  ],
];

test.each(faults)(
  'the broker is %s: nothing is lost, the order stays, all go on by themselves',
  { timeout: 150_000 + AWAY_SECONDS * 1_000 },
  async (_, fault) => {
    const handled: Message[] = [];
    const heard: Message[] = [];
    const handle = async (batch: Delivery[]) => void handled.push(...batch.map(({ message }) => message as Message));
    await bus.subscribe({ group, topics: [topic], handle });
    await bus.tail([topic], (message) => void heard.push(message as Message));
    const publisher = publishing(bus, topic);
    await eventually(() => expect(handled.length).toBeGreaterThan(100));

    await fault();
    const before = publisher.published.length;
    await eventually(() => expect(publisher.published.length).toBeGreaterThan(before + 100));
    await publisher.stop();
    // A publisher is never kept waiting for the broker: those behind a request without an answer are rejected with it.
    expect(publisher.slowest()).toBeLessThan(3 * times.wait);

    await eventually(async () => expect(await bus.lag(group, [topic])).toEqual({ [topic]: 0 }));
    const kept = await logged(bus, topic);
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
