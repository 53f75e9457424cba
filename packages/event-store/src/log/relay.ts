import { startSpan } from '@beltway/tracing';
import { follow, type Follower } from './follow.ts';
import { isTransient } from '../pg/faults.ts';
import { readEvent, type Logged } from './read.ts';
import type { Outgoing } from './outgoing.ts';
import { uuidFrom } from '../ids.ts';
import type { Store } from '../store.ts';
import type { Queries } from '../types.ts';

/** What goes out on the bus (contracts/common `Message`). */
export interface OutgoingMessage {
  id: string;
  type: string;
  version: number;
  key: string;
  occurredAt: string;
  correlationId: string;
  causationId: string;
  data: unknown;
  /** Of the span that publishes it, where its event's trace is recorded. It travels beside the message. */
  traceparent?: string;
}

export interface RelayOptions {
  /** The service's topic; part of each message's id. */
  topic: string;
  /** The messages of a run of the log, where they need rows too. Default: those of the store (`toMessages`). */
  publish?: (events: Logged[], db: Queries) => Outgoing[] | Promise<Outgoing[]>;
  /** Resolves when the bus has them durably. What it rejects with is `unsendable` when the bus will never take one of them. */
  send: (messages: OutgoingMessage[]) => Promise<void>;
  /** Keeps an event aside that cannot be published, until `republish` is asked for it. Default: the relay stands still, and tries again for ever. */
  park?: (event: Logged, error: unknown) => Promise<void>;
}

export interface Relay extends Follower {
  /** Publishes one event by itself: one that was parked, once its fault is mended. */
  republish(stream: string, version: number): Promise<void>;
}

/** The same event carries the same id when it is sent again after a crash, so that readers recognize it. */
const messageId = (topic: string, { of, type, version }: Pick<Outgoing, 'of' | 'type' | 'version'>): string =>
  uuidFrom(`${topic}\0${of.stream}\0${of.version}\0${type}\0${version}`);

/** Of the database, or of what says so of itself: the event is not at fault. */
const isAround = (error: unknown): boolean =>
  isTransient(error) || (error instanceof Error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code)));

const isUnsendable = (error: unknown): boolean =>
  error instanceof Error && 'unsendable' in error && error.unsendable === true;

const halves = <T>(all: T[]): [T[], T[]] => [all.slice(0, all.length / 2), all.slice(all.length / 2)];

/**
 * The events table is the outbox: reads it in order, sends to the bus, then moves its checkpoint. At least once. An event that cannot be
 * published, since `publish` fails for it or the bus will not have its message, is parked, and the others go on in their order.
 */
export function relay(store: Store, options: RelayOptions): Relay {
  const { topic, publish = (events: Logged[]) => events.flatMap(store.toMessages), send, park } = options;

  /** Halved until the one is found for which it fails. */
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

/** Sends the messages of these, each of an event whose trace is recorded in a span of its own. */
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

/** What the bus gets: the message that `publish` made, with what the log says of its event. */
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
