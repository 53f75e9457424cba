import { setTimeout as pause } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import { PARTITIONS } from '../bus.ts';
import { kindOf, type KafkaContext } from './client.ts';
import type { ReplaceableClient } from './replaceable-client.ts';

/** The offsets of a partition: from `low` up to, and without, `high`. */
export interface PartitionOffsets {
  topic: string;
  partition: number;
  low: bigint;
  high: bigint;
}

/** Topics and offsets, by the names that Kafka knows (with the prefix). */
export interface Topics {
  ensure(topics: string[]): Promise<void>;
  all(): Promise<string[]>;
  /** Of those that exist. */
  offsets(topics: string[]): Promise<PartitionOffsets[]>;
  /** True for each topic that was once seen, without asking again. */
  exists(topic: string): Promise<boolean>;
  /** How many messages a group has not committed yet. */
  lag(group: string, topics: string[]): Promise<Map<string, number>>;
  forget(): void;
}

/** What a broker says of a partition or a group that was just made, or moved: kafkajs asks again for some requests only. */
const NOT_YET = new Set([
  'NOT_COORDINATOR_FOR_GROUP',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'GROUP_LOAD_IN_PROGRESS',
  'NOT_LEADER_FOR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'UNKNOWN_TOPIC_OR_PARTITION',
]);
const AGAIN_MS = 50;

export function openTopics(
  client: ReplaceableClient<Admin>,
  { prefix, times }: KafkaContext,
  replication: number,
): Topics {
  const seen = new Set<string>();

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

  async function ensure(topics: string[]): Promise<void> {
    if (topics.every((topic) => seen.has(topic))) return;
    await all();
    const missing = [...new Set(topics)].filter((topic) => !seen.has(topic));
    if (missing.length === 0) return;
    // Kafka refuses those that another process has made meanwhile, and makes the others all the same.
    await ask((admin) =>
      admin.createTopics({
        timeout: times.wait,
        // kafkajs takes a topic that its broker has not heard of yet for a failure.
        waitForLeaders: false,
        topics: missing.map((topic) => ({
          topic,
          numPartitions: PARTITIONS,
          replicationFactor: replication,
          configEntries: [
            // The log is what read models are rebuilt from: nothing of it may expire.
            { name: 'retention.ms', value: '-1' },
            { name: 'cleanup.policy', value: 'delete' },
            { name: 'min.insync.replicas', value: replication > 2 ? '2' : '1' },
          ],
        })),
      }),
    );
    await ask((admin) => admin.fetchTopicMetadata({ topics: missing }));
    for (const topic of missing) seen.add(topic);
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

  /** By topic and partition; nothing for one that the group has never committed. */
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
