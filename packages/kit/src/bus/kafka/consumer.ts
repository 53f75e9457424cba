import { setTimeout as pause } from 'node:timers/promises';
import type { Consumer, EachBatchPayload } from 'kafkajs';
import { backoff } from '../../backoff.ts';
import type { Subscription } from '../bus.ts';
import { waitUpTo, FOR_EVER, kafkaClient, type KafkaClient, type KafkaContext } from './client.ts';
import { GOODBYE_MS } from './replaceable-client.ts';

export const HEARTBEAT_MS = 500;
/**
 * How long Kafka holds an empty fetch open, in ms. The time is short, because leaving, pausing and resuming may have to
 * wait for the fetch.
 */
const POLL_MS = 250;
const pauseAfter = backoff(100, 5_000);
/** Maximum bytes fetched per partition. */
const PAGE_BYTES = 256 * 1_024;

interface ConsumerOptions {
  groupId: string;
  topics: string[];
  /** Maximum number of partitions handled concurrently. */
  concurrency: number;
  /** Called when partitions were assigned, before any message is read. */
  joined?(consumer: Consumer): void;
  /** Called when the next fetch begins. */
  fetching?(): void;
  /** Handles a batch. Must throw only errors of kafkajs. */
  eachBatch(payload: EachBatchPayload, consumer: Consumer): Promise<void>;
}

/**
 * Keeps a member in a Kafka group: a member that crashed or went silent is replaced. Resolves when the member has its
 * partitions, or after a while without partitions. The member then continues to try.
 */
export async function keepConsuming(means: KafkaContext, options: ConsumerOptions): Promise<Subscription> {
  const { log, times } = means;
  const { groupId, topics, concurrency } = options;
  const working = new Set<Promise<void>>();
  let current: { client: KafkaClient; consumer: Consumer } | undefined;
  let stopped = false;
  let crashes = 0;
  let lastSign = performance.now();
  const sign = () => void (lastSign = performance.now());

  async function boot(): Promise<void> {
    const client = kafkaClient(means);
    const consumer = client.kafka.consumer({
      groupId,
      retry: FOR_EVER,
      sessionTimeout: times.session,
      heartbeatInterval: HEARTBEAT_MS,
      rebalanceTimeout: times.rebalance,
      maxWaitTimeInMs: POLL_MS,
      maxBytesPerPartition: PAGE_BYTES,
      allowAutoTopicCreation: false,
    });
    current = { client, consumer };
    sign();
    consumer.on('consumer.crash', ({ payload }) => again(client, payload.error));
    consumer.on('consumer.network.request_timeout', () => client.drop());
    consumer.on('consumer.heartbeat', sign);
    consumer.on('consumer.fetch', sign);
    consumer.on('consumer.fetch_start', () => options.fetching?.());
    consumer.on('consumer.group_join', () => {
      sign();
      crashes = 0;
      if (current?.client === client) options.joined?.(consumer);
    });
    try {
      await consumer.connect();
      await consumer.subscribe({ topics, fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: concurrency,
        eachBatch: (payload) => work(client, consumer, payload),
      });
    } catch (error) {
      again(client, error);
    }
  }

  async function work(client: KafkaClient, consumer: Consumer, payload: EachBatchPayload): Promise<void> {
    // A discarded consumer may still deliver a last batch.
    if (stopped || current?.client !== client) return;
    const job = options.eachBatch(payload, consumer);
    working.add(job);
    try {
      await job;
    } finally {
      working.delete(job);
      sign();
    }
  }

  function again(client: KafkaClient, error: unknown): void {
    client.end();
    if (stopped || current?.client !== client) return;
    current = undefined;
    log.warn({ err: error, group: groupId }, 'bus: a group member failed and is started again');
    void (async () => {
      // Waits for the old consumer's work, because two running consumers would be two members.
      await Promise.allSettled(working);
      await pause(pauseAfter(++crashes));
      if (!stopped) await boot();
    })();
  }

  const watch = setInterval(() => {
    if (working.size > 0) return sign();
    if (current && performance.now() - lastSign > times.still) again(current.client, new Error('no sign of life'));
  }, times.still / 6).unref();

  await waitUpTo(times.wait, boot());

  return {
    async stop() {
      if (stopped) return;
      clearInterval(watch);
      const last = current;
      // No new batch begins; batches in progress are finished and committed.
      const goodbye = last?.consumer.disconnect().catch(() => {}) ?? Promise.resolve();
      await Promise.allSettled(working);
      stopped = true;
      await waitUpTo(GOODBYE_MS, goodbye);
      last?.client.end();
    },
  };
}
