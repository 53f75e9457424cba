import { z } from 'zod';
import {
  PostMessageBody,
  Reaction,
  RoomId,
  type ChatClientMessages,
  type Refused,
} from '@beltway/contracts/realtime/chat';
import { TokenEnded, type Authenticator, type Caller } from '@beltway/kit/auth';
import type { Logger } from '@beltway/kit/logger';
import { asProblem, HttpProblem, rejection } from '@beltway/kit/problems';
import type { RealtimeSocket } from '../sockets.ts';
import { endOfToken } from '../token-end.ts';
import type { Chat } from './chat.ts';
import { TooSoon } from './decider.ts';
import type { Guest, Guests } from './guests.ts';
import { joinRoom, leaveRoom, setReader, type JoinedRoom } from './hub/members.ts';
import type { Hub } from './hub/state.ts';
import type { ChatLimits } from './limits.ts';
import type { OnlinePeople } from './online.ts';
import { personKey, type Person } from './people.ts';

/** Maximum rooms of one page. A page normally shows one or two rooms. */
export const MAX_ROOMS = 10;

// Untrusted input: a browser may send anything.
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

/** A connected page. The page's caller is in `socket.data`. */
interface Page extends ChatSocketDeps {
  socket: RealtimeSocket;
  address: string;
  /** A new guest key for the page to store, if the browser did not send a key from this server. */
  newGuestKey: string | undefined;
  guest: Guest;
  token: string | null;
  tokenTimer: ReturnType<typeof setTimeout> | undefined;
  /** The number of authentications so far, so that the latest of concurrent authentications wins. */
  authentications: number;
  /** For each room, the function to call when the page leaves that room. */
  rooms: Map<string, () => void>;
  joining: Set<string>;
  /** For each room, resolves when the last request about the room has ended. */
  turns: Map<string, Promise<void>>;
}

/**
 * Lets a page join rooms and write in them. Each socket message gets at most one response. Refusals are `{ error }`.
 */
export function attachChatHandlers(socket: RealtimeSocket, deps: ChatSocketDeps): void {
  const page = openPage(socket, deps);
  expireLater(page);
  onMessage(page, 'join', JoinBody, (body) => inTurn(page, body.room, () => join(page, body)));
  onMessage(page, 'leave', LeaveBody, ({ room }) => inTurn(page, room, () => leave(page, room)));
  onMessage(page, 'say', SayBody, async ({ room, ...body }) => {
    const { seq } = await deps.chat.post(room, await personOn(page), body);
    return { seq };
  });
  onMessage(page, 'react', ReactBody, async ({ room, seq, reaction, isOn }) =>
    deps.chat.react(room, await personOn(page), seq, reaction, isOn),
  );
  onMessage(page, 'authenticate', AuthenticateBody, ({ token }) => authenticate(page, token));
  socket.on('disconnect', () => closePage(page));
}

/** The IP address that the gateway saw. */
const addressOf = ({ handshake }: RealtimeSocket): string =>
  String(handshake.headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-1)!
    .trim() || handshake.address;

function openPage(socket: RealtimeSocket, deps: ChatSocketDeps): Page {
  const { token, guestKey: sentKey } = socket.handshake.auth as { token?: unknown; guestKey?: unknown };
  const isKnown = deps.guests.isKey(sentKey);
  const guestKey = isKnown ? (sentKey as string) : deps.guests.newKey();
  const address = addressOf(socket);
  return {
    ...deps,
    socket,
    address,
    newGuestKey: isKnown ? undefined : guestKey,
    guest: deps.guests.guestOf(guestKey, address),
    token: typeof token === 'string' && socket.data.caller ? token : null,
    tokenTimer: undefined,
    authentications: 0,
    rooms: new Map(),
    joining: new Set(),
    turns: new Map(),
  };
}

function closePage(page: Page): void {
  const { socket, hub, rooms, joining } = page;
  page.authentications++;
  clearTimeout(page.tokenTimer);
  for (const [room, leaveOnline] of rooms) {
    leaveOnline();
    leaveRoom(hub, socket, room);
  }
  rooms.clear();
  for (const room of joining) leaveRoom(hub, socket, room);
}

// Messages

function onMessage<Name extends keyof ChatClientMessages, Body>(
  { socket, log }: Page,
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

const refused = ({ code, message, text, params, retryAfter }: HttpProblem): Refused['error'] => ({
  code,
  message,
  ...(text !== undefined && { text }),
  ...(params !== undefined && { params }),
  ...(retryAfter !== undefined && { retryAfterSeconds: retryAfter }),
});

/** A refusal with the same code and text as in an HTTP response. */
function refusalOf(error: unknown): Refused['error'] {
  if (error instanceof TooSoon) return refused(HttpProblem.received(429, rejection(error), error.retryAfterSeconds));
  return refused(asProblem(error));
}

/** Runs a page's requests about one room in sequence, so that a leave that arrives during a join ends that join. */
function inTurn<T>({ turns }: Page, room: string, act: () => Promise<T>): Promise<T> {
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

// Rooms

type JoinAnswer = JoinedRoom & { online: number; guestKey?: string };

async function join(page: Page, { room, after, afterId }: z.infer<typeof JoinBody>): Promise<JoinAnswer | undefined> {
  const { socket, hub, chat, online, limits, rooms, joining } = page;
  await limits.join(page.address);
  const others = new Set([...rooms.keys(), ...joining]);
  others.delete(room);
  if (others.size >= MAX_ROOMS) throw new HttpProblem(409, 'too-many-rooms');
  joining.add(room);
  try {
    const { caller } = socket.data;
    const joined = socket.connected ? await joinRoom(hub, socket, { room, after, afterId, caller }) : undefined;
    if (!socket.connected) return void leaveRoom(hub, socket, room);
    if (!joined) throw await chat.missing(room);
    if (!rooms.has(room)) rooms.set(room, online.come(room, presenceOf(page)));
    const { newGuestKey } = page;
    const guestKey = !socket.data.caller && newGuestKey !== undefined && { guestKey: newGuestKey };
    return { ...joined, online: online.count(room), ...guestKey };
  } finally {
    joining.delete(room);
  }
}

async function leave({ socket, hub, rooms }: Page, room: string): Promise<undefined> {
  rooms.get(room)?.();
  rooms.delete(room);
  leaveRoom(hub, socket, room);
}

function presenceOf({ socket, guest }: Page): { person: string; network?: string } {
  const { caller } = socket.data;
  return caller ? { person: personKey({ caller }) } : { person: personKey({ guest }), network: guest.network };
}

// People

const expired = () => new HttpProblem(401, 'token-expired');

/**
 * The person on a page. Throws 401 if the person's token or session has ended, so that nothing is done in the person's
 * name.
 */
async function personOn(page: Page): Promise<Person> {
  const { token, guest, auth } = page;
  if (token === null) return { guest };
  try {
    return { caller: await auth.verify(token) };
  } catch (error) {
    if (!(error instanceof HttpProblem) || error.status !== 401) throw error;
    if (page.token === token) expire(page);
    throw expired();
  }
}

async function authenticate(page: Page, token: string | null): Promise<{ userId: number | null }> {
  const { socket, auth } = page;
  const authentication = ++page.authentications;
  if (token === null) {
    setCaller(page, null, undefined);
    refreshVisibility(page, undefined);
    return { userId: null };
  }
  try {
    const caller = await auth.verify(token);
    if (authentication === page.authentications) {
      setCaller(page, token, caller);
      refreshVisibility(page, caller);
    }
  } catch (error) {
    if (!(error instanceof TokenEnded)) throw error;
    // If no newer authentication has begun, the page's person becomes a guest.
    if (authentication === page.authentications) setCaller(page, null, undefined);
    throw expired();
  }
  return { userId: socket.data.caller?.id ?? null };
}

/** Sets the page's person to another account, or a guest. */
function setCaller(page: Page, token: string | null, caller: Caller | undefined): void {
  const { socket, rooms, online } = page;
  page.token = token;
  if (caller) socket.data.caller = caller;
  else delete socket.data.caller;
  for (const [room, leaveOnline] of rooms) {
    leaveOnline();
    rooms.set(room, online.come(room, presenceOf(page)));
  }
  expireLater(page);
}

/**
 * Applies the caller's blocks to the page's rooms, after joins in progress. If the token has ended, the visibility does
 * not change.
 */
function refreshVisibility(page: Page, caller: Caller | undefined): void {
  const { socket, hub, log, rooms, joining } = page;
  for (const room of [...rooms.keys(), ...joining])
    inTurn(page, room, () => setReader(hub, socket, room, caller)).catch((error: unknown) => {
      log.warn({ err: error, room }, 'the blocks of a reader could not be read; the page reconnects');
      socket.conn.close();
    });
}

function expire(page: Page): void {
  setCaller(page, null, undefined);
  page.socket.emit('token-expired');
}

function expireLater(page: Page): void {
  clearTimeout(page.tokenTimer);
  if (page.token === null) return;
  const ms = endOfToken(page.token) - Date.now();
  // If the token ends later than a timer can wait, no timer is set.
  if (ms < 2 ** 31) page.tokenTimer = setTimeout(expire, Math.max(0, ms), page);
  page.tokenTimer?.unref();
}
