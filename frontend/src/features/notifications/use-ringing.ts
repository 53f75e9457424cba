import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { renewSession } from '../../lib/http/http.ts';
import { pageSocket, type PageSocket } from '../../lib/realtime/socket.ts';
import { refreshNotifications, showUnread } from './api.ts';

/** At most, in milliseconds: when thousands are told of one thing, their pages do not all ask at once. */
const SPREAD_MS = 1_500;

/** The bell that is shown. `count`: what is unread, as the connection says it. */
let shown: { token: string; ring: () => void; count: (unread: number) => void } | null = null;
/** How often something rang. */
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
 * Tells the server whose notifications are shown. What rang before it knows was not said to this page: it says how many are unread. What
 * rang since it was asked may not be in that number: then the page asks.
 */
function say(socket: PageSocket, token: string | null): void {
  const before = rung;
  socket.emit('follow-notifications', token, (isFollowing, unread) => {
    // Meanwhile another account, or a fresh token that is answered by itself.
    if (!isFollowing || shown?.token !== token) return;
    if (unread === undefined || rung !== before) shown.ring();
    else shown.count(unread);
  });
}

/** A fresh token, which is followed by then. A page that nobody looks at keeps no session alive. */
function renewWhenSeen(): void {
  if (document.visibilityState !== 'visible')
    return document.addEventListener('visibilitychange', renewWhenSeen, { once: true });
  // Refused: the next call by HTTP says that the session is over.
  if (shown) renewSession(shown.token).catch(() => undefined);
}

/** Follows what is shown now. */
function follow(): void {
  listening ??= listen();
  listening.then(
    (socket) => socket.connected && say(socket, shown?.token ?? null),
    // Its code could not be loaded (offline): the bell still shows what it asks for, and the next one tries again.
    () => (listening = null),
  );
}

/** Shows what the page's connection says of the notifications of this session, and asks for them again whenever there are others. */
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
      // Not when a fresh token follows this one at once: between the two nothing would ring.
      queueMicrotask(() => shown ?? follow());
    };
  }, [token, queries]);
}
