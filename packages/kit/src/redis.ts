import type { RedisClientType } from 'redis';
import { backoff } from './backoff.ts';
import type { Logger } from './observe/logger.ts';

/** Replies are typed as in version 2 of the protocol. */
export type RedisClient = RedisClientType<{}, {}, {}, 2>; // eslint-disable-line @typescript-eslint/no-empty-object-type

export interface RedisOptions {
  url: string;
  /** The certificate authorities (PEM) for a `rediss:` URL, if Node does not include them. */
  ca?: string | undefined;
  log: Logger;
  /** Time limit of a command in ms. Default 50, because requests wait for the command. */
  answerMs?: number;
}

export interface Redis {
  /**
   * Runs a command and returns its reply. Rejects with `RedisAway` immediately while Redis is down, or after `answerMs`
   * without a reply. The caller then continues without Redis. A command that timed out may still be executed.
   */
  ask<T>(command: (client: RedisClient) => Promise<T>): Promise<T>;
  /** False while commands would fail. */
  usable(): boolean;
  /**
   * Subscribes to a sharded channel, from the next connection until `close`. Messages published while Redis is down are
   * lost.
   */
  subscribe(channel: string, listener: Listener): void;
  close(): void;
}

type Listener = (message: Buffer, channel: Buffer) => void;

export class RedisAway extends Error {
  override name = 'RedisAway';
}

/**
 * After a timeout, no command is sent for this long. So a frozen Redis costs one short wait per period instead of a
 * wait per request.
 */
const REST_MS = 500;
/** A connection without traffic for this long, despite a ping every second, is replaced. Both constants are in ms. */
const SILENT_MS = 3_000;
const PING_MS = 1_000;
const reconnectAfter = backoff(50, 1_000);

/**
 * A connection to Redis that never blocks callers. It resolves before it is connected, reconnects indefinitely with
 * pauses of up to a second, queues no commands while Redis is down, and logs the beginning and the end of an outage
 * once each.
 */
export async function openRedis({ url, ca, log, answerMs = 50 }: RedisOptions): Promise<Redis> {
  // Loaded on demand, because it takes 28 MB.
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
    client.connect().catch(() => undefined); // the 'error' listener reports errors, and the client retries
    return client;
  }

  const main = connect();
  main.on('ready', () => {
    restUntil = 0;
    noteBack();
  });
  const usable = () => main.isReady && performance.now() >= restUntil;

  // Subscriptions need their own connection. The client does not handle subscriptions made before its first connection
  // (6.3 sends them twice and mismatches the replies). So all subscriptions are sent on each new connection; repeating
  // a known subscription costs nothing.
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
        // Waits two more event-loop turns: after a long turn of this process, the reply may already be readable when
        // the timer fires.
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
