import { randomUUID } from 'node:crypto';
import kafkajs, { type Admin } from 'kafkajs';
import { expect, test } from 'vitest';
import { deadLetterTopic } from '../src/bus/dead-letter-topics.ts';
import { openBus } from '../src/bus/open.ts';
import { testKafka } from '@beltway/test-engines/kafka';
import { busContract } from './bus-contract.ts';

busContract(
  'Kafka',
  async () => {
    const { env, stop } = await testKafka();
    return { open: () => openBus(env), env, close: stop };
  },
  // Kafka detects a killed member after its session of six seconds.
  60_000,
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

test('topics keep their messages for 90 days or as configured, dead letters permanently', () =>
  withTopic(async (admin, topic, env) => {
    const type = kafkajs.ConfigResourceTypes.TOPIC;
    const nameOf = (one: string) => `${env['KAFKA_PREFIX'] ?? ''}${one}`;
    const settings = async (one: string) => {
      const { resources } = await admin.describeConfigs({
        includeSynonyms: false,
        resources: [{ type, name: nameOf(one), configNames: ['retention.ms', 'max.message.bytes'] }],
      });
      return Object.fromEntries(resources[0]!.configEntries.map((entry) => [entry.configName, entry.configValue]));
    };
    const letters = deadLetterTopic(topic);
    const ensure = async (more: Record<string, string>) => {
      const bus = await openBus({ ...env, ...more });
      await bus.ensureTopics([topic, letters]);
      await bus.close();
    };
    await ensure({});
    expect(await settings(topic)).toMatchObject({ 'retention.ms': String(90 * 86_400_000) });
    expect(await settings(letters)).toMatchObject({ 'retention.ms': '-1' });

    // Other settings of an existing topic stay unchanged.
    const configEntries = [{ name: 'max.message.bytes', value: '2000' }];
    await admin.alterConfigs({ validateOnly: false, resources: [{ type, name: nameOf(topic), configEntries }] });
    // A broker returns new settings only a moment later.
    await expect.poll(() => settings(topic)).toMatchObject({ 'max.message.bytes': '2000' });
    await ensure({ KAFKA_RETENTION_DAYS: '7' });
    const changed = { 'retention.ms': String(7 * 86_400_000), 'max.message.bytes': '2000' };
    await expect.poll(() => settings(topic)).toMatchObject(changed);
    await ensure({ KAFKA_RETENTION_DAYS: '0' });
    await expect.poll(() => settings(topic)).toMatchObject({ 'retention.ms': '-1' });
  }));

test('a message larger than the cluster allows is refused permanently, and blocks no later message', () =>
  withTopic(async (admin, topic, env) => {
    const name = `${env['KAFKA_PREFIX'] ?? ''}${topic}`;
    const configEntries = [{ name: 'max.message.bytes', value: '2000' }];
    await admin.createTopics({ topics: [{ topic: name, numPartitions: 1, configEntries }], waitForLeaders: false });
    const bus = await openBus(env);
    await expect.poll(() => bus.topics()).toContain(topic);
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
