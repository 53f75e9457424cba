import { relay, uuidFrom, type Follower, type RelayOptions, type Store } from '@beltway/event-store';
import { Message } from '@beltway/contracts/common/basics';
import type { Pool } from 'pg';
import { z } from 'zod';
import type { Bus, BusLog } from './bus.ts';
import { consume, onRepeatable } from './consume.ts';
import { park } from './park.ts';

const TYPE = 'kit.event-to-relay';

/** A reference to an event in the service's log, because the whole event may be too large for the bus. */
const EventToRelayV1 = Message.extend({
  type: z.literal(TYPE),
  version: z.literal(1),
  data: z.object({ stream: z.string(), version: z.int().positive() }),
});
type EventToRelayV1 = z.infer<typeof EventToRelayV1>;

interface Options extends Pick<RelayOptions, 'topic' | 'publish'> {
  store: Store;
  bus: Bus;
  pool: Pool;
  log: BusLog;
}

/**
 * Starts a service's relay. An event that cannot be published becomes a dead letter in the group `<service>.relay`.
 * When the dead letter is replayed, the current code creates the event's messages again and publishes them after newer
 * messages.
 */
export async function startRelay({ store, bus, pool, log, topic, publish }: Options): Promise<Follower> {
  const group = topic.replace(/\.events$/, '.relay');
  const events = relay(store, {
    topic,
    ...(publish && { publish }),
    send: (messages) => bus.publish(topic, messages),
    park: async ({ stream, version, type, occurredAt, correlationId, causationId }, cause) => {
      const message: EventToRelayV1 = {
        id: uuidFrom(`${group} ${stream} ${version}`),
        type: TYPE,
        version: 1,
        key: stream,
        occurredAt: occurredAt.toISOString(),
        correlationId,
        causationId,
        data: { stream, version },
      };
      const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
      const error = new Error(`${type}, ${version} of ${stream}, cannot be published: ${reason}`, { cause });
      await park(
        { bus, log, group },
        { topic: stream, partition: 0, offset: BigInt(version), message },
        error,
        1,
        true,
      );
    },
  });
  const parked = await consume({
    bus,
    pool,
    log,
    group,
    topics: [],
    handlers: { [TYPE]: onRepeatable(EventToRelayV1, ({ data }) => events.republish(data.stream, data.version)) },
  });
  return {
    ...events,
    stop: async () => void (await Promise.all([events.stop(), parked.stop()])),
  };
}
