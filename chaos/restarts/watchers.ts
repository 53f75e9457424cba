import { setTimeout as pause } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import type { ClientMessages, ServerMessages } from '@beltway/contracts/realtime/socket';

type Connection = Socket<ServerMessages, ClientMessages>;

export interface Watchers {
  connected(): number;
  /** Number of reconnections of all watchers. */
  reconnects(): number;
  /** Failed stock requests, which pages send after they connect. */
  failures(): string[];
  /** The oldest version of the event that any watcher has. */
  oldest(eventId: number): number;
  close(): void;
}

export interface WatcherOptions {
  url: string;
  count: number;
  eventIds: number[];
  /** A page retries after a response with Retry-After, like the frontend. Any other error is a failure. */
  mayRefuse: boolean;
}

const AGAIN_MS = 2_000;

/**
 * Opens pages that watch the stock of events like the frontend. The pages store the stock from messages. After each
 * connection, including the first, a page loads the stock once, because it missed the messages sent before. The pages
 * send no other requests.
 */
export function openWatchers({ url, count, eventIds, mayRefuse }: WatcherOptions): Watchers {
  let reconnects = 0;
  const failures: string[] = [];
  const seen = Array.from({ length: count }, () => new Map<number, number>());
  const sockets = seen.map((versions): Connection => {
    const socket: Connection = io(url, {
      transports: ['websocket'],
      extraHeaders: { origin: url },
      reconnectionDelay: 100,
      reconnectionDelayMax: 500,
    });
    const know = (eventId: number, version: number) =>
      versions.set(eventId, Math.max(version, versions.get(eventId) ?? 0));
    socket.on('ticketing.stock-changed', ({ eventId, version }) => know(eventId, version));
    let before = false;
    socket.on('connect', () => {
      if (before) reconnects++;
      before = true;
      socket.emit('watch-stock', eventIds, () => {
        for (const eventId of eventIds)
          ask(eventId).then(
            (version) => know(eventId, version),
            (error: unknown) => failures.push(`a page asked for the stock of ${eventId}: ${String(error)}`),
          );
      });
    });
    return socket;
  });

  const ask = async (eventId: number): Promise<number> => {
    const response = await fetch(new URL(`/api/events/${eventId}/availability`, url)).catch((error: unknown) => {
      if (!mayRefuse) throw error;
    });
    if (!response || (mayRefuse && response.status === 503)) {
      await pause(AGAIN_MS);
      return ask(eventId);
    }
    const text = await response.text();
    if (!response.ok) throw new Error(`answered ${response.status} ${text}`);
    return (JSON.parse(text) as { version: number }).version;
  };
  return {
    connected: () => sockets.filter((socket) => socket.connected).length,
    reconnects: () => reconnects,
    failures: () => failures,
    oldest: (eventId) => Math.min(...seen.map((versions) => versions.get(eventId) ?? 0)),
    close: () => sockets.forEach((socket) => socket.disconnect()),
  };
}
