import type { ChatMessage, ChatRoom, Joined, Refused } from '@beltway/contracts/realtime/chat';
import { chatMessage, chatRoom } from './chat.ts';
import type { FakeCall } from './fake-api.ts';

type Handler = (data?: unknown) => void;
interface Body {
  room: string;
  after?: number;
  afterId?: string;
  id: string;
  message: string;
  guestName?: string;
  seq: number;
  reaction: string;
  isOn: boolean;
  token: string | null;
}

/**
 * A fake server with the region's room, as socket.io's `io()` and as calls for `fakeApi`. It sends a new message
 * immediately to a page that joined the room. `isSilent` stores messages without sending them, and `isDeaf` ignores
 * everything on the socket.
 */
export function fakeChat(log: ChatMessage[] = [], facts: Partial<ChatRoom> = {}) {
  const handlers = new Map<string, Set<Handler>>();
  const sent: { name: string; body: Body }[] = [];
  const fire = (name: string, data?: unknown) => [...(handlers.get(name) ?? [])].forEach((handler) => handler(data));
  const room = chatRoom(facts);
  const server = {
    log,
    room,
    /** Everything that the page sent, in order. */
    sent,
    isSilent: false,
    isDeaf: false,
    /** If true, omits changed messages when a page resumes. */
    isUnaware: false,
    isJoined: false,
    /** Errors with which the server refuses messages, by message name. */
    refusals: new Map<string, Refused['error']>(),
    seq: () => log.at(-1)?.seq ?? 0,
    /** Sends messages to a page that joined, whether they are stored or not. */
    tell: (...messages: ChatMessage[]) => server.isJoined && fire('messages', { room: 'region', messages }),
    change(seq: number, changes: Partial<ChatMessage>) {
      const at = log.findIndex((one) => one.seq === seq);
      log[at] = { ...log[at]!, ...changes };
      if (server.isJoined && !server.isSilent) fire('messages-changed', { room: 'region', messages: [log[at]] });
    },
    fire,
    /** Stores and sends a message of another person. */
    post(changes: Partial<ChatMessage> = {}) {
      const message = chatMessage(server.seq() + 1, changes);
      log.push(message);
      if (!server.isSilent) server.tell(message);
      return message;
    },
    connect() {
      socket.connected = true;
      fire('connect');
    },
    disconnect() {
      socket.connected = false;
      server.isJoined = false;
      fire('disconnect');
    },
    /** The REST calls, for `fakeApi`. */
    calls: {
      'GET /api/chat/region': () => ({ ...room, seq: server.seq() }),
      'GET /api/chat/region/messages': ({ path }: FakeCall) => {
        const query = new URLSearchParams(path.split('?')[1]);
        const after = query.get('after');
        const before = query.get('before');
        const limit = Number(query.get('limit') ?? 26);
        const messages =
          after !== null
            ? log.filter(({ seq }) => seq > Number(after)).slice(0, limit)
            : log.filter(({ seq }) => before === null || seq < Number(before)).slice(-limit);
        return { messages, seq: server.seq() };
      },
    },
  };

  function answerTo(name: string, body: Body): unknown {
    const error = server.refusals.get(name);
    if (error) return { error };
    if (name === 'authenticate') return { userId: body.token === null ? null : 3 };
    if (name === 'join') {
      server.isJoined = true;
      const { after, afterId } = body;
      if (afterId && log.find(({ seq }) => seq === after)?.id !== afterId)
        return {
          messages: log.slice(-26),
          seq: server.seq(),
          online: 2,
          changed: [],
          startsAnew: true,
        } satisfies Joined;
      const joined: Joined = {
        messages: after === undefined ? log.slice(-26) : log.filter(({ seq }) => seq > after).slice(0, 100),
        seq: server.seq(),
        online: 2,
        changed: after === undefined || server.isUnaware ? [] : log.filter(({ seq }) => seq <= after).slice(-100),
      };
      return joined;
    }
    if (name === 'say') {
      const known = log.find(({ id }) => id === body.id);
      const { seq } = known ?? server.post({ id: body.id, message: body.message, userName: body.guestName ?? 'Ann' });
      return { seq };
    }
    if (name === 'react') {
      const { reactions } = log.find(({ seq }) => seq === body.seq)!;
      const before = reactions[body.reaction as '🔥'] ?? 0;
      const count = before + (body.isOn ? 1 : -1);
      server.change(body.seq, { reactions: { ...reactions, [body.reaction]: count } });
      return { seq: body.seq, reactions: { ...reactions, [body.reaction]: count } };
    }
    return undefined;
  }

  const socket = {
    connected: false,
    on(name: string, handler: Handler) {
      handlers.set(name, (handlers.get(name) ?? new Set()).add(handler));
    },
    off: (name: string, handler: Handler) => handlers.get(name)?.delete(handler),
    emit(name: string, body: Body, done?: (answer: unknown) => void) {
      sent.push({ name, body });
      if (name === 'leave') server.isJoined = false;
      if (!socket.connected || server.isDeaf) return;
      const answer = answerTo(name, body);
      queueMicrotask(() => done?.(answer));
    },
  };
  return Object.assign(server, { socket });
}
export type FakeChat = ReturnType<typeof fakeChat>;
