import { startSpan } from '@beltway/tracing';
import { follow, type Follower } from './follow.ts';
import { isTransient } from '../pg/faults.ts';
import { readEvent, type Logged } from './read.ts';
import type { Outgoing } from './outgoing.ts';
import { uuidFrom } from '../ids.ts';
import type { Store } from '../store.ts';
import type { Queries } from '../types.ts';

/** A message as published on the bus (contracts/common `Message`). */
export interface OutgoingMessage {
  id: string;
  type: string;
  version: number;
  key: string;
  occurredAt: string;
  correlationId: string;
  causationId: string;
  data: unknown;
  /** The publishing span, if the event's trace is recorded. The bus sends the span as a header of the message. */
  traceparent?: string;
}

export interface RelayOptions {
  /** The service's topic, which is part of each message's id. */
  topic: string;
  /**
   * Creates the messages for a page of the log. Needed for messages that depend on rows as well. Default: the store's
   * `toMessages`.
   */
  publish?: (events: Logged[], db: Queries) => Outgoing[] | Promise<Outgoing[]>;
  /**
   * Resolves when the bus has stored the messages durably. The error has `unsendable` if the bus will never accept a
   * message.
   */
  send: (messages: OutgoingMessage[]) => Promise<void>;
  /**
   * Parks an event that cannot be published; `republish` can publish the event later. Default: the relay stops at this
   * event and retries indefinitely.
   */
  park?: (event: Logged, error: unknown) => Promise<void>;
}

export interface Relay extends Follower {
  /** Publishes one parked event, after the fault was fixed. */
  republish(stream: string, version: number): Promise<void>;
}

/** Publishing an event again produces the same id, so consumers recognize the message. */
const messageId = (topic: string, { of, type, version }: Pick<Outgoing, 'of' | 'type' | 'version'>): string =>
  uuidFrom(`${topic}\0${of.stream}\0${of.version}\0${type}\0${version}`);

/** True for errors of the database and errors marked as transient, which the event did not cause. */
const isAround = (error: unknown): boolean =>
  isTransient(error) || (error instanceof Error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code)));

const isUnsendable = (error: unknown): boolean =>
  error instanceof Error && 'unsendable' in error && error.unsendable === true;

const halves = <T>(all: T[]): [T[], T[]] => [all.slice(0, all.length / 2), all.slice(all.length / 2)];

/**
 * The events table is the outbox: the relay reads it in order, sends the messages to the bus, then moves its
 * checkpoint. So each message is published at least once. If `publish` fails for an event or the bus rejects its
 * message, the event is parked, and the other events continue in order.
 */
export function relay(store: Store, options: RelayOptions): Relay {
  const { topic, publish = (events: Logged[]) => events.flatMap(store.toMessages), send, park } = options;

  /** Bisects the batch to find the event that fails. */
  async function outgoingOf(events: Logged[], db: Queries): Promise<Outgoing[]> {
    try {
      return await publish(events, db);
    } catch (error) {
      if (!park || isAround(error)) throw error;
      if (events.length > 1) {
        const [first, second] = halves(events);
        return [...(await outgoingOf(first, db)), ...(await outgoingOf(second, db))];
      }
      await park(events[0]!, error);
      return [];
    }
  }

  async function sendAll(outgoing: Outgoing[]): Promise<void> {
    if (outgoing.length === 0) return;
    try {
      await publishSpans(topic, outgoing, send);
    } catch (error) {
      if (!park || !isUnsendable(error)) throw error;
      if (outgoing.length === 1) return park(outgoing[0]!.of, error);
      for (const half of halves(outgoing)) await sendAll(half);
    }
  }

  const follower = follow(store, {
    name: 'relay',
    handle: async (events, db) => sendAll(await outgoingOf(events, db)),
  });
  return {
    ...follower,
    async republish(stream, version) {
      const event = await readEvent(store.pool, store.upcasts, stream, version);
      if (!event) throw new Error(`There is no event ${version} of ${stream}`);
      const outgoing = await publish([event], store.pool);
      if (outgoing.length > 0) await publishSpans(topic, outgoing, send);
    },
  };
}

/** Sends the messages. Creates a span for each message whose event's trace is recorded. */
async function publishSpans(topic: string, outgoing: Outgoing[], send: RelayOptions['send']): Promise<void> {
  const attributes = { 'messaging.destination.name': topic, 'messaging.batch.message_count': outgoing.length };
  const spans = outgoing.map(({ of: { traceparent: parent }, type }) =>
    parent === undefined ? undefined : startSpan(`publish ${type}`, { parent, kind: 'producer', attributes }),
  );
  try {
    await send(outgoing.map((one, at) => messageOf(topic, one, spans[at]?.traceparent)));
  } catch (error) {
    spans.forEach((span) => span?.end(error));
    throw error;
  }
  spans.forEach((span) => span?.end());
}

/** The message for the bus: the result of `publish`, with the event's metadata from the log. */
export const messageOf = (topic: string, one: Outgoing, traceparent?: string): OutgoingMessage => ({
  id: messageId(topic, one),
  type: one.type,
  version: one.version,
  key: one.key ?? one.of.stream,
  occurredAt: one.of.occurredAt.toISOString(),
  correlationId: one.of.correlationId,
  causationId: one.of.causationId,
  data: one.data,
  ...(traceparent !== undefined && { traceparent }),
});
