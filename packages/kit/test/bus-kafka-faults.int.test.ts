import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Message } from '@beltway/contracts/common/basics';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Bus, Delivery } from '../src/bus/bus.ts';
import { eventuallyPasses as eventually } from '../src/testing/testing.ts';
import { startBroker, type TestBroker } from '@beltway/test-engines/kafka';
import { expectOrder, logged, openWarm, publishing, times } from './publishing.ts';

// Tests faults of the broker that the Kafka bus survives. The test always has its own broker, even if KAFKA_BROKERS
// names another broker, because the test kills the broker. vitest fails the run for any unhandled rejection.

/** `KAFKA_AWAY_SECONDS=60 npx vitest run --project kafka faults` runs with a longer outage. */
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

const faults: [string, () => Promise<void>][] = [
  [
    'killed and restarted immediately',
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
  'the broker is %s: nothing is lost, the order is kept, all recover automatically',
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
    // A publisher never waits for the broker's return: if a request gets no response, the requests that are queued
    // behind it are rejected too.
    expect(publisher.slowest()).toBeLessThan(3 * times.wait);

    await eventually(async () => expect(await bus.lag(group, [topic])).toEqual({ [topic]: 0 }));
    const kept = await logged(bus, topic);
    const keptIds = new Set(kept.map(({ id }) => id));
    expect(publisher.published.filter((id) => !keptIds.has(id))).toEqual([]);
    expectOrder(kept);
    // A message whose publishing was rejected may be in the log. Every message in the log reaches all readers.
    await eventually(() => expect(heard.length).toBeGreaterThanOrEqual(kept.length));
    expect(new Set(handled.map(({ id }) => id))).toEqual(keptIds);
    expectOrder(handled);
    // A tail receives each position of the log once, despite all outages.
    expect(heard.map(({ id }) => id).toSorted()).toEqual(kept.map(({ id }) => id).toSorted());
    await eventually(async () => expect(await bus.healthy()).toBe(true));
  },
);
