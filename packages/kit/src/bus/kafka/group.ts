import { TRACEPARENT } from '@beltway/tracing';
import type { Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs';
import { backoff } from '../../backoff.ts';
import { BusUnavailable, parseMessage, type Delivery, type GroupOptions, type Subscription } from '../bus.ts';
import type { KafkaContext } from './client.ts';
import { HEARTBEAT_MS, keepConsuming } from './consumer.ts';
import { GOODBYE_MS } from './replaceable-client.ts';

const pauseAfter = backoff(100, 5_000);
/** How long a busy partition is served before others, in ms. */
const TURN_MS = 200;
/** Maximum number of partitions of one group that a member handles concurrently. */
const CONCURRENCY = 4;

/**
 * A member of a group. Errors of a handler never reach kafkajs, because they would end the member, some of them
 * permanently. Instead, the partition is paused and then resumes at the group's position with the same batch.
 */
export async function joinGroup(
  means: KafkaContext,
  { group, topics, handle, batchSize = 200 }: GroupOptions,
): Promise<Subscription> {
  const { log, prefix } = means;
  const failures = new Map<string, number>();
  const paused = new Map<string, NodeJS.Timeout>();
  /** True during a rebalance or after losing the session. Then waiting batches may belong to another member. */
  let leaving = false;
  let stopping = false;
  const commits = new Set<() => void>();

  async function eachBatch(payload: EachBatchPayload, consumer: Consumer): Promise<void> {
    const { batch, heartbeat, resolveOffset, isRunning } = payload;
    const { topic, partition, messages } = batch;
    const place = `${topic} ${partition}`;
    const began = performance.now();
    const beat = setInterval(() => void heartbeat().catch(() => (leaving = true)), HEARTBEAT_MS);
    try {
      for (let next = 0; next < messages.length; next += batchSize) {
        if (leaving || stopping || !isRunning() || (next > 0 && performance.now() - began > TURN_MS)) return;
        const slice = messages.slice(next, next + batchSize);
        try {
          await handle(slice.map((message) => deliveryOf(prefix, topic, partition, message)));
        } catch (error) {
          hold(consumer, topic, partition, error);
          return;
        }
        failures.delete(place);
        const last = BigInt(slice.at(-1)!.offset);
        await commit(payload, last + 1n);
        resolveOffset(String(last));
      }
    } finally {
      clearInterval(beat);
    }
  }

  /** Commits the position. kafkajs retries while Kafka is down; once the member stops, the wait is limited. */
  async function commit({ batch: { topic, partition }, commitOffsetsIfNecessary }: EachBatchPayload, next: bigint) {
    const late = Promise.withResolvers<never>();
    let timer: NodeJS.Timeout | undefined;
    const hurry = () => {
      timer = setTimeout(() => late.reject(new BusUnavailable('Kafka has not answered to a commit')), GOODBYE_MS);
    };
    if (stopping) hurry();
    commits.add(hurry);
    try {
      const offsets = { topics: [{ topic, partitions: [{ partition, offset: String(next) }] }] };
      await Promise.race([commitOffsetsIfNecessary(offsets), late.promise]);
    } finally {
      commits.delete(hurry);
      clearTimeout(timer);
    }
  }

  function hold(consumer: Consumer, topic: string, partition: number, error: unknown): void {
    const place = `${topic} ${partition}`;
    const count = (failures.get(place) ?? 0) + 1;
    failures.set(place, count);
    log.warn({ err: error, group, topic, partition, failures: count }, 'bus: a batch was not committed');
    if (stopping) return;
    const one = [{ topic, partitions: [partition] }];
    const resume = () => {
      paused.delete(place);
      consumer.resume(one);
    };
    try {
      consumer.pause(one);
      paused.set(place, setTimeout(resume, pauseAfter(count)));
    } catch {
      // The consumer has crashed in the meantime. Its successor begins without paused partitions.
    }
  }

  const member = await keepConsuming(means, {
    groupId: prefix + group,
    topics: topics.map((topic) => prefix + topic),
    concurrency: CONCURRENCY,
    fetching: () => (leaving = false),
    eachBatch,
  });

  return {
    async stop() {
      stopping = true;
      for (const hurry of commits) hurry();
      for (const timer of paused.values()) clearTimeout(timer);
      await member.stop();
    },
  };
}

export const deliveryOf = (
  prefix: string,
  topic: string,
  partition: number,
  { offset, value, headers }: KafkaMessage,
): Delivery => ({
  topic: topic.slice(prefix.length),
  partition,
  offset: BigInt(offset),
  message: parseMessage(value?.toString() ?? 'null'),
  ...(headers?.[TRACEPARENT] && { traceparent: String(headers[TRACEPARENT]) }),
});
