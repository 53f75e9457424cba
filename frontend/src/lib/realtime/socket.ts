import type { ChatClientMessages, ChatServerMessages } from '@beltway/contracts/realtime/chat';
import type { ClientMessages, ServerMessages } from '@beltway/contracts/realtime/socket';
import type { Socket } from 'socket.io-client';
import { chatGuestKey } from './chat-guest.ts';

export type PageSocket = Socket<ServerMessages & ChatServerMessages, ClientMessages & ChatClientMessages>;

let opening: Promise<PageSocket> | null = null;

/**
 * The page's one connection, shared by all who listen. The first call loads its code and opens it. Rejects when the code cannot be
 * loaded (offline); the next call tries again.
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
    // A poll holds a request at the server for as long as nothing happens: only where a proxy lets no WebSocket through.
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
  });
}
