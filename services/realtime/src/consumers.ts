import { LivestreamChangedV1 } from '@beltway/contracts/catalog/livestream';
import { StockChangedV1, type Availability } from '@beltway/contracts/ticketing/tickets';
import type { Bus, Subscription } from '@beltway/kit/bus';
import { consume, onRepeatable } from '@beltway/kit/bus/consume';
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
  /** Gets states in any order, and some twice. */
  tell: (stock: Availability) => void;
  /** A live stream was scheduled, moved, began or ended. */
  tellLivestream: (changed: LivestreamChangedV1['data']) => void;
}

/**
 * When we hear X, we do Y. Stock is heard twice: by each instance for its own sockets, as it happens; and by one of the group
 * to keep it, which also tells what happened while no instance was listening. The catalog's events make the chat rooms; live
 * streams that change are told by each instance to its own sockets.
 */
export async function startConsumers({ tell, tellLivestream, chat, moderated, ...deps }: Deps): Promise<Subscription> {
  const topics = ['ticketing.events'];
  const kept = await consume({
    ...deps,
    group: 'realtime.stock',
    topics,
    handlers: {
      // No inbox row: the version alone makes a repeat harmless, and a hot sale tells of its stock very often.
      [TYPE]: onRepeatable(StockChangedV1, async ({ data }) => {
        await keepStock(deps.pool, data);
        tell(data);
      }),
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
  // What is missed meanwhile is found by the pages' polls.
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
