import { atMost, kafkaClient, unavailable, within, type KafkaClient, type KafkaMeans } from './bus-kafka-client.ts';

/** How long closing waits for goodbyes. */
export const GOODBYE_MS = 2_000;

/** What kafkajs's producer and admin have in common. */
interface Speaker {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

/** Asks Kafka something, for a bounded time. */
export interface Line<Api> {
  /** Rejects with `BusUnavailable` when there is no answer in time. */
  use<T>(work: (api: Api) => Promise<T>, waitMs?: number): Promise<T>;
  close(): Promise<void>;
}

/**
 * A line that failed is not used again: what kafkajs still tries by it must not pile up while Kafka is away, nor reach Kafka
 * when it is back. For a producer that is a matter of being right as well: after a request without an answer it would use
 * the same sequence numbers for other messages, which Kafka would take for repeated ones and throw away.
 */
export function openLine<Api extends Speaker>(means: KafkaMeans, speak: (client: KafkaClient) => Api): Line<Api> {
  let current: { client: KafkaClient; api: Api; ready: Promise<void> } | undefined;
  let closed = false;

  function start() {
    const client = kafkaClient(means);
    const api = speak(client);
    const ready = api.connect();
    ready.catch(() => {});
    return { client, api, ready };
  }

  return {
    async use(work, waitMs = means.times.wait) {
      if (closed) throw new Error('The bus is closed');
      const line = (current ??= start());
      try {
        return await within(
          waitMs,
          line.ready.then(() => work(line.api)),
        );
      } catch (error) {
        if (current === line) current = undefined;
        line.client.end();
        throw unavailable(error);
      }
    },
    async close() {
      closed = true;
      const last = current;
      current = undefined;
      if (!last) return;
      await atMost(GOODBYE_MS, last.api.disconnect());
      last.client.end();
    },
  };
}
