import { TRACEPARENT } from '@beltway/tracing';
import type { Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs';
import { backoff } from '../../backoff.ts';
import { BusUnavailable, parseMessage, type Delivery, type GroupOptions, type Subscription } from '../bus.ts';
import type { KafkaContext } from './client.ts';
import { HEARTBEAT_MS, keepConsuming } from './consumer.ts';
import { GOODBYE_MS } from './replaceable-client.ts';

const pauseAfter = backoff(100, 5_000);
/** A busy partition lets the others have their turn after this long. */
const TURN_MS = 200;
/** Partitions of one group that one member handles at the same time. */
const CONCURRENCY = 4;

/**
 * A member of a group. Nothing that a handler throws reaches kafkajs: there it would end the member, for some errors for
 * good. The partition is paused instead, and starts again where the group stands, with the same batch.
 */
export async function joinGroup(
  means: KafkaContext,
  { group, topics, handle, batchSize = 200 }: GroupOptions,
): Promise<Subscription> {
  const { log, prefix } = means;
  const failures = new Map<string, number>();
  const paused = new Map<string, NodeJS.Timeout>();
  /** Partitions are dealt out anew, or our session is lost: what is still waiting is perhaps not ours. */
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

  /** kafkajs tries this for as long as Kafka is away, which is right until we are to stop. */
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
      // It has crashed meanwhile; its successor begins with nothing paused.
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
