import { LivestreamChangedV1 } from '@beltway/contracts/catalog/livestream';
import { StockChangedV1, type Availability } from '@beltway/contracts/ticketing/tickets';
import type { Bus, Subscription } from '@beltway/kit/bus';
import { consume, onNewest } from '@beltway/kit/bus/consume';
import type { Logger } from '@beltway/kit/logger';
import { moderationHandlers, type ModeratedDeps } from '@beltway/kit/service/moderated';
import type { Pool } from 'pg';
import type { Chat } from './chat/chat.ts';
import { eventHandlers } from './chat/events-copy.ts';
import { keepStock } from './stock/stock.ts';

const TYPE = 'ticketing.stock-changed';
const LIVESTREAM_TYPE = 'catalog.livestream-changed';

interface Deps {
  bus: Bus;
  pool: Pool;
  log: Logger;
  chat: Pick<Chat, 'handle'>;
  moderated: ModeratedDeps;
  /** Accepts states in any order. A state may be repeated. */
  tell: (stock: Availability) => void;
  /** Called when a live stream was scheduled, moved, began or ended. */
  tellLivestream: (changed: LivestreamChangedV1['data']) => void;
}

/**
 * Maps consumed messages to effects. Stock is consumed twice. Each instance consumes it immediately for its own
 * sockets. One member of the consumer group saves it, and publishes changes that arrived while no instance was running.
 * The catalog's events create the chat rooms. Each instance publishes changed live streams to its own sockets.
 */
export async function startConsumers({ tell, tellLivestream, chat, moderated, ...deps }: Deps): Promise<Subscription> {
  const topics = ['ticketing.events'];
  const kept = await consume({
    ...deps,
    group: 'realtime.stock',
    topics,
    gatherMs: 100,
    handlers: {
      // Needs no inbox row, because the version makes a repeat harmless. An inbox row for each message would also be
      // expensive during a hot sale, which publishes its stock very often.
      [TYPE]: onNewest(
        StockChangedV1,
        ({ data }) => ({ of: data.eventId, version: data.version }),
        async ({ data }) => {
          await keepStock(deps.pool, data);
          tell(data);
        },
      ),
    },
  });
  const events = await consume({
    ...deps,
    group: 'realtime.chat',
    topics: ['catalog.events'],
    handlers: eventHandlers(deps.pool, chat),
  });
  const moderation = await consume({
    ...deps,
    group: 'realtime.moderation',
    topics: ['identity.events'],
    handlers: moderationHandlers(moderated),
  });
  const heard = await deps.bus.tail(topics, (message) => {
    if ((message as { type?: unknown } | null)?.type !== TYPE) return; // most messages are of other types
    const stock = StockChangedV1.safeParse(message);
    if (stock.success) tell(stock.data.data);
  });
  // If a change is missed, pages find it by polling.
  const streams = await deps.bus.tail(['catalog.events'], (message) => {
    if ((message as { type?: unknown } | null)?.type !== LIVESTREAM_TYPE) return;
    const changed = LivestreamChangedV1.safeParse(message);
    if (changed.success) tellLivestream(changed.data.data);
  });
  return {
    stop: async () =>
      void (await Promise.all([kept.stop(), events.stop(), moderation.stop(), heard.stop(), streams.stop()])),
  };
}
