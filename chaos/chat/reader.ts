import { io, type Socket } from 'socket.io-client';
import type {
  ChatClientMessages,
  ChatMessage,
  ChatServerMessages,
  Joined,
  MessagePage,
  Refused,
} from '@beltway/contracts/realtime/chat';

/** A page that reads the region's room with the stock client, like the frontend. */
export interface Reader {
  /** Messages without repetition, in the order in which the page shows them. */
  messages: ChatMessage[];
  reconnects: number;
  again: number;
  /** Disconnects, and connects again after `afterMs`. */
  reconnect(afterMs: number): void;
  close(): void;
}

const ROOM = 'region';
const AGAIN_MS = 200;

/** For each connection, `urlOf` returns the URL of a different instance. */
export function openReader(urlOf: () => string): Reader {
  let socket: Socket<ChatServerMessages, ChatClientMessages> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let filling = false;
  let closed = false;

  const reader: Reader = {
    messages: [],
    reconnects: 0,
    again: 0,
    reconnect(afterMs) {
      if (closed) return;
      socket?.disconnect();
      clearTimeout(timer);
      reader.reconnects++;
      timer = setTimeout(open, afterMs);
    },
    close() {
      closed = true;
      clearTimeout(timer);
      socket?.disconnect();
    },
  };
  const last = () => reader.messages.length;

  /** Accepts messages in sequence. After a gap in the sequence numbers, requests the missing messages. */
  function take(messages: readonly ChatMessage[]): void {
    for (const message of messages) {
      if (message.seq === last() + 1) reader.messages.push(message);
      else if (message.seq <= last()) reader.again++;
      else return void fill();
    }
  }

  async function fill(): Promise<void> {
    if (filling || closed) return;
    filling = true;
    try {
      for (;;) {
        const signal = AbortSignal.timeout(3_000);
        const answer = await fetch(`${urlOf()}/api/chat/${ROOM}/messages?limit=100&after=${last()}`, { signal });
        const { messages, seq } = (await answer.json()) as MessagePage;
        for (const message of messages) if (message.seq === last() + 1) reader.messages.push(message);
        if (last() >= seq) break;
      }
    } catch {
      if (!closed) setTimeout(() => void fill(), AGAIN_MS);
    } finally {
      filling = false;
    }
  }

  function open(): void {
    const own: Socket<ChatServerMessages, ChatClientMessages> = io(urlOf(), {
      ...{ transports: ['websocket'], forceNew: true, reconnection: false },
    });
    socket = own;
    const comeBack = () => {
      if (socket === own) reader.reconnect(AGAIN_MS);
    };
    own.on('connect', () =>
      own
        .timeout(5_000)
        .emit('join', { room: ROOM, after: last() }, (error: Error | null, joined: Joined | Refused) => {
          if (error || 'error' in joined) return comeBack();
          take(joined.messages);
          if (joined.seq > last()) void fill();
        }),
    );
    own.on('messages', ({ messages }) => take(messages));
    own.on('disconnect', comeBack);
    own.on('connect_error', comeBack);
  }
  open();
  return reader;
}
