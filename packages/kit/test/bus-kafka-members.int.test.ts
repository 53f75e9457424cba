import { randomUUID } from 'node:crypto';
import kafkajs from 'kafkajs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { silent, type Bus, type BusLog, type Delivery } from '../src/bus/bus.ts';
import { openKafkaBus } from '../src/bus/kafka/bus.ts';
import { kafkaClient, TIMES, type Times } from '../src/bus/kafka/client.ts';
import { keepConsuming } from '../src/bus/kafka/consumer.ts';
import { consume, on } from '../src/bus/consume.ts';
import { listDeadLetters } from '../src/bus/dead-letters.ts';
import { openPool } from '../src/postgres/pool.ts';
import { eventuallyPasses as eventually, testDatabase } from '../src/testing/testing.ts';
import { testKafka, type TestKafka } from '@beltway/test-engines/kafka';
import { counted, numberOf } from './bus-contract.ts';
import { times } from './publishing.ts';

// Tests faults that only a member of a Kafka group can have.

let kafka: TestKafka;
let env: TestKafka['env'];
let bus: Bus;
let topic: string;
let group: string;
const opened: Bus[] = [];
const warnings: string[] = [];
const log: BusLog = { ...silent, warn: (_, text) => void warnings.push(text) };

beforeAll(async () => {
  kafka = await testKafka();
  env = kafka.env;
});
beforeEach(async () => {
  warnings.length = 0;
  bus = await open();
  topic = `test-${randomUUID()}`;
  group = `group-${randomUUID()}`;
  await bus.ensureTopics([topic]);
});
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())));
afterAll(() => kafka.stop());

async function open(more: Partial<Times> = {}): Promise<Bus> {
  const { KAFKA_BROKERS: brokers, KAFKA_PREFIX: prefix } = env;
  const one = await openKafkaBus({ brokers, prefix, log, times: { ...times, ...more } });
  opened.push(one);
  return one;
}

test('a permanently crashed member is restarted', async () => {
  await bus.publish(topic, [counted('a', 1)]);
  const offsets: string[] = [];
  const member = await keepConsuming(
    { brokers: env.KAFKA_BROKERS.split(','), log, prefix: env.KAFKA_PREFIX, times: { ...TIMES, ...times } },
    {
      groupId: env.KAFKA_PREFIX + group,
      topics: [env.KAFKA_PREFIX + topic],
      concurrency: 1,
      async eachBatch({ batch }) {
        offsets.push(...batch.messages.map(({ offset }) => offset));
        // kafkajs treats this error as a bug of the program and stops silently. The bus's own handlers never pass it
        // on.
        if (offsets.length < 3) throw new TypeError('undefined is not a function');
      },
    },
  );
  await eventually(() => expect(offsets.slice(0, 3)).toEqual(['0', '0', '0']));
  const again = warnings.filter((text) => text === 'bus: a group member failed and is started again');
  expect(again.length).toBeGreaterThanOrEqual(2);
  await member.stop();
});

test('a member that works for too long loses its partition, and its late commit has no effect', async () => {
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

test('foreign entries in a topic are parked, and the group continues', async () => {
  const database = await testDatabase([new URL('../migrations/inbox', import.meta.url).pathname]);
  const pool = openPool(database.url);
  const { kafka: stranger, end } = kafkaClient({ brokers: env.KAFKA_BROKERS.split(','), log, times: TIMES });
  const producer = stranger.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
  await producer.connect();
  const values = ['no json', null, '{"half":', '42'];
  await producer.send({ topic: env.KAFKA_PREFIX + topic, messages: values.map((value) => ({ key: 'a', value })) });
  await producer.disconnect();
  end();
  await bus.publish(topic, [counted('a', 5)]);
  const got: number[] = [];
  const Counted = z.object({ data: z.object({ n: z.number() }) });
  const consumer = await consume({
    bus,
    pool,
    log,
    group,
    topics: [topic],
    handlers: { 'test.counted': on(Counted, async ({ data }) => void got.push(data.n)) },
  });
  await eventually(async () => expect(await bus.lag(group, [topic])).toEqual({ [topic]: 0 }));
  expect(got).toEqual([5]);
  expect((await listDeadLetters(bus)).map(({ original }) => original)).toEqual(['no json', null, '{"half":', 42]);
  await consumer.stop();
  await pool.end();
  await database.drop();
});
