import { setTimeout as pause } from 'node:timers/promises';
import kafkajs, { type Admin } from 'kafkajs';
import { PARTITIONS } from '../bus.ts';
import { isLetters } from '../dead-letter-topics.ts';
import { kindOf, type KafkaContext } from './client.ts';
import type { ReplaceableClient } from './replaceable-client.ts';

/** The offsets of a partition: from `low` to `high`, exclusive. */
export interface PartitionOffsets {
  topic: string;
  partition: number;
  low: bigint;
  high: bigint;
}

/** Topics and offsets. Topic names are Kafka's names, which include the prefix. */
export interface Topics {
  ensure(topics: string[]): Promise<void>;
  all(): Promise<string[]>;
  /** Returns offsets of those topics that exist. */
  offsets(topics: string[]): Promise<PartitionOffsets[]>;
  /** Returns true, without a request, for topics that were seen before. */
  exists(topic: string): Promise<boolean>;
  /** Number of messages that a group has not committed yet. */
  lag(group: string, topics: string[]): Promise<Map<string, number>>;
  forget(): void;
}

/** Transient errors of a broker for a new or moved partition or group. kafkajs retries them only for some requests. */
const NOT_YET = new Set([
  'NOT_COORDINATOR_FOR_GROUP',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'GROUP_LOAD_IN_PROGRESS',
  'NOT_LEADER_FOR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'UNKNOWN_TOPIC_OR_PARTITION',
]);
const AGAIN_MS = 50;

const RETENTION = 'retention.ms';
const DAY_MS = 86_400_000;
/** An account of a shared cluster may be allowed to create topics but not to change them. */
const REFUSED = new Set(['TOPIC_AUTHORIZATION_FAILED', 'CLUSTER_AUTHORIZATION_FAILED']);

export interface TopicSettings {
  replication: number;
  /** How long messages are kept; 0: permanently. Dead letters are always kept, because no other copy exists. */
  retentionDays: number;
}

export function openTopics(
  client: ReplaceableClient<Admin>,
  { prefix, times, log }: KafkaContext,
  { replication, retentionDays }: TopicSettings,
): Topics {
  const seen = new Set<string>();
  /** Topics that have the configured retention. */
  const adjusted = new Set<string>();
  const retentionOf = (topic: string): string =>
    retentionDays === 0 || isLetters(topic) ? '-1' : String(retentionDays * DAY_MS);

  const ask = <T>(work: (admin: Admin) => Promise<T>): Promise<T> =>
    client.use(async (admin) => {
      for (;;) {
        try {
          return await work(admin);
        } catch (error) {
          if (!NOT_YET.has(kindOf(error) ?? '')) throw error;
          await pause(AGAIN_MS);
        }
      }
    });

  async function all(): Promise<string[]> {
    const names = await ask((admin) => admin.listTopics());
    const ours = names.filter((name) => name.startsWith(prefix) && !name.startsWith('__'));
    for (const name of ours) seen.add(name);
    return ours;
  }

  /** Changes the retention of existing topics, but none of their other settings. */
  async function adjust(topics: string[]): Promise<void> {
    const type = kafkajs.ConfigResourceTypes.TOPIC;
    const { resources } = await ask((admin) =>
      admin.describeConfigs({ includeSynonyms: false, resources: topics.map((name) => ({ type, name })) }),
    );
    const changes = resources.flatMap(({ resourceName: name, configEntries: entries }) => {
      const value = retentionOf(name);
      if (entries.find((entry) => entry.configName === RETENTION)?.configValue === value) return [];
      // Kafka resets the topic's settings that the request omits.
      const kept = entries.filter(
        ({ configName, configSource }) =>
          configName !== RETENTION && configSource === kafkajs.ConfigSource.TOPIC_CONFIG,
      );
      const configEntries = kept.map(({ configName, configValue }) => ({ name: configName, value: configValue }));
      return [{ type, name, configEntries: [...configEntries, { name: RETENTION, value }] }];
    });
    if (changes.length > 0) await ask((admin) => admin.alterConfigs({ validateOnly: false, resources: changes }));
  }

  async function ensure(topics: string[]): Promise<void> {
    const unadjusted = topics.filter((topic) => seen.has(topic) && !adjusted.has(topic));
    if (unadjusted.length > 0) {
      await adjust(unadjusted).catch((error: unknown) => {
        if (!REFUSED.has(kindOf(error) ?? '')) throw error;
        log.warn(
          { err: error, topics: unadjusted },
          'bus: this Kafka account is not allowed to change how long topics keep messages',
        );
      });
      for (const topic of unadjusted) adjusted.add(topic);
    }
    if (topics.every((topic) => seen.has(topic))) return;
    await all();
    const missing = [...new Set(topics)].filter((topic) => !seen.has(topic));
    if (missing.length === 0) return;
    // Kafka rejects topics that another process has just created, but creates all other topics.
    await ask((admin) =>
      admin.createTopics({
        timeout: times.wait,
        // kafkajs treats a topic that its broker does not know yet as a failure.
        waitForLeaders: false,
        topics: missing.map((topic) => ({
          topic,
          numPartitions: PARTITIONS,
          replicationFactor: replication,
          configEntries: [
            // Expired messages can be published again, because every message is created from an event of a log.
            { name: RETENTION, value: retentionOf(topic) },
            { name: 'cleanup.policy', value: 'delete' },
            { name: 'min.insync.replicas', value: replication > 2 ? '2' : '1' },
          ],
        })),
      }),
    );
    await ask((admin) => admin.fetchTopicMetadata({ topics: missing }));
    for (const topic of missing) {
      seen.add(topic);
      adjusted.add(topic);
    }
  }

  async function offsets(topics: string[]): Promise<PartitionOffsets[]> {
    for (const topic of topics) await exists(topic);
    const known = topics.filter((topic) => seen.has(topic));
    const all = await Promise.all(
      known.map(async (topic) => {
        const all = await ask((admin) => admin.fetchTopicOffsets(topic));
        return all.map(({ partition, low, high }) => ({ topic, partition, low: BigInt(low), high: BigInt(high) }));
      }),
    );
    return all.flat().sort((a, b) => a.partition - b.partition);
  }

  async function exists(topic: string): Promise<boolean> {
    return seen.has(topic) || (await all()).includes(topic);
  }

  /** The committed offsets, keyed by topic and partition; -1 where the group has never committed. */
  async function committed(group: string, topics: string[]): Promise<Map<string, bigint>> {
    const answer = await ask((admin) => admin.fetchOffsets({ groupId: group, topics }));
    return new Map(
      answer.flatMap(({ topic, partitions }) =>
        partitions.map(({ partition, offset }) => [`${topic} ${partition}`, BigInt(offset)]),
      ),
    );
  }

  return {
    ensure,
    all,
    offsets,
    exists,
    async lag(group, topics) {
      const partitions = await offsets(topics);
      const behind = new Map<string, number>();
      if (partitions.length === 0) return behind;
      const places = await committed(group, [...new Set(partitions.map(({ topic }) => topic))]);
      for (const { topic, partition, low, high } of partitions) {
        const place = places.get(`${topic} ${partition}`) ?? -1n;
        behind.set(topic, (behind.get(topic) ?? 0) + Number(high - (place > low ? place : low)));
      }
      return behind;
    },
    forget: () => seen.clear(),
  };
}
