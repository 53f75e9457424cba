import type { Event } from '@beltway/contracts/catalog/events';
import { useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isPassing } from '../http/http.ts';
import { pageSocket, type PageSocket } from './socket.ts';

/** How many mounted components watch each event. */
const watchers = new Map<number, number>();
let listening: Promise<PageSocket> | null = null;

/** Keeps these events' stock up to date: each change announced by the socket invalidates the queries that show it. */
export function useStock(eventIds: readonly number[]): void {
  const queries = useQueryClient();
  const key = [...new Set(eventIds)].sort((a, b) => a - b).join();
  useEffect(() => {
    if (!key) return;
    const ids = key.split(',').map(Number);
    for (const id of ids) watchers.set(id, (watchers.get(id) ?? 0) + 1);
    const socket = (listening ??= listen(queries));
    socket.then((open) => open.connected && open.emit('watch-stock', ids), forget);
    return () => {
      const gone = ids.filter((id) => {
        const left = (watchers.get(id) ?? 1) - 1;
        if (left > 0) watchers.set(id, left);
        else watchers.delete(id);
        return left <= 0;
      });
      if (gone.length) socket.then((open) => open.connected && open.emit('unwatch-stock', gone), forget);
    };
  }, [key, queries]);
}

// Called when the socket's code could not be loaded (offline). The page works without a socket, and the next watcher
// retries.
function forget(): void {
  listening = null;
}

async function listen(queries: QueryClient): Promise<PageSocket> {
  const socket = await pageSocket();
  // Another component may already have opened the socket.
  let isFirst = !socket.connected;
  socket.on('connect', () => {
    const ids = [...watchers.keys()];
    if (ids.length) socket.emit('watch-stock', ids);
    // This page missed the changes during the disconnection.
    if (!isFirst) refreshSoon(queries, ids);
    isFirst = false;
  });
  socket.on('ticketing.stock-changed', ({ eventId, version }) => {
    newest.set(eventId, Math.max(version, newest.get(eventId) ?? 0));
    refreshSoon(queries, [eventId]);
  });
  return socket;
}

/**
 * For each sale, the newest announced stock version. Queries are refetched until they have at least that stock version.
 */
const newest = new Map<number, number>();
const AGAIN_MS = 2_000;
const MOST_TRIES = 20;
const changed = new Set<number>();
let timer: ReturnType<typeof setTimeout> | null = null;
/**
 * Debounces many changes into one request, after a random delay, so that browsers do not all request at the same time.
 */
function refreshSoon(queries: QueryClient, eventIds: number[], tries = 0): void {
  for (const id of eventIds) changed.add(id);
  timer ??= setTimeout(
    () => {
      timer = null;
      const ids = new Set(changed);
      changed.clear();
      queries
        .invalidateQueries({ predicate: ({ queryKey }) => showsStockOf(queryKey, ids) }, { throwOnError: true })
        .then(() => {
          // The catalog receives the change at the same time as this page, so the catalog's response may still have the
          // old stock.
          const stale = staleOf(queries, ids);
          if (stale.length && tries < MOST_TRIES) refreshSoon(queries, stale, tries + 1);
        })
        // The server does not announce the change again, so a failed request must be retried.
        .catch((error: unknown) => isPassing(error) && setTimeout(() => refreshSoon(queries, [...ids]), AGAIN_MS));
    },
    250 + Math.random() * 500,
  );
}

type Shown = Partial<Pick<Event, 'id' | 'stockVersion'>>;
/** The events in a query's data: one event, a list, the pages of a search, or an organizer's upcoming events. */
function eventsIn(data: unknown): Shown[] {
  const { pages, upcoming } = (data ?? {}) as { pages?: { items: Shown[] }[]; upcoming?: Shown[] };
  return pages?.flatMap(({ items }) => items) ?? upcoming ?? ([data].flat() as Shown[]);
}

/** The events shown with an older stock version than the announced one. */
function staleOf(queries: QueryClient, eventIds: ReadonlySet<number>): number[] {
  const shown = queries
    .getQueriesData<unknown>({ type: 'active', predicate: ({ queryKey }) => showsStockOf(queryKey, eventIds) })
    .flatMap(([, data]) => eventsIn(data));
  return [...eventIds].filter((id) =>
    shown.some((event) => event?.id === id && (event.stockVersion ?? Infinity) < (newest.get(id) ?? 0)),
  );
}

/**
 * Whether a query shows the stock of one of these events. Lists of events and sales figures show every event's stock;
 * /api/events/7 and paths below it show only the stock of event 7.
 */
export function showsStockOf([root, second, third]: QueryKey, eventIds: ReadonlySet<number>): boolean {
  if (root === '/api/users' || root === '/api/organizers') return third === 'events';
  if (root === '/api/me/following' || root === '/api/tickets/sales') return true;
  if (root !== '/api/events') return false;
  return typeof second === 'number' ? eventIds.has(second) : true;
}
