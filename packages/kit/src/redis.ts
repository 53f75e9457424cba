import type { RedisClientType } from 'redis';
import { backoff } from './backoff.ts';
import type { Logger } from './observe/logger.ts';

/** Commands come back typed as version 2 of the protocol has them. */
export type RedisClient = RedisClientType<{}, {}, {}, 2>; // eslint-disable-line @typescript-eslint/no-empty-object-type

export interface RedisOptions {
  url: string;
  /** Of a `rediss:` URL: the authorities (PEM) of its certificate, where they are none that Node knows. */
  ca?: string | undefined;
  log: Logger;
  /** How long a command may take. Default 50 ms: a request waits for it. */
  answerMs?: number;
}

export interface Redis {
  /**
   * Runs a command and gives its answer. Rejects with `RedisAway` at once while Redis is away, and after `answerMs` when it says
   * nothing: the caller then does without it. A command that was given up may still be carried out.
   */
  ask<T>(command: (client: RedisClient) => Promise<T>): Promise<T>;
  /** False while a command would only fail. */
  usable(): boolean;
  /** Hears a sharded channel from the next moment there is a connection until `close`; what is said while Redis is away is lost. */
  subscribe(channel: string, listener: Listener): void;
  close(): void;
}

type Listener = (message: Buffer, channel: Buffer) => void;

export class RedisAway extends Error {
  override name = 'RedisAway';
}

/** After a command that got no answer nobody asks for so long: a frozen Redis costs one short wait in this time, not one per request. */
const REST_MS = 500;
/** A connection that is silent for so long, with a ping each second, is closed and made anew. Both in ms. */
const SILENT_MS = 3_000;
const PING_MS = 1_000;
const reconnectAfter = backoff(50, 1_000);

/**
 * One connection to Redis that never stands in the way: it resolves before there is a connection, reconnects for ever with pauses
 * up to a second, queues nothing while away, and logs an outage once when it begins and once when it is over.
 */
export async function openRedis({ url, ca, log, answerMs = 50 }: RedisOptions): Promise<Redis> {
  // Loaded only where it is used: it weighs 28 MB.
  const { createClient } = await import('redis');
  const connections: RedisClient[] = [];
  let away = false;
  let restUntil = 0;

  const noteAway = (error: unknown) => {
    if (!away) log.warn({ err: error }, 'Redis is away: every instance counts for itself until it is back');
    away = true;
  };
  const noteBack = () => {
    if (away) log.info('Redis is back');
    away = false;
  };

  function connect(): RedisClient {
    const client: RedisClient = createClient({
      url,
      RESP: 2,
      disableOfflineQueue: true,
      pingInterval: PING_MS,
      socket: {
        connectTimeout: SILENT_MS,
        socketTimeout: SILENT_MS,
        ...(ca && { ca }),
        reconnectStrategy: (tries) => reconnectAfter(tries + 1),
      },
    });
    client.on('error', noteAway);
    connections.push(client);
    client.connect().catch(() => undefined); // told by 'error', and tried again
    return client;
  }

  const main = connect();
  main.on('ready', () => {
    restUntil = 0;
    noteBack();
  });
  const usable = () => main.isReady && performance.now() >= restUntil;

  // Subscriptions need a connection of their own. The client forgets what it was told before its first connection (6.3: sent
  // twice, its answers then fit nothing), so all is said when there is one; what it knows already costs nothing.
  const listeners = new Map<string, Listener>();
  let subscriber: RedisClient | undefined;
  const listen = (channel: string, listener: Listener) =>
    void subscriber?.sSubscribe(channel, listener, true).catch(() => undefined);

  return {
    usable,
    async ask(command) {
      if (!usable()) throw new RedisAway('Redis is away');
      let timer: ReturnType<typeof setTimeout> | undefined;
      let answered = false;
      const silence = new Promise<never>((_, reject) => {
        const giveUp = () => {
          if (answered) return;
          restUntil = performance.now() + REST_MS;
          const error = new RedisAway(`Redis did not answer in ${answerMs} ms`);
          noteAway(error);
          reject(error);
        };
        // One more turn of the loop: after a long turn of our own the answer may lie there already, behind the timer.
        timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), answerMs);
      });
      try {
        const answer = await Promise.race([command(main), silence]);
        noteBack();
        return answer;
      } finally {
        answered = true;
        clearTimeout(timer);
      }
    },
    subscribe: (channel, listener) => {
      listeners.set(channel, listener);
      subscriber ??= connect().on('ready', () => listeners.forEach((listener, name) => listen(name, listener)));
      if (subscriber.isReady) listen(channel, listener);
    },
    close: () => connections.forEach((client) => client.destroy()),
  };
}
