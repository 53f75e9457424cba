import type { ServerOptions } from 'socket.io';
import type { Redis } from '@beltway/kit/redis';

export type FanOut = ServerOptions['adapter'];

/**
 * Delivers what an instance sends to a room to the pages of all instances, once each. While Redis is down, only pages
 * of the same instance are reached, after at most the timeout of `ask`. The adapter delivers to its own sockets even if
 * publishing failed.
 */
export async function fanOut(redis: Redis): Promise<FanOut> {
  const { createShardedAdapter } = await import('@socket.io/redis-adapter');
  // The parts of a Redis client that the adapter calls. It does not await its subscriptions, so none may reject.
  const speak = {
    sSubscribe: () => undefined, // by this function's name, the adapter detects how commands are spelled
    sPublish: (channel: string, message: string | Buffer) => redis.ask((client) => client.sPublish(channel, message)),
    sendCommand: (words: string[]) => redis.ask((client) => client.sendCommand(words)),
  };
  const hear = {
    sSubscribe: redis.subscribe,
    sUnsubscribe: () => undefined, // the subscription ends with the process's connection
  };
  // One channel for all rooms, because every instance has pages in the busy rooms, and a page may be in 250 rooms.
  return createShardedAdapter(speak, hear, { channelPrefix: 'realtime', subscriptionMode: 'static' });
}
