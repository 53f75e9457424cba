import type { Message } from '@beltway/contracts/common/basics';
import { isLetters } from './dead-letter-topics.ts';

/** Where a message stands: partitions of a topic keep the order of each key. Offsets start at 0 and have no gaps. */
export interface Delivery {
  topic: string;
  partition: number;
  offset: bigint;
  message: unknown;
  /** Of the span that published it, where its trace is recorded. */
  traceparent?: string;
}

/** What is published: a message, and beside it the span that publishes it, where its trace is recorded. */
export type Published = Message & { traceparent?: string };

export interface Subscription {
  /** Finishes the batch in hand, commits it, leaves the group. */
  stop(): Promise<void>;
}

export interface GroupOptions {
  /** Members of one group share the partitions; the group resumes where it committed. Reader and purpose: `realtime.availability`. */
  group: string;
  topics: string[];
  /**
   * Gets the messages of one partition in order, and commits after it returns. If it throws, nothing of the batch is
   * committed and the same batch comes again after a pause, for ever: deciding what is poison is `consume`'s work.
   */
  handle(batch: Delivery[]): Promise<void>;
  /** Messages in one batch, at most. Default 200. */
  batchSize?: number;
}

/**
 * The one door between services (docs/architecture.md#the-bus). Two adapters pass the same contract suite: the embedded one (a log in
 * Postgres) and Kafka. Durable, at least once, ordered per key, consumer groups that resume, replay from the start.
 */
export interface Bus {
  /** Makes the topics if they are not there. Idempotent. */
  ensureTopics(topics: string[]): Promise<void>;
  /** The names of all topics. */
  topics(): Promise<string[]>;
  /**
   * Resolves when every message is durable. All messages of one call to one key keep their order. Rejects after a bounded
   * wait with `BusUnavailable` when the bus is away: the messages may be in the log all the same, so send them again with
   * the same ids. Rejects when the topic was never made, and with `Unsendable` when one of them is too large.
   */
  publish(topic: string, messages: Published[]): Promise<void>;
  /** Joins a consumer group. A new group starts with the oldest message. */
  subscribe(options: GroupOptions): Promise<Subscription>;
  /** Hears every message from now on, each instance for itself, commits nothing: for caches, sockets, revocations. */
  tail(topics: string[], hear: (message: unknown) => void): Promise<Subscription>;
  /**
   * Reads a topic from the start to its present end, in order per key, in no group: for rebuilding and for `npm run dead-letters`. With
   * `newest`, of each partition so many messages alone, the newest.
   */
  replay(topic: string, handle: (batch: Delivery[]) => Promise<void>, options?: { newest?: number }): Promise<void>;
  /** How many messages a group has not committed yet, per topic. */
  lag(group: string, topics: string[]): Promise<Record<string, number>>;
  /** True when the bus answers. */
  healthy(): Promise<boolean>;
  close(): Promise<void>;
}

export const PARTITIONS = 12;

/** The bus did not answer in time. Trying again later is right: `transient` says so to whoever decides. */
export class BusUnavailable extends Error {
  override name = 'BusUnavailable';
  readonly transient = true;
}

/** Bytes of a message. Kafka's own limit is a little more than that of a letter, which holds a message and its cause. */
const LARGEST = 900_000;
const LARGEST_LETTER = 1_000_000;

/** The bus will never take this message. */
export class Unsendable extends Error {
  override name = 'Unsendable';
  readonly unsendable = true;
}

/** A message as it lies in the log. Throws `Unsendable` when it is too large, or no JSON can be made of it. */
export function textOf(topic: string, message: Published): string {
  let text: string;
  try {
    text = JSON.stringify(message.traceparent === undefined ? message : { ...message, traceparent: undefined });
  } catch (cause) {
    throw new Unsendable(`No JSON can be made of ${message.type} ${message.id}`, { cause });
  }
  const max = isLetters(topic) ? LARGEST_LETTER : LARGEST;
  const bytes = Buffer.byteLength(text);
  if (bytes > max) throw new Unsendable(`${message.type} ${message.id} has ${bytes} bytes, the bus takes ${max}`);
  return text;
}

/** What a bus and its readers write to. A pino logger fits. */
export interface BusLog {
  debug(fields: object, text: string): void;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

export const silent: BusLog = { debug() {}, info() {}, warn() {}, error() {} };

/** A message as it lies in the log. What is no JSON was not written by us: it is passed on as text, so that `consume` parks it. */
export function parseMessage(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
