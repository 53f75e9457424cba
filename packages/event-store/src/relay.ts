import { follow, type Follower } from './follow.ts';
import type { Logged } from './read-log.ts';
import { uuidFrom } from './ids.ts';
import type { Store } from './store.ts';
import type { Queries } from './types.ts';

/** One thing to tell the world, and the event it tells of. */
export interface Outgoing {
  of: Logged;
  type: string;
  version: number;
  /** Messages of one key keep their order. Default: the event's stream. */
  key?: string;
  data: unknown;
}

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
}

export interface RelayOptions {
  /** The service's topic; part of each message's id. */
  topic: string;
  /** Which events the world hears, as contracts (`publish.ts`). Gets a run of the log, may read rows. */
  publish: (events: Logged[], db: Queries) => Outgoing[] | Promise<Outgoing[]>;
  /** The types each event of which is told. Of all others `publish` gets the last one of each stream alone. Default: it gets all. */
  types?: readonly string[];
  /** Resolves when the bus has them durably. */
  send: (messages: OutgoingMessage[]) => Promise<void>;
}

/** The same event told again after a crash carries the same id, so readers know it. */
export const messageId = (topic: string, { of, type, version }: Pick<Outgoing, 'of' | 'type' | 'version'>): string =>
  uuidFrom(`${topic}\0${of.stream}\0${of.version}\0${type}\0${version}`);

/** The events table is the outbox: reads it in order, sends to the bus, then moves its checkpoint. At least once. */
export function relay(store: Store, { topic, publish, send, types }: RelayOptions): Follower {
  return follow(store, {
    name: 'relay',
    ...(types && { types, lastOfStreams: true }),
    handle: async (events, db) => {
      const outgoing = await publish(events, db);
      if (outgoing.length === 0) return;
      await send(
        outgoing.map((one) => ({
          id: messageId(topic, one),
          type: one.type,
          version: one.version,
          key: one.key ?? one.of.stream,
          occurredAt: one.of.occurredAt.toISOString(),
          correlationId: one.of.correlationId,
          causationId: one.of.causationId,
          data: one.data,
        })),
      );
    },
  });
}
