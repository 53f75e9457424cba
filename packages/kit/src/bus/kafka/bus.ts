import kafkajs from 'kafkajs';
import { silent, type Bus, type BusLog, type Subscription } from '../bus.ts';
import { TIMES, type KafkaContext, type Times } from './client.ts';
import { joinGroup } from './group.ts';
import { replaceableClient } from './replaceable-client.ts';
import { openPublisher } from './publisher.ts';
import type { KafkaSecurity } from './security.ts';
import { openTail, replayAll } from './reader.ts';
import { openTopics } from './topics.ts';

/** A probe that takes longer counts as unhealthy, in ms. */
const HEALTHY_MS = 1_000;

interface KafkaBusOptions {
  /** Addresses (`host:port`) of some brokers, separated by commas. */
  brokers: string;
  security?: KafkaSecurity;
  log?: BusLog;
  /** Replication factor of new topics. Default 1; a cluster that may lose a broker needs 3. */
  replication?: number;
  /** How long topics keep messages; 0: permanently. Default 90. */
  retentionDays?: number;
  /** Prefix of topics and groups, so that several systems can share a cluster. */
  prefix?: string;
  times?: Partial<Times>;
}

/**
 * The bus on Apache Kafka. kafkajs retries indefinitely, so a client of kafkajs that does not respond in time is
 * discarded. Rejects with `BusUnavailable` if Kafka does not respond.
 */
export async function openKafkaBus(options: KafkaBusOptions): Promise<Bus> {
  const { log = silent, replication = 1, retentionDays = 90, prefix = '', security } = options;
  const brokers = options.brokers.split(',').map((one) => one.trim());
  const means: KafkaContext = { brokers, security, log, prefix, times: { ...TIMES, ...options.times } };
  const asking = replaceableClient(means, ({ kafka }) => kafka.admin());
  const probing = replaceableClient(means, ({ kafka }) => kafka.admin());
  const sending = replaceableClient(means, ({ kafka }) =>
    kafka.producer({
      idempotent: true,
      allowAutoTopicCreation: false,
      createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
    }),
  );
  const topics = openTopics(asking, means, { replication, retentionDays });
  const publisher = openPublisher(sending, topics);
  const subscriptions = new Set<Subscription>();
  let closing: Promise<void> | undefined;
  const named = (names: string[]): string[] => names.map((name) => prefix + name);
  const plain = (name: string): string => name.slice(prefix.length);

  try {
    await topics.all();
  } catch (error) {
    await asking.close();
    throw error;
  }

  /** Keeps a subscription until it is stopped. */
  function keep(subscription: Subscription): Subscription {
    let stopping: Promise<void> | undefined;
    const kept: Subscription = {
      stop: () =>
        (stopping ??= subscription.stop().finally(() => {
          subscriptions.delete(kept);
        })),
    };
    subscriptions.add(kept);
    return kept;
  }

  async function close(): Promise<void> {
    await Promise.all([...subscriptions].map((one) => one.stop()));
    await Promise.all([publisher.close(), asking.close(), probing.close()]);
  }

  return {
    ensureTopics: (names) => topics.ensure(named(names)),
    topics: async () => (await topics.all()).map(plain),
    publish: (topic, messages) => publisher.publish(prefix + topic, messages),

    async subscribe(group) {
      await topics.ensure(named(group.topics));
      return keep(await joinGroup(means, group));
    },

    async tail(names, hear) {
      await topics.ensure(named(names));
      return keep(await openTail(means, await topics.offsets(named(names)), hear));
    },

    async replay(topic, handle, { newest } = {}) {
      await replayAll(means, await topics.offsets([prefix + topic]), handle, newest);
    },

    async lag(group, names) {
      const behind = await topics.lag(prefix + group, named(names));
      return Object.fromEntries(names.map((name) => [name, behind.get(prefix + name) ?? 0]));
    },

    healthy: () =>
      probing
        .use((admin) => admin.describeCluster(), HEALTHY_MS)
        .then(
          () => true,
          () => false,
        ),

    close: () => (closing ??= close()),
  };
}
