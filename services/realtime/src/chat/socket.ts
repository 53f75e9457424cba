import { z } from 'zod';
import {
  PostMessageBody,
  Reaction,
  RoomId,
  type ChatClientMessages,
  type Refused,
} from '@beltway/contracts/realtime/chat';
import { TokenEnded, type Authenticator } from '@beltway/kit/auth';
import type { Logger } from '@beltway/kit/logger';
import { asProblem, HttpProblem } from '@beltway/kit/problems';
import type { RealtimeSocket } from '../sockets.ts';
import { endOfToken } from '../token-end.ts';
import type { Chat } from './chat.ts';
import { TooSoon } from './decider.ts';
import type { Guest, Guests } from './guests.ts';
import { joinRoom, leaveRoom, setReader } from './hub/members.ts';
import type { Hub } from './hub/state.ts';
import type { ChatLimits } from './limits.ts';
import type { OnlinePeople } from './online.ts';
import { personKey, type Person } from './people.ts';

/** Rooms that one page may be in; a page shows one or two. */
export const MAX_ROOMS = 10;

// Never trust types: a browser sends what it likes.
const Seq = z.int().min(0).max(2_147_483_647);
const JoinBody = z.object({ room: RoomId, after: Seq.optional(), afterId: z.uuid().optional() });
const LeaveBody = z.object({ room: RoomId });
const SayBody = PostMessageBody.extend({ room: RoomId });
const ReactBody = z.object({ room: RoomId, seq: Seq.positive(), reaction: Reaction, isOn: z.boolean() });
const AuthenticateBody = z.object({ token: z.string().max(8_192).nullable() });

export interface ChatSocketDeps {
  chat: Chat;
  hub: Hub;
  guests: Guests;
  online: OnlinePeople;
  auth: Pick<Authenticator, 'verify'>;
  limits: Pick<ChatLimits, 'join'>;
  log: Logger;
}

/** A refusal as a problem would tell it by HTTP. */
function refusalOf(error: unknown): Refused['error'] {
  if (error instanceof TooSoon)
    return { code: error.code, message: error.message, retryAfterSeconds: error.retryAfterSeconds };
  const { code, message, retryAfter } = asProblem(error);
  return { code, message, ...(retryAfter !== undefined && { retryAfterSeconds: retryAfter }) };
}

const expired = () => new HttpProblem(401, 'token-expired', 'Your sign-in has ended. Please sign in again.');

/** The address that the gateway saw. */
const addressOf = ({ handshake }: RealtimeSocket): string =>
  String(handshake.headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-1)!
    .trim() || handshake.address;

/** Lets a page into rooms, and lets it write there. Each message is answered, at most once; refusals are `{ error }`. */
export function letChat(
  socket: RealtimeSocket,
  { chat, hub, guests, online, auth, limits, log }: ChatSocketDeps,
): void {
  const { token: given, guestKey: key } = socket.handshake.auth as { token?: unknown; guestKey?: unknown };
  const address = addressOf(socket);
  const known = guests.isKey(key);
  const guestKey = known ? (key as string) : guests.newKey();
  const guest: Guest = guests.guestOf(guestKey, address);
  let token = typeof given === 'string' && socket.data.caller ? given : null;
  let ending: ReturnType<typeof setTimeout> | undefined;
  /** What is called when the page leaves each room. */
  const rooms = new Map<string, () => void>();
  const joining = new Set<string>();
  /** The end of what each room was asked for last. */
  const turns = new Map<string, Promise<void>>();

  function presentAs(): { person: string; network?: string } {
    const { caller } = socket.data;
    return caller ? { person: personKey({ caller }) } : { person: personKey({ guest }), network: guest.network };
  }

  /** The same page may be another person from now on. */
  function become(next: string | null, caller: typeof socket.data.caller): void {
    token = next;
    if (caller) socket.data.caller = caller;
    else delete socket.data.caller;
    for (const [room, leave] of rooms) {
      leave();
      rooms.set(room, online.come(room, presentAs()));
    }
    expireLater();
  }
  function expire(): void {
    become(null, undefined);
    socket.emit('token-expired');
  }
  function expireLater(): void {
    clearTimeout(ending);
    if (token === null) return;
    const ms = endOfToken(token) - Date.now();
    // Longer waits than a timer takes are those of a token that does not end.
    if (ms < 2 ** 31) ending = setTimeout(expire, Math.max(0, ms));
    ending?.unref();
  }
  expireLater();

  /** Who this page is now. A token that has ended, or whose session has, is told, and nothing is done in its name. */
  async function person(): Promise<Person> {
    if (token === null) return { guest };
    const checked = token;
    try {
      return { caller: await auth.verify(checked) };
    } catch (error) {
      if (!(error instanceof HttpProblem) || error.status !== 401) throw error;
      if (token === checked) expire();
      throw expired();
    }
  }

  function hear<Name extends keyof ChatClientMessages, Body>(
    name: Name,
    schema: z.ZodType<Body>,
    act: (body: Body) => Promise<object | undefined>,
  ): void {
    const listener = (sent: unknown, answer?: unknown) => {
      const reply = typeof answer === 'function' ? (answer as (value: unknown) => void) : () => undefined;
      const run = async () => act(schema.parse(sent));
      run().then(
        (value) => value && reply(value),
        (error: unknown) => {
          const refusal = refusalOf(error);
          if (refusal.code === 'internal') log.error({ err: error, message: name }, 'a message of a page failed');
          reply({ error: refusal } satisfies Refused);
        },
      );
    };
    (socket.on as (name: string, listener: (...args: unknown[]) => void) => void)(name, listener);
  }

  /** What a page asks of one room is done in its order: a leave that comes while a join is answered ends that join. */
  function inTurn<T>(room: string, act: () => Promise<T>): Promise<T> {
    const before = turns.get(room);
    const turn = before ? before.then(act) : act();
    const ended = turn.then(
      () => undefined,
      () => undefined,
    );
    turns.set(room, ended);
    void ended.then(() => turns.get(room) === ended && turns.delete(room));
    return turn;
  }

  hear('join', JoinBody, ({ room, after, afterId }) =>
    inTurn(room, async () => {
      await limits.join(address);
      const others = new Set([...rooms.keys(), ...joining]);
      others.delete(room);
      if (others.size >= MAX_ROOMS) throw new HttpProblem(409, 'too-many-rooms', 'This page is in too many chats.');
      joining.add(room);
      try {
        const joined = socket.connected
          ? await joinRoom(hub, socket, { room, after, afterId, caller: socket.data.caller })
          : undefined;
        if (!socket.connected) return void leaveRoom(hub, socket, room);
        if (!joined) throw await chat.missing(room);
        if (!rooms.has(room)) rooms.set(room, online.come(room, presentAs()));
        return { ...joined, online: online.count(room), ...(!socket.data.caller && !known && { guestKey }) };
      } finally {
        joining.delete(room);
      }
    }),
  );

  hear('leave', LeaveBody, ({ room }) =>
    inTurn(room, async () => {
      rooms.get(room)?.();
      rooms.delete(room);
      leaveRoom(hub, socket, room);
      return undefined;
    }),
  );

  hear('say', SayBody, async ({ room, ...body }) => ({ seq: (await chat.post(room, await person(), body)).seq }));

  hear('react', ReactBody, async ({ room, seq, reaction, isOn }) =>
    chat.react(room, await person(), seq, reaction, isOn),
  );

  /** The page sees rooms with these eyes from now on: after joins that are being answered. A token that ended takes nobody's eyes. */
  function see(caller: typeof socket.data.caller): void {
    for (const room of [...rooms.keys(), ...joining])
      inTurn(room, () => setReader(hub, socket, room, caller)).catch((error: unknown) => {
        log.warn({ err: error, room }, 'it is not known whom a page does not see: it connects again');
        socket.conn.close();
      });
  }

  /** Counts what the page said of itself: of two tokens to be checked the later one has the last word. */
  let introductions = 0;
  hear('authenticate', AuthenticateBody, async ({ token: fresh }) => {
    const introduction = ++introductions;
    if (fresh === null) {
      become(null, undefined);
      see(undefined);
      return { userId: null };
    }
    try {
      const caller = await auth.verify(fresh);
      if (introduction === introductions) {
        become(fresh, caller);
        see(caller);
      }
    } catch (error) {
      // Whoever it was before, it is not any more.
      if (!(error instanceof TokenEnded)) throw error;
      if (introduction === introductions) become(null, undefined);
      throw expired();
    }
    return { userId: socket.data.caller?.id ?? null };
  });

  socket.on('disconnect', () => {
    introductions++;
    clearTimeout(ending);
    for (const [room, leave] of rooms) {
      leave();
      leaveRoom(hub, socket, room);
    }
    rooms.clear();
    for (const room of joining) leaveRoom(hub, socket, room);
  });
}
