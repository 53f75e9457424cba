import kafkajs from 'kafkajs';
import { silent, type Bus, type BusLog, type Subscription } from '../bus.ts';
import { TIMES, type KafkaContext, type Times } from './client.ts';
import { joinGroup } from './group.ts';
import { replaceableClient } from './replaceable-client.ts';
import { openPublisher } from './publisher.ts';
import type { KafkaSecurity } from './security.ts';
import { openTail, replayAll } from './reader.ts';
import { openTopics } from './topics.ts';

/** A probe that waits longer than this is answered with no. */
const HEALTHY_MS = 1_000;

interface KafkaBusOptions {
  /** `host:port`, some of the cluster's, separated by commas. */
  brokers: string;
  security?: KafkaSecurity;
  log?: BusLog;
  /** Copies of each partition that topics are made with. Default 1; a cluster that may lose a broker wants 3. */
  replication?: number;
  /** Before topics and groups, so that several systems can share a cluster. */
  prefix?: string;
  times?: Partial<Times>;
}

/**
 * The bus by Apache Kafka. kafkajs tries for ever what it is asked to do; each of its clients is thrown away when it has not
 * answered in time. Rejects with `BusUnavailable` when Kafka does not answer.
 */
export async function openKafkaBus(options: KafkaBusOptions): Promise<Bus> {
  const { log = silent, replication = 1, prefix = '', security } = options;
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
  const topics = openTopics(asking, means, replication);
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

  /** Ends with its subscription, wherever it is ended from. */
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
