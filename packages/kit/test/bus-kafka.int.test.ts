import { randomUUID } from 'node:crypto';
import kafkajs, { type Admin } from 'kafkajs';
import { expect, test, vi } from 'vitest';
import { openBus } from '../src/bus/open.ts';
import { testKafka } from '@beltway/test-engines/kafka';
import { busContract } from './bus-contract.ts';

busContract(
  'Kafka',
  async () => {
    const { env, stop } = await testKafka();
    return { open: () => openBus(env), env, close: stop };
  },
  // A member that was killed is missed after its session of six seconds.
  20_000,
);

async function withTopic(work: (admin: Admin, topic: string, env: Record<string, string>) => Promise<void>) {
  const { env, stop } = await testKafka();
  const admin = new kafkajs.Kafka({
    brokers: env['KAFKA_BROKERS']!.split(','),
    logLevel: kafkajs.logLevel.NOTHING,
  }).admin();
  await admin.connect();
  try {
    await work(admin, `test-${randomUUID()}`, env);
  } finally {
    await admin.disconnect();
    await stop();
  }
}

test('topics keep their messages for ever, as the inbox remembers them for ever', () =>
  withTopic(async (admin, topic, env) => {
    const bus = await openBus(env);
    await bus.ensureTopics([topic]);
    await bus.close();
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [
        {
          type: kafkajs.ConfigResourceTypes.TOPIC,
          name: `${env['KAFKA_PREFIX'] ?? ''}${topic}`,
          configNames: ['retention.ms'],
        },
      ],
    });
    expect(resources[0]?.configEntries).toMatchObject([{ configName: 'retention.ms', configValue: '-1' }]);
  }));

test('a message that the cluster takes for too large will never be taken, and holds up none after it', () =>
  withTopic(async (admin, topic, env) => {
    const name = `${env['KAFKA_PREFIX'] ?? ''}${topic}`;
    const configEntries = [{ name: 'max.message.bytes', value: '2000' }];
    await admin.createTopics({ topics: [{ topic: name, numPartitions: 1, configEntries }], waitForLeaders: false });
    const bus = await openBus(env);
    await vi.waitFor(async () => expect(await bus.topics()).toContain(topic), { timeout: 10_000 });
    const message = (text: string) => ({
      id: randomUUID(),
      type: 'test.said',
      version: 1,
      key: 'a',
      occurredAt: '2026-08-01T19:00:00.000Z',
      correlationId: 'c',
      causationId: 'c',
      data: { text },
    });
    await expect(bus.publish(topic, [message('x'.repeat(3_000))])).rejects.toMatchObject({ unsendable: true });
    await bus.publish(topic, [message('short')]);
    await bus.close();
  }));
