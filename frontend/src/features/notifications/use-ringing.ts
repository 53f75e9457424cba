import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { pageSocket, type PageSocket } from '../../lib/socket.ts';
import { refreshNotifications } from './api.ts';

/** At most, in milliseconds: when thousands are told of one thing, their pages do not all ask at once. */
const SPREAD_MS = 1_500;

/** The bell that is shown. */
let shown: { token: string; ring: () => void } | null = null;
let listening: Promise<PageSocket> | null = null;

async function listen(): Promise<PageSocket> {
  const socket = await pageSocket();
  // Others may have opened it before.
  let isFirst = !socket.connected;
  socket.on('connect', () => {
    if (shown) socket.emit('follow-notifications', shown.token);
    // What rang while the connection was away was not said to this page.
    if (!isFirst) shown?.ring();
    isFirst = false;
  });
  socket.on('notifications-changed', () => shown?.ring());
  return socket;
}

/** Says whose notifications this page shows. */
function follow(token: string | null): void {
  listening ??= listen();
  listening.then(
    (socket) => socket.connected && socket.emit('follow-notifications', token),
    // Its code could not be loaded (offline): the bell still shows what it asks for, and the next one tries again.
    () => (listening = null),
  );
}

/** Asks for the notifications of this session again whenever the page's connection says that there are others. */
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
    shown = { token, ring };
    follow(token);
    return () => {
      clearTimeout(timer);
      shown = null;
      follow(null);
    };
  }, [token, queries]);
}
