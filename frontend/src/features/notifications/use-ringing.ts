import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { renewSession } from '../../lib/http/http.ts';
import { pageSocket, type PageSocket } from '../../lib/realtime/socket.ts';
import { refreshNotifications, showUnread } from './api.ts';

/**
 * Maximum random delay in milliseconds, so that thousands of pages do not fetch at the same moment after one
 * announcement.
 */
const SPREAD_MS = 1_500;

/** The bell that is shown. `count` sets the unread count from the socket. */
let shown: { token: string; ring: () => void; count: (unread: number) => void } | null = null;
/** Number of announcements so far. */
let rung = 0;
let listening: Promise<PageSocket> | null = null;

async function listen(): Promise<PageSocket> {
  const socket = await pageSocket();
  socket.on('connect', () => shown && say(socket, shown.token));
  socket.on('notifications-changed', () => {
    rung++;
    shown?.ring();
  });
  socket.on('token-expired', renewWhenSeen);
  return socket;
}

/**
 * Subscribes to the notifications of the token's account. The response contains the unread count, because earlier
 * notifications were not announced to this page. If a notification is announced between request and response, the count
 * may not include it, so the page fetches.
 */
function say(socket: PageSocket, token: string | null): void {
  const before = rung;
  socket.emit('follow-notifications', token, (isFollowing, unread) => {
    // Ignores the response if the server rejected the token, a later request replaced this one, or the bell is gone or
    // shows another token.
    if (!isFollowing || shown?.token !== token) return;
    if (unread === undefined || rung !== before) shown.ring();
    else shown.count(unread);
  });
}

/**
 * Renews the session; the new token re-runs the effect, which subscribes again. Waits until the page is visible,
 * because a hidden page must not keep a session alive.
 */
function renewWhenSeen(): void {
  if (document.visibilityState !== 'visible')
    return document.addEventListener('visibilitychange', renewWhenSeen, { once: true });
  // A refusal (false) or a failed call is ignored here: the next HTTP call renews the session or reports that it has
  // ended.
  if (shown) renewSession(shown.token).catch(() => undefined);
}

/** Subscribes for the bell that is shown now, or unsubscribes if no bell is shown. */
function follow(): void {
  listening ??= listen();
  listening.then(
    (socket) => socket.connected && say(socket, shown?.token ?? null),
    // The Socket.IO code could not be loaded, for example because the browser is offline. The bell shows its fetched
    // count, and the next bell tries again.
    () => (listening = null),
  );
}

/** Keeps the bell of this session up to date from the socket, and refetches when notifications change. */
export function useRinging(token: string | null): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (token === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ring = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void refreshNotifications(queries);
      }, Math.random() * SPREAD_MS);
    };
    const count = (unread: number) => void showUnread(queries, unread);
    shown = { token, ring, count };
    follow();
    return () => {
      clearTimeout(timer);
      shown = null;
      // Unsubscribes in a microtask, so that a new token that replaces this one immediately takes over without a gap.
      queueMicrotask(() => shown ?? follow());
    };
  }, [token, queries]);
}
