import type { Message } from '@beltway/contracts/common/basics';
import { isLetters } from './dead-letter-topics.ts';

/**
 * A message and its position. A partition keeps the order of the messages of each key. Offsets start at 0 and have no
 * gaps.
 */
export interface Delivery {
  topic: string;
  partition: number;
  offset: bigint;
  message: unknown;
  /** The publishing span, if its trace is recorded. */
  traceparent?: string;
}

/** A message to publish, with the publishing span if its trace is recorded. */
export type Published = Message & { traceparent?: string };

export interface Subscription {
  /** Finishes and commits the current batch, then leaves the group. */
  stop(): Promise<void>;
}

export interface GroupOptions {
  /**
   * The name of the group, which consists of reader and purpose: `realtime.availability`. Members of a group share the
   * partitions; the group resumes after its last commit.
   */
  group: string;
  topics: string[];
  /**
   * Receives messages of one partition in order; the bus commits when `handle` returns. If `handle` throws, nothing is
   * committed and the same batch is delivered again after a pause, indefinitely. `consume` decides which messages to
   * park.
   */
  handle(batch: Delivery[]): Promise<void>;
  /** Maximum number of messages in a batch. Default 200. */
  batchSize?: number;
  /**
   * How long a message may wait for others in ms, so that more messages share a batch and its commits. Default 0. For
   * groups whose effects no one waits for. Only the embedded adapter waits; Kafka's batches grow with the load anyway.
   */
  gatherMs?: number;
}

/**
 * The message bus between services (docs/architecture.md#the-bus). Two adapters pass the same contract tests: the
 * embedded adapter (a log in PostgreSQL) and the Kafka adapter. The bus stores messages durably, delivers them at least
 * once and in order per key, and supports replays from the start. Consumer groups resume after their last commit.
 */
export interface Bus {
  /** Creates missing topics. Idempotent. */
  ensureTopics(topics: string[]): Promise<void>;
  /** The names of all topics. */
  topics(): Promise<string[]>;
  /**
   * Resolves when every message is durable. Messages of one call with the same key keep their order. Rejects with
   * `BusUnavailable` after a bounded wait when the bus is down. The log may contain the messages nevertheless, so send
   * them again with the same ids. Rejects if the topic does not exist, and with `Unsendable` if a message is too large.
   */
  publish(topic: string, messages: Published[]): Promise<void>;
  /** Joins a consumer group. A new group starts with the oldest message. */
  subscribe(options: GroupOptions): Promise<Subscription>;
  /** Delivers every message from now on to each instance, without commits. Used for caches, sockets, revocations. */
  tail(topics: string[], hear: (message: unknown) => void): Promise<Subscription>;
  /**
   * Reads a topic from the start to its current end, in order per key, without a group. Used for rebuilding and by `npm
   * run dead-letters`. `newest`: reads only that many of the newest messages of each partition.
   */
  replay(topic: string, handle: (batch: Delivery[]) => Promise<void>, options?: { newest?: number }): Promise<void>;
  /** Number of messages that a group has not committed yet, per topic. */
  lag(group: string, topics: string[]): Promise<Record<string, number>>;
  /** True if the bus responds. */
  healthy(): Promise<boolean>;
  close(): Promise<void>;
}

export const PARTITIONS = 12;

/** The bus did not respond in time. The error is `transient`, so callers retry. */
export class BusUnavailable extends Error {
  override name = 'BusUnavailable';
  readonly transient = true;
}

/**
 * Maximum size of a message in bytes. It is below Kafka's limit, because a dead letter contains a message and its
 * cause.
 */
const LARGEST = 900_000;
const LARGEST_LETTER = 1_000_000;

/** The bus will never accept this message. */
export class Unsendable extends Error {
  override name = 'Unsendable';
  readonly unsendable = true;
}

/** Serializes a message for the log. Throws `Unsendable` if it is too large or cannot be serialized. */
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

/** The logger of a bus and its consumers. A pino logger fits. */
export interface BusLog {
  debug(fields: object, text: string): void;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

export const silent: BusLog = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Parses a message's text in the log. Text that is not JSON was not written by Beltway; such text is returned
 * unchanged, so that `consume` parks the entry.
 */
export function parseMessage(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
