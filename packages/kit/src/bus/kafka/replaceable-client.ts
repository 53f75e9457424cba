import { waitUpTo, kafkaClient, busFault, within, type KafkaClient, type KafkaContext } from './client.ts';

/** How long closing waits for a disconnect, in ms. */
export const GOODBYE_MS = 2_000;

/** The common interface of kafkajs's producer and admin. */
interface Connectable {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

/** A producer or admin that responds within a bounded time and is replaced after a failure. */
export interface ReplaceableClient<Api> {
  /** Rejects with `BusUnavailable` if there is no response in time. */
  use<T>(work: (api: Api) => Promise<T>, waitMs?: number): Promise<T>;
  close(): Promise<void>;
}

/**
 * Never reuses a failed client, because the requests that kafkajs still retries on it would accumulate while Kafka is
 * down, or reach Kafka later. An idempotent producer needs this for correctness: after a request without a response,
 * the producer would reuse the sequence numbers for other messages, which Kafka would drop as duplicates.
 */
export function replaceableClient<Api extends Connectable>(
  means: KafkaContext,
  open: (client: KafkaClient) => Api,
): ReplaceableClient<Api> {
  let current: { client: KafkaClient; api: Api; ready: Promise<void> } | undefined;
  let closed = false;

  function start() {
    const client = kafkaClient(means);
    const api = open(client);
    const ready = api.connect();
    ready.catch(() => {});
    return { client, api, ready };
  }

  return {
    async use(work, waitMs = means.times.wait) {
      if (closed) throw new Error('The bus is closed');
      const used = (current ??= start());
      try {
        return await within(
          waitMs,
          used.ready.then(() => work(used.api)),
        );
      } catch (error) {
        if (current === used) current = undefined;
        used.client.end();
        throw busFault(error);
      }
    },
    async close() {
      closed = true;
      const last = current;
      current = undefined;
      if (!last) return;
      await waitUpTo(GOODBYE_MS, last.api.disconnect());
      last.client.end();
    },
  };
}
