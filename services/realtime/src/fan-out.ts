import type { ServerOptions } from 'socket.io';
import type { Redis } from '@beltway/kit/redis';

export type FanOut = ServerOptions['adapter'];

/**
 * What is said to a room at one instance reaches the pages of all, each once. While Redis is away it reaches those of this instance
 * only, after at most as long as `ask` waits: the adapter tells its own sockets also when publishing failed.
 */
export async function fanOut(redis: Redis): Promise<FanOut> {
  const { createShardedAdapter } = await import('@socket.io/redis-adapter');
  // The parts of a client the adapter calls. It waits for none of its subscriptions, so none may reject.
  const speak = {
    sSubscribe: () => undefined, // by this it knows the commands' spelling
    sPublish: (channel: string, message: string | Buffer) => redis.ask((client) => client.sPublish(channel, message)),
    sendCommand: (words: string[]) => redis.ask((client) => client.sendCommand(words)),
  };
  const hear = {
    sSubscribe: redis.subscribe,
    sUnsubscribe: () => undefined, // the connection ends with the process
  };
  // One channel for all: every instance has pages in the rooms that matter, and a page may be in 250.
  return createShardedAdapter(speak, hear, { channelPrefix: 'realtime', subscriptionMode: 'static' });
}
