import { TRACEPARENT } from '@beltway/tracing';
import type { Message as KafkaMessage, Producer } from 'kafkajs';
import { textOf, type Published } from '../bus.ts';
import { waitUpTo, refused } from './client.ts';
import { GOODBYE_MS, type ReplaceableClient } from './replaceable-client.ts';
import type { Topics } from './topics.ts';

/**
 * Limits of one request. Kafka accepts about a megabyte per partition, and all messages may belong to the same
 * partition.
 */
const LIMITS = { messages: 1_000, bytes: 512 * 1_024 };

/** The part of a publish call that is sent in one request. */
interface Piece {
  topic: string;
  messages: KafkaMessage[];
  bytes: number;
  /** True if the piece is sent in a separate request, because Kafka rejected the request that contained the piece. */
  alone?: boolean;
  resolve(): void;
  reject(error: unknown): void;
}

export interface Publisher {
  publish(topic: string, messages: Published[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Sends one request at a time, with everything that was queued since the last request. This keeps the order of calls,
 * and no later request can overtake a retry inside the producer. If a request gets no response, the request and the
 * whole queue are rejected.
 */
export function openPublisher(client: ReplaceableClient<Producer>, topics: Topics): Publisher {
  let queue: Piece[] = [];
  let pumping: Promise<void> | undefined;

  async function pump(): Promise<void> {
    // Waits so that calls in the same turn are batched.
    await Promise.resolve();
    while (queue.length > 0) await send(take());
    pumping = undefined;
  }

  async function send(group: Piece[]): Promise<void> {
    try {
      const there = await known(group);
      if (there.length > 0) await client.use((producer) => producer.sendBatch({ topicMessages: byTopic(there) }));
      for (const piece of there) piece.resolve();
    } catch (error) {
      if (refused(error) && group.length > 1) {
        queue.unshift(...group.map((piece) => ({ ...piece, alone: true })));
        return;
      }
      // One of the topics may have been deleted.
      topics.forget();
      const lost = refused(error) ? group : [...group, ...queue.splice(0)];
      for (const piece of lost) piece.reject(error);
    }
  }

  function take(): Piece[] {
    let [count, bytes, length] = [0, 0, 0];
    for (const piece of queue) {
      count += piece.messages.length;
      bytes += piece.bytes;
      if (length > 0 && (piece.alone || count > LIMITS.messages || bytes > LIMITS.bytes)) break;
      length++;
      if (piece.alone) break;
    }
    return queue.splice(0, length);
  }

  /** Rejects pieces of missing topics, because kafkajs would look for these topics indefinitely. */
  async function known(group: Piece[]): Promise<Piece[]> {
    const there: Piece[] = [];
    for (const piece of group) {
      if (await topics.exists(piece.topic)) there.push(piece);
      else piece.reject(new Error(`The bus has no topic ${piece.topic}: ensureTopics was not called`));
    }
    return there;
  }

  return {
    async publish(topic, messages) {
      if (messages.length === 0) return;
      await new Promise<void>((resolve, reject) => {
        const pieces = cut(messages.map((message) => encode(topic, message)));
        let left = pieces.length;
        const call = {
          resolve: () => void (--left === 0 && resolve()),
          reject(error: unknown) {
            // The rest of this call is not sent, because it would leave a gap.
            queue = queue.filter((piece) => !mine.has(piece.messages));
            reject(error);
          },
        };
        const mine = new Set(pieces.map((piece) => piece.messages));
        queue.push(...pieces.map((piece) => ({ topic, ...piece, ...call })));
        pumping ??= pump();
      });
    },
    async close() {
      if (pumping) await waitUpTo(GOODBYE_MS, pumping);
      await client.close();
    },
  };
}

const encode = (topic: string, message: Published): KafkaMessage => ({
  key: message.key,
  value: textOf(topic, message),
  headers: {
    type: String(message.type),
    id: String(message.id),
    ...(message.traceparent !== undefined && { [TRACEPARENT]: message.traceparent }),
  },
});

function cut(messages: KafkaMessage[]): { messages: KafkaMessage[]; bytes: number }[] {
  const pieces: { messages: KafkaMessage[]; bytes: number }[] = [];
  for (const message of messages) {
    const bytes = Buffer.byteLength(message.value!) + 200;
    const last = pieces.at(-1);
    if (last && last.messages.length < LIMITS.messages && last.bytes + bytes <= LIMITS.bytes) {
      last.messages.push(message);
      last.bytes += bytes;
    } else pieces.push({ messages: [message], bytes });
  }
  return pieces;
}

function byTopic(group: Piece[]): { topic: string; messages: KafkaMessage[] }[] {
  const topics = new Map<string, KafkaMessage[]>();
  for (const { topic, messages } of group) {
    const all = topics.get(topic);
    if (all) all.push(...messages);
    else topics.set(topic, [...messages]);
  }
  return [...topics].map(([topic, messages]) => ({ topic, messages }));
}
