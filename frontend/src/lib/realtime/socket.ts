import type { ChatClientMessages, ChatServerMessages } from '@beltway/contracts/realtime/chat';
import type { ClientMessages, ServerMessages } from '@beltway/contracts/realtime/socket';
import type { Socket } from 'socket.io-client';
import { chatGuestKey } from './chat-guest.ts';

export type PageSocket = Socket<ServerMessages & ChatServerMessages, ClientMessages & ChatClientMessages>;

let opening: Promise<PageSocket> | null = null;

/**
 * The page's only connection, shared by all listeners. The first call loads the socket's code and opens the connection.
 * Rejects when the code cannot be loaded (offline); the next call retries.
 */
export function pageSocket(): Promise<PageSocket> {
  opening ??= open().catch((error: unknown) => {
    opening = null;
    throw error;
  });
  return opening;
}

async function open(): Promise<PageSocket> {
  const { io } = await import('socket.io-client');
  return io({
    path: '/socket.io',
    withCredentials: true,
    auth: (send) => send({ ...chatGuestKey.get() }),
    // Polling is only for proxies that block WebSockets, because an idle poll occupies a request at the server.
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
  });
}
