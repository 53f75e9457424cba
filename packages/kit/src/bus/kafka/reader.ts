import { randomUUID } from 'node:crypto';
import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import { BusUnavailable, type Delivery, type Subscription } from '../bus.ts';
import { waitUpTo, type KafkaContext } from './client.ts';
import { HEARTBEAT_MS, keepConsuming } from './consumer.ts';
import { deliveryOf } from './group.ts';
import { GOODBYE_MS } from './replaceable-client.ts';
import type { PartitionOffsets } from './topics.ts';

const PAGE = 500;
/** A replay is aborted if it makes no progress for this multiple of the usual wait. */
const WAITS = 6;

interface Place {
  topic: string;
  partition: number;
  next: bigint;
}

/**
 * Reads from positions that are kept only in memory. kafkajs can only read in groups, so this is a group with one
 * member. Whenever the member has (re)joined, it seeks to its positions, so an interruption delays messages but loses
 * no message.
 */
function read(
  means: KafkaContext,
  places: Place[],
  take: (place: Place, messages: KafkaMessage[]) => Promise<void>,
): Promise<Subscription> {
  const at = new Map(places.map((place) => [`${place.topic} ${place.partition}`, place]));

  async function eachBatch({ batch, heartbeat, resolveOffset, isRunning }: EachBatchPayload): Promise<void> {
    const place = at.get(`${batch.topic} ${batch.partition}`);
    if (!place || !isRunning()) return;
    const messages = batch.messages.filter(({ offset }) => BigInt(offset) >= place.next);
    const beat = setInterval(() => void heartbeat().catch(() => {}), HEARTBEAT_MS);
    try {
      await take(place, messages);
    } finally {
      clearInterval(beat);
    }
    resolveOffset(batch.lastOffset());
  }

  return keepConsuming(means, {
    groupId: `${means.prefix}reader.${randomUUID()}`,
    topics: [...new Set(places.map(({ topic }) => topic))],
    concurrency: 1,
    joined(consumer) {
      for (const { topic, partition, next } of places) consumer.seek({ topic, partition, offset: String(next) });
    },
    eachBatch,
  });
}

/** Delivers every message after these offsets. */
export async function openTail(
  means: KafkaContext,
  partitions: PartitionOffsets[],
  hear: (message: unknown) => void,
): Promise<Subscription> {
  let stopped = false;
  const places = partitions.map(({ topic, partition, high }) => ({ topic, partition, next: high }));
  const reader = await read(means, places, async (place, messages) => {
    for (const one of messages) {
      if (stopped) return;
      place.next = BigInt(one.offset) + 1n;
      try {
        hear(deliveryOf(means.prefix, place.topic, place.partition, one).message);
      } catch (error) {
        means.log.error({ err: error, topic: place.topic, offset: one.offset }, 'bus: a listener failed');
      }
    }
  });
  return {
    async stop() {
      stopped = true;
      await reader.stop();
    },
  };
}

/** Reads from the start to these offsets, or only the `newest` messages of each partition before them. */
export async function replayAll(
  means: KafkaContext,
  partitions: PartitionOffsets[],
  handle: (batch: Delivery[]) => Promise<void>,
  newest?: number,
): Promise<void> {
  const ends = new Map(partitions.filter(({ low, high }) => high > low).map((one) => [one.partition, one.high]));
  if (ends.size === 0) return;
  const places = partitions.map(({ topic, partition, low, high }) => {
    const from = newest === undefined ? low : high - BigInt(newest);
    return { topic, partition, next: from > low ? from : low };
  });
  const done = Promise.withResolvers<void>();
  let over = false;
  let busy = false;
  let lastSign = performance.now();
  const watch = setInterval(() => {
    if (busy || performance.now() - lastSign < WAITS * means.times.wait) return;
    done.reject(new BusUnavailable('a replay from Kafka makes no progress'));
  }, 1_000);

  const reading = read(means, places, async (place, messages) => {
    const end = ends.get(place.partition);
    if (over || end === undefined) return;
    busy = true;
    try {
      const wanted = messages.filter(({ offset }) => BigInt(offset) < end);
      for (let from = 0; from < wanted.length && !over; from += PAGE) {
        const page = wanted.slice(from, from + PAGE);
        await handle(page.map((one) => deliveryOf(means.prefix, place.topic, place.partition, one)));
        place.next = BigInt(page.at(-1)!.offset) + 1n;
      }
      if (place.next >= end) ends.delete(place.partition);
      if (ends.size === 0) done.resolve();
    } catch (error) {
      over = true;
      done.reject(error);
    } finally {
      busy = false;
      lastSign = performance.now();
    }
  });
  try {
    await done.promise;
  } finally {
    over = true;
    clearInterval(watch);
    // Waits only briefly for the reader to leave, because it has committed nothing and its group has no other member.
    await waitUpTo(
      GOODBYE_MS,
      reading.then((reader) => reader.stop()),
    );
  }
}
