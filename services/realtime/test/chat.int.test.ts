import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  ChatMessage,
  type MessagePage,
  type ChatRoom,
  type Joined,
  type Mute,
  type ReportedMessages,
  type Refused,
} from '@beltway/contracts/realtime/chat';
import type { Problem } from '@beltway/contracts/common/basics';
import { eventually } from '@beltway/kit/testing';
import { rebuild } from '../src/rebuild.ts';
import { INTERNAL_TOKEN, startRealtime, type PageSocket, type Realtime } from './realtime.ts';

let realtime: Realtime;
beforeAll(async () => void (realtime = await startRealtime()));
afterAll(() => realtime?.close());

let lastEvent = 500;
let lastUser = 9_000;
let lastAddress = 0;
const newUser = () => ++lastUser;
/** A new network for each test, so that tests do not share the limits of guests. */
const newAddress = () => `10.9.${lastAddress >> 8}.${lastAddress++ & 255}`;

/** The room of a new event, which this account owns. */
async function newRoom(ownerId = newUser()): Promise<string> {
  const eventId = ++lastEvent;
  await realtime.sayEvent(eventId, { ownerId });
  await eventually(async () => (await call('GET', `/api/chat/${eventId}`)).status === 200);
  return String(eventId);
}

interface From {
  as?: number;
  role?: 'user' | 'admin';
  address?: string;
  guestKey?: string;
  body?: unknown;
}
async function call<T = Record<string, unknown>>(
  method: string,
  path: string,
  { as, role = 'user', address, guestKey, body }: From = {},
): Promise<{ status: number; body: T; headers: Headers }> {
  const answer = await fetch(`${realtime.url}${path}`, {
    method,
    headers: {
      ...(as !== undefined && { authorization: `Bearer ${await realtime.tokenOf({ id: as, role })}` }),
      ...(address !== undefined && { 'x-forwarded-for': address }),
      ...(guestKey !== undefined && { 'x-guest-key': guestKey }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: (text ? JSON.parse(text) : undefined) as T, headers: answer.headers };
}

const say = (room: string, message: string, from: From = {}, more: object = {}) =>
  call<ChatMessage & Problem>('POST', `/api/chat/${room}/messages`, {
    address: newAddress(),
    ...from,
    body: { id: randomUUID(), message, ...(from.as === undefined && { guestName: 'Gil' }), ...more },
  });
const read = async (room: string, query = '') =>
  (await call<MessagePage>('GET', `/api/chat/${room}/messages${query}`)).body;

const connect = async (auth: object = {}, address = newAddress()): Promise<PageSocket> => {
  const page = realtime.open({ transports: ['websocket'], auth, extraHeaders: { 'x-forwarded-for': address } });
  await eventually(() => page.connected, { what: 'the connection' });
  return page;
};
const ask = <T>(page: PageSocket, event: string, body: unknown): Promise<T> =>
  page.timeout(10_000).emitWithAck(event as 'join', body as never) as Promise<T>;
const join = (page: PageSocket, room: string, after?: number) =>
  ask<Joined & Refused>(page, 'join', { room, ...(after !== undefined && { after }) });
const tell = (page: PageSocket, room: string, message: string, more: object = {}) =>
  ask<{ seq: number } & Refused>(page, 'say', { room, id: randomUUID(), message, guestName: 'Gil', ...more });

test('each known event has a room, and so does the region', async () => {
  const room = await newRoom();
  const { body } = await call<ChatRoom>('GET', `/api/chat/${room}`);
  expect(body).toEqual({
    ...{ room, eventId: Number(room), name: `Event ${room}`, description: '', isActive: true },
    ...{ participantCount: 0, slowModeSeconds: 0, seq: 0, canModerate: false },
  });
  expect((await call<ChatRoom>('GET', '/api/chat/region')).body).toMatchObject({ eventId: null, name: 'DC area' });
  for (const none of ['999999', '0', '-1', 'Region', '1e3', '99999999999', '%00', 'reported2'])
    expect((await call('GET', `/api/chat/${none}`)).status).toBe(404);
});

test('the chat of an event that realtime does not know yet opens when the message about the event arrives', async () => {
  const room = await newRoom();
  const next = String(Number(room) + 900);
  const page = await connect();
  expect(await join(page, next)).toMatchObject({ error: { code: 'unavailable', retryAfterSeconds: 1 } });
  const answer = await call('GET', `/api/chat/${next}`);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
});

test('messages have one order, and all members of the room receive them', async () => {
  const room = await newRoom();
  const [user, page, other] = [newUser(), await connect(), await connect()];
  expect(await join(page, room)).toMatchObject({ messages: [], seq: 0, changed: [] });
  await join(other, room);
  const { status, body } = await say(room, 'Hello', { as: user });
  expect(status).toBe(201);
  expect(ChatMessage.parse(body)).toMatchObject({ seq: 1, userId: user, userName: `User ${user}`, message: 'Hello' });
  expect(await tell(page, room, 'Hi')).toEqual({ seq: 2 });
  for (const one of [page, other]) {
    await eventually(() => one.messages.length === 2);
    expect(one.messages.map(({ seq, message }) => [seq, message])).toEqual([
      [1, 'Hello'],
      [2, 'Hi'],
    ]);
  }
  expect((await read(room)).messages).toEqual(page.messages);
});

test('messages of concurrent writers get each number once, without a gap, and all readers see the same numbers', async () => {
  const room = await newRoom();
  const pages = await Promise.all(Array.from({ length: 4 }, () => connect()));
  for (const page of pages) await join(page, room);
  const answers = await Promise.all(
    Array.from({ length: 120 }, (_, index) => say(room, `message ${index}`, { as: 20_000 + index })),
  );
  const numbers = answers.map(({ body }) => body.seq).sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
  const stored = [...(await read(room, '?after=0&limit=100')).messages, ...(await read(room, '?after=100')).messages];
  for (const page of pages) {
    await eventually(() => page.messages.length === 120);
    expect(page.messages).toEqual(stored);
  }
});

test('a returning page resumes after its last number, without gaps or duplicates', async () => {
  const room = await newRoom();
  for (let index = 1; index <= 40; index++) await say(room, `message ${index}`, { as: newUser() });
  const page = await connect();
  const joined = await join(page, room);
  expect(joined.messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 26 }, (_, index) => index + 15));
  const again = await connect();
  const resumed = await join(again, room, 17);
  expect(resumed.messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 23 }, (_, index) => index + 18));
  await say(room, 'last', { as: newUser() });
  await eventually(() => again.messages.at(-1)?.seq === 41);
  expect(again.messages).toHaveLength(1);
  // Older messages than those of the first response are loaded by HTTP.
  expect((await read(room, '?before=15&limit=5')).messages.map(({ seq }) => seq)).toEqual([10, 11, 12, 13, 14]);
  expect(await read(room, '?after=41')).toEqual({ messages: [], seq: 41 });
  expect((await join(again, room, 41)).messages).toEqual([]);
});

test('a message sent twice with the same id is stored once; a different body with this id is refused', async () => {
  const room = await newRoom();
  const [id, as] = [randomUUID(), newUser()];
  const once = { body: { id, message: 'Once' }, as };
  const path = `/api/chat/${room}/messages`;
  const answers = await Promise.all([call('POST', path, once), call('POST', path, once), call('POST', path, once)]);
  expect(answers.map(({ status, body }) => [status, body['seq']])).toEqual([
    [201, 1],
    [201, 1],
    [201, 1],
  ]);
  expect((await call('POST', path, { ...once, body: { id, message: 'Twice' } })).status).toBe(422);
  // The id is also refused for another account and in another room.
  expect((await call('POST', path, { ...once, as: newUser() })).status).toBe(422);
  expect((await call('POST', `/api/chat/${await newRoom()}/messages`, once)).status).toBe(422);
  expect((await read(room)).messages).toHaveLength(1);
  const page = await connect({ token: await realtime.tokenOf({ id: as }) });
  expect(await ask(page, 'say', { room, id: id.toUpperCase(), message: 'Once' })).toEqual({ seq: 1 });
});

test.each([
  ['ten kilobytes', 'x'.repeat(10_240), 'must have at most 500 characters'],
  ['nothing to see', ' \u200b\u2800 ', 'Write something'],
  ['half a character', 'a\ud800', 'half a character'],
  ['piles of accents', `a${'\u0301'.repeat(40)}`, 'accents'],
])('refuses %s with the name of the field, by HTTP and by socket', async (_what, message, told) => {
  const room = await newRoom();
  const { status, body } = await say(room, message, { as: newUser() });
  expect(status).toBe(400);
  expect(body.errors).toMatchObject([
    {
      field: 'message',
      message: expect.stringContaining(told) as string,
      text: expect.stringMatching(/^invalid\./) as string,
    },
  ]);
  const page = await connect();
  expect((await tell(page, room, message)).error).toMatchObject({ code: 'invalid' });
  expect((await read(room)).seq).toBe(0);
});

test.each([
  ['a control character', 'a\u0007b'],
  ['a change of direction', 'a\u202eb'],
  ['isolates', 'a\u2066b\u2069'],
  ['a zero-width space', 'a\u200bb\ufeff'],
])('removes %s', async (_what, message) => {
  const room = await newRoom();
  expect((await say(room, message, { as: newUser() })).body.message).toBe('ab');
  await tell(await connect(), room, message);
  expect((await read(room)).messages.map((one) => one.message)).toEqual(['ab', 'ab']);
});

test('script and markup are text like any other', async () => {
  const room = await newRoom();
  const text = '<script>alert(1)</script> <img src=x onerror=alert(1)> https://evil.example';
  expect((await say(room, text, { as: newUser() })).body.message).toBe(text);
});

test('a guest needs a name of one line, and cannot pretend to be an account', async () => {
  const room = await newRoom();
  expect((await say(room, 'Hi', {}, { guestName: undefined })).body.errors?.[0]?.field).toBe('guestName');
  expect((await say(room, 'Hi', {}, { guestName: 'a\nb' })).body.userName).toBe('a b');
  expect((await say(room, 'Hi', {}, { guestName: 'x'.repeat(31) })).status).toBe(400);
  for (const forged of [{ userId: 1 }, { isOrganizer: true }, { userName: 'Admin' }, { isSystemMessage: true }]) {
    expect((await say(room, 'Hi', {}, forged)).status).toBe(400);
    const page = await connect();
    expect((await tell(page, room, 'Hi', forged)).error.code).toBe('invalid');
  }
  const { body } = await say(room, 'Hi', { as: newUser() }, { guestName: 'The Organizer' });
  expect(body.userName).toMatch(/^User \d+$/);
});

test('a guest cannot take a name of Beltway or of moderators, however it is spelled', async () => {
  const room = await newRoom();
  for (const guestName of ['Admin', 'The Organizer', 'Be\u200bltway', 'Ѕupport', 'ＳＴＡＦＦ', 'm0derator']) {
    const { status, body } = await say(room, 'Hi', {}, { guestName });
    expect([status, body.errors?.[0]], guestName).toMatchObject([
      400,
      { field: 'guestName', text: 'invalid.name-reserved' },
    ]);
  }
  const page = await connect();
  expect((await tell(page, room, 'Hi', { guestName: 'Аdmin' })).error.code).toBe('invalid');
  expect((await say(room, 'Hi', {}, { guestName: 'Adminah' })).status).toBe(201);
});

test.each([
  ['no object', 'region'],
  ['nothing', undefined],
  ['a number', { room: 7 }],
  ['an unknown room', { room: 'elsewhere' }],
  ['a room that is not there', { room: '2147483647' }],
  ['a negative number', { room: 'region', after: -1 }],
  ['a fraction', { room: 'region', after: 1.5 }],
  ['too large a number', { room: 'region', after: 2 ** 40 }],
])('a join with %s is refused in its response, and the connection stays open', async (_what, body) => {
  const page = await connect();
  expect((await ask<Refused>(page, 'join', body)).error.code).toMatch(/^(invalid|not-found)$/);
  (page.emit as (event: string, ...values: unknown[]) => void)('join');
  (page.emit as (event: string, ...values: unknown[]) => void)('say', { room: 'region' }, 'no function');
  expect((await join(page, 'region')).seq).toBeGreaterThanOrEqual(0);
});

test('a page is in at most ten rooms, and in one room once', async () => {
  const page = await connect();
  const rooms = await Promise.all(Array.from({ length: 11 }, () => newRoom()));
  for (const room of rooms.slice(0, 10)) expect((await join(page, room)).seq).toBe(0);
  expect((await join(page, rooms[10]!)).error.code).toBe('too-many-rooms');
  await join(page, rooms[0]!);
  await say(rooms[0]!, 'once', { as: newUser() });
  await eventually(() => page.messages.length === 1);
  page.emit('leave', { room: rooms[1]! });
  expect((await join(page, rooms[10]!)).seq).toBe(0);
  await say(rooms[1]!, 'unheard', { as: newUser() });
  await say(rooms[10]!, 'heard', { as: newUser() });
  await eventually(() => page.messages.length === 2);
  expect(page.messages.map(({ message }) => message)).toEqual(['once', 'heard']);
});

test.each([
  ['join and leave', false],
  ['leave and join', true],
] as const)('a page that goes in and out at once is where it went last: %s', async (_what, isIn) => {
  const room = await newRoom();
  const [page, witness] = [await connect(), await connect()];
  await join(witness, room);
  await join(page, room);
  // The last request is a join if the page should be in the room at the end.
  for (let at = 0; at < 20; at++)
    if (isIn === (at % 2 === 1)) page.emit('join', { room }, () => undefined);
    else page.emit('leave', { room });
  await join(page, 'region');
  await eventually(
    async () => (await call<ChatRoom>('GET', `/api/chat/${room}`)).body.participantCount === (isIn ? 2 : 1),
  );
  await say(room, 'heard once', { as: newUser() });
  await eventually(() => witness.messages.length === 1);
  await say('region', 'afterwards', { as: newUser() });
  await eventually(() => page.messages.some(({ eventId }) => eventId === null));
  expect(page.messages.filter(({ eventId }) => eventId !== null)).toHaveLength(isIn ? 1 : 0);
});

test('a page that leaves during its join is not in the room', async () => {
  const room = await newRoom();
  const page = await connect();
  const query = realtime.pool.query.bind(realtime.pool) as (...args: unknown[]) => Promise<unknown>;
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = vi.spyOn(realtime.pool, 'query').mockImplementation((async (...args: unknown[]) => {
    const answer = await query(...args);
    if ((args[0] as { name?: string }).name === 'chat-before') await promise;
    return answer;
  }) as never);
  try {
    const joining = join(page, room);
    await eventually(() => held.mock.calls.some(([asked]) => (asked as { name?: string }).name === 'chat-before'));
    page.emit('leave', { room });
    // Sent after the leave, so the response to this request shows that the leave has arrived.
    await ask(page, 'authenticate', { token: null });
    resolve();
    await joining;
  } finally {
    resolve();
    held.mockRestore();
  }
  await eventually(async () => (await call<ChatRoom>('GET', `/api/chat/${room}`)).body.participantCount === 0);
  await say(room, 'unheard', { as: newUser() });
  await join(page, 'region');
  await say('region', 'heard', { as: newUser() });
  await eventually(() => page.messages.some(({ eventId }) => eventId === null));
  expect(page.messages.filter(({ eventId }) => eventId !== null)).toEqual([]);
});

test('a page can change or drop its token on the same connection', async () => {
  const room = await newRoom();
  const [ann, bob] = [newUser(), newUser()];
  const page = await connect();
  await join(page, room);
  expect(await ask(page, 'authenticate', { token: await realtime.tokenOf({ id: ann }) })).toEqual({ userId: ann });
  await tell(page, room, 'as Ann');
  expect(await ask(page, 'authenticate', { token: await realtime.tokenOf({ id: bob }) })).toEqual({ userId: bob });
  await tell(page, room, 'as Bob');
  expect((await ask<Refused>(page, 'authenticate', { token: 'a.b.c' })).error.code).toBe('unauthenticated');
  await tell(page, room, 'still Bob');
  expect(await ask(page, 'authenticate', { token: null })).toEqual({ userId: null });
  await tell(page, room, 'as a guest');
  expect((await read(room)).messages.map(({ userId }) => userId)).toEqual([ann, bob, bob, null]);
});

test('the last of several concurrent authentications counts, even if it is a sign-out', async () => {
  const room = await newRoom();
  const [ann, bob] = [newUser(), newUser()];
  const page = await connect();
  // Verifying a new token takes longer than a cached one, or none.
  const fresh = await realtime.tokenOf({ id: ann });
  const known = await realtime.tokenOf({ id: bob });
  await connect({ token: known });
  const authenticate = (token: string | null) => ask<{ userId: number | null }>(page, 'authenticate', { token });
  await Promise.all([authenticate(fresh), authenticate(null)]);
  await tell(page, room, 'signed out');
  await Promise.all([authenticate(await realtime.tokenOf({ id: newUser() })), authenticate(known)]);
  await tell(page, room, 'as Bob');
  expect((await read(room)).messages.map(({ userId }) => userId)).toEqual([null, bob]);
});

test('an expired token is reported without closing the socket, and no message is written in the account’s name', async () => {
  const room = await newRoom();
  const id = newUser();
  const token = await realtime.identity.tokenFor({ id }, { exp: Math.floor(Date.now() / 1_000) + 2 });
  const page = await connect({ token });
  await join(page, room);
  const socketId = page.id;
  await eventually(() => page.expiries === 1, { what: 'the end of the token' });
  expect(page.id).toBe(socketId);
  expect(await tell(page, room, 'as a guest')).toEqual({ seq: 1 });
  expect(await ask(page, 'authenticate', { token: await realtime.tokenOf({ id }) })).toEqual({ userId: id });
  await tell(page, room, 'signed in again');
  expect((await read(room)).messages.map(({ userId }) => userId)).toEqual([null, id]);
});

test('a page that connects with an expired token is a guest, with a guest’s rights and limits, until it has a fresh token', async () => {
  const room = await newRoom();
  const id = newUser();
  const page = await connect({ token: await realtime.identity.tokenFor({ id, role: 'admin' }, { exp: 1 }) });
  await eventually(() => page.expiries === 1, { what: 'the end of the token' });
  // Like every new guest, the page gets its own guest key.
  expect((await join(page, room)).guestKey).toEqual(expect.any(String));
  const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => tell(page, room, `as a guest ${index}`)));
  expect(answers.filter((answer) => !('error' in (answer as object)))).toHaveLength(5);
  expect((await read(room)).messages.map(({ userId }) => userId)).toEqual(Array.from({ length: 5 }, () => null));

  expect(await ask(page, 'authenticate', { token: await realtime.tokenOf({ id }) })).toEqual({ userId: id });
  await tell(page, room, 'signed in again');
  expect((await read(room)).messages.at(-1)).toMatchObject({ userId: id, seq: 6 });
  expect(page.expiries).toBe(1);
});

test('a page that sends an expired token is signed out, even if it was signed in', async () => {
  const room = await newRoom();
  const [ann, bob] = [newUser(), newUser()];
  const page = await connect({ token: await realtime.tokenOf({ id: ann }) });
  await join(page, room);
  await tell(page, room, 'as Ann');
  const ended = await realtime.identity.tokenFor({ id: bob }, { exp: 1 });
  expect((await ask<Refused>(page, 'authenticate', { token: ended })).error.code).toBe('token-expired');
  await tell(page, room, 'as a guest');
  expect((await read(room)).messages.map(({ userId }) => userId)).toEqual([ann, null]);
});

test('a page whose session ended elsewhere is informed when it connects, and may not write', async () => {
  const room = await newRoom();
  const [id, sid] = [newUser(), randomUUID()];
  const token = await realtime.identity.tokenFor({ id }, { sid });
  const before = await connect({ token });
  await join(before, room);
  await tell(before, room, 'while it lasts');
  const data = { sessionId: sid, userId: id };
  const envelope = { id: randomUUID(), type: 'identity.session-revoked', version: 1, key: `session-${sid}` };
  const causes = { correlationId: randomUUID(), causationId: randomUUID() };
  await realtime.bus.publish('identity.events', [
    { ...envelope, ...causes, occurredAt: new Date().toISOString(), data },
  ]);
  await eventually(async () => {
    const page = await connect({ token });
    await ask(page, 'authenticate', { token: null });
    return page.expiries === 1;
  });
  expect(await tell(before, room, 'after its end')).toMatchObject({ error: { code: 'token-expired' } });
  expect(before.expiries).toBe(1);
  expect((await read(room)).messages.map(({ message }) => message)).toEqual(['while it lasts']);
});

/** Identity publishes a message. */
const identitySays = (type: string, key: string, data: object) => {
  const id = randomUUID();
  const envelope = { id, type, version: 1, key, occurredAt: new Date().toISOString() };
  return realtime.bus.publish('identity.events', [{ ...envelope, correlationId: id, causationId: id, data }]);
};

test('open sockets of a suspended account end, and new ones are refused', async () => {
  const room = await newRoom();
  const [id, other] = [newUser(), newUser()];
  const token = await realtime.identity.tokenFor({ id });
  const [theirs, introduced, following] = [await connect({ token }), await connect(), await connect()];
  const others = await connect({ token: await realtime.identity.tokenFor({ id: other }) });
  await join(theirs, room);
  await ask(introduced, 'authenticate', { token });
  await ask(following, 'follow-notifications', token);
  const ends = [theirs, introduced, following].map(
    (page) => new Promise<string>((resolve) => page.once('disconnect', resolve)),
  );
  await identitySays('identity.user-suspended', `user-${id}`, { userId: id, generation: 1, until: null });
  expect(await Promise.all(ends)).toEqual(Array(3).fill('io server disconnect'));
  expect(others.connected).toBe(true);
  const again = realtime.open({ transports: ['websocket'], auth: { token }, reconnection: false });
  const refused = await new Promise<Error & { data?: { code: string } }>((resolve) =>
    again.once('connect_error', resolve),
  );
  expect(refused.data?.code).toBe('account-suspended');
  expect((await say(room, 'still here', { as: id })).status).toBe(403);
  // The token that the account gets after the suspension is valid.
  const fresh = await connect({ token: await realtime.identity.tokenFor({ id }, { gen: 1 }) });
  expect(fresh.connected).toBe(true);
});

test('an admin’s newest decision about a reported message is applied', async () => {
  const room = await newRoom();
  const [author, reporter] = [newUser(), newUser()];
  const { body: message } = await say(room, 'In question', { as: author });
  const id = `${room}.${message.seq}`;
  const write = (body: object, of = id) =>
    fetch(`${realtime.url}/internal/content/message/${of}`, {
      ...{ method: 'POST', body: JSON.stringify({ reporterId: reporter, ...body }) },
      headers: { 'content-type': 'application/json', 'x-internal-token': INTERNAL_TOKEN },
    });
  expect(await (await write({})).json()).toEqual({
    authorId: author,
    excerpt: 'In question',
    path: `/event/${room}`,
    version: 0,
    since: 0,
  });
  expect((await write({ reporterId: author })).status).toBe(409);
  expect((await write({}, `${room}.99`)).status).toBe(404);
  const open = async () => {
    const { body } = await call<ReportedMessages>('GET', '/api/chat/reported', { as: newUser(), role: 'admin' });
    return body.items.some((one) => one.room === room);
  };
  const decide = (action: string, decision: number, of = id) =>
    identitySays('identity.content-moderated', `case-message.${of}`, {
      ...{ kind: 'message', id: of, action, decision, adminId: 1 },
    });
  await call('POST', `/api/chat/${room}/messages/${message.seq}/report`, { as: reporter, body: { reason: 'spam' } });
  await eventually(open);
  await decide('keep', 2);
  await eventually(async () => !(await open()));
  // A late message with a decision that a newer decision has replaced.
  await decide('remove', 1);
  await decide('remove', 1, `${room}.99`);
  await decide('keep', 3);
  await eventually(
    async () =>
      (await realtime.pool.query('select from moderated_contents where content_id = $1 and decision = 3', [id]))
        .rowCount === 1,
  );
  expect((await read(room)).messages[0]).toMatchObject({ message: 'In question' });
  await decide('remove', 4);
  await eventually(async () => (await read(room)).messages[0]?.isRemoved === true);
});

test('a page that signs out while its token is being verified stays signed out', async () => {
  const room = await newRoom();
  const page = await connect();
  await join(page, room);
  const { promise, resolve } = Promise.withResolvers<void>();
  const { subtle } = globalThis.crypto;
  const verify = subtle.verify.bind(subtle) as (...args: unknown[]) => Promise<boolean>;
  const held = vi.spyOn(subtle, 'verify').mockImplementation(async (...args: unknown[]) => {
    await promise;
    return verify(...args);
  });
  try {
    const signedIn = ask(page, 'authenticate', { token: await realtime.tokenOf({ id: newUser() }) });
    await eventually(() => held.mock.calls.length > 0, { what: 'the check of the token' });
    expect(await ask(page, 'authenticate', { token: null })).toEqual({ userId: null });
    resolve();
    expect(await signedIn).toEqual({ userId: null });
  } finally {
    resolve();
    held.mockRestore();
  }
  await tell(page, room, 'as a guest');
  expect((await read(room)).messages.map(({ userId }) => userId)).toEqual([null]);
});

test('an account that floods is refused with a time to retry', async () => {
  const room = await newRoom();
  const as = newUser();
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => say(room, `flood ${index}`, { as })));
  expect(answers.filter(({ status }) => status === 201).length).toBe(15);
  const refused = answers.find(({ status }) => status === 429)!;
  expect(refused.body.code).toBe('too-many-messages');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('a flood by guests is limited for each guest, each network and each room; accounts can still write', async () => {
  const room = await newRoom();
  const [address, elsewhere] = [newAddress(), await newRoom()];
  const keyed = async (from: string) => {
    const page = await connect({}, from);
    return (await join(page, elsewhere)).guestKey!;
  };
  const flood = async (count: number, from: From) =>
    (await Promise.all(Array.from({ length: count }, () => say(room, 'flood', from)))).filter(
      ({ status }) => status === 201,
    ).length;
  expect(await flood(20, { address, guestKey: await keyed(address) })).toBe(5);
  // New keys in the same network share its limit.
  let more = 0;
  for (let key = 0; key < 6; key++) more += await flood(5, { address, guestKey: await keyed(address) });
  expect(5 + more).toBe(20);
  // Guests of other networks share the room's limit.
  for (let other = 0; other < 12; other++) more += await flood(5, { address: newAddress() });
  expect(5 + more).toBe(60);
  expect((await say(room, 'still here', { as: newUser() })).status).toBe(201);
});

test('guests are distinguished only by the key that the server made', async () => {
  const room = await newRoom();
  const address = newAddress();
  const page = await connect({}, address);
  const { guestKey } = await join(page, room);
  expect(guestKey).toMatch(/^[\w-]{43}$/);
  await tell(page, room, 'mine');
  const own = { address: newAddress(), guestKey: guestKey! };
  expect((await call('DELETE', `/api/chat/${room}/messages/1`, { address })).status).toBe(403);
  const forged = `${guestKey!.slice(0, -1)}${guestKey!.endsWith('A') ? 'B' : 'A'}`;
  const bytes = Buffer.from(forged, 'base64url').toString('base64url');
  expect(
    (
      await call('DELETE', `/api/chat/${room}/messages/1`, {
        address,
        guestKey: bytes === guestKey ? `${'A'.repeat(43)}` : forged,
      })
    ).status,
  ).toBe(403);
  expect((await call('DELETE', `/api/chat/${room}/messages/1`, own)).status).toBe(204);
  const known = await connect({ guestKey });
  expect((await join(known, room)).guestKey).toBeUndefined();
});

test('guests of one network without a key cannot delete each other’s messages or withdraw reactions', async () => {
  const room = await newRoom();
  const network = { address: newAddress() };
  expect((await say(room, 'from one program', network)).status).toBe(201);
  const heart = `/api/chat/${room}/messages/1/reactions/${encodeURIComponent('❤️')}`;
  expect((await call('PUT', heart, network)).status).toBe(200);
  expect((await call('DELETE', `/api/chat/${room}/messages/1`, network)).status).toBe(403);
  expect((await call('DELETE', heart, network)).status).toBe(403);
  expect((await read(room)).messages).toMatchObject([{ message: 'from one program', reactions: { '❤️': 1 } }]);
});

test('a removed message keeps its number and loses its text, everywhere', async () => {
  const room = await newRoom();
  const [writer, page] = [newUser(), await connect()];
  await join(page, room);
  const changed: ChatMessage[] = [];
  page.on('messages-changed', ({ messages }) => void changed.push(...messages));
  await say(room, 'secret words', { as: writer });
  await say(room, 'after it', { as: newUser() });
  const path = `/api/chat/${room}/messages/1`;
  expect((await call('DELETE', path, { as: newUser() })).status).toBe(403);
  expect((await call('DELETE', path)).status).toBe(403);
  expect((await call('DELETE', path, { as: writer })).status).toBe(204);
  expect((await call('DELETE', path, { as: writer })).status).toBe(204);
  await eventually(() => changed.length > 0);
  expect(changed).toEqual([expect.objectContaining({ seq: 1, message: '', userName: '', isRemoved: true })]);
  const resumed = await join(await connect(), room, 2);
  expect(resumed.changed).toEqual(changed);
  const { rows } = await realtime.pool.query<{ text: string }>(
    `select data::text as text from events where stream = $1`,
    [`room-${room}`],
  );
  expect(JSON.stringify(rows)).not.toContain('secret words');
  expect((await call('DELETE', `/api/chat/${room}/messages/9`, { as: writer })).status).toBe(404);
});

test('a reaction counts once for each person, however often it is given, and can be withdrawn', async () => {
  const room = await newRoom();
  await say(room, 'Nice', { as: newUser() });
  const [ann, bob] = [newUser(), newUser()];
  const heart = `/api/chat/${room}/messages/1/reactions/${encodeURIComponent('❤️')}`;
  await Promise.all([ann, ann, ann, bob].map((as) => call('PUT', heart, { as })));
  expect((await call('PUT', heart, { as: ann })).body).toEqual({ seq: 1, reactions: { '❤️': 2 } });
  const page = await connect();
  await join(page, room);
  expect(await ask(page, 'react', { room, seq: 1, reaction: '🔥', isOn: true })).toEqual({
    ...{ seq: 1, reactions: { '❤️': 2, '🔥': 1 } },
  });
  await Promise.all([ann, ann, bob].map((as) => call('DELETE', heart, { as })));
  expect((await read(room)).messages[0]!.reactions).toEqual({ '🔥': 1 });
  expect((await call('PUT', `/api/chat/${room}/messages/1/reactions/x`, { as: ann })).status).toBe(404);
  expect((await ask<Refused>(page, 'react', { room, seq: 7, reaction: '🔥', isOn: true })).error.code).toBe(
    'not-found',
  );
});

test('only the owner and admins moderate: slow mode, closing, mutes', async () => {
  const owner = newUser();
  const room = await newRoom(owner);
  const page = await connect();
  await join(page, room);
  const changes: unknown[] = [];
  page.on('room-changed', (change) => void changes.push(change));
  const patch = (from: From, body: object) => call<ChatRoom>('PATCH', `/api/chat/${room}`, { ...from, body });
  for (const from of [{}, { as: newUser() }])
    expect((await patch(from, { slowModeSeconds: 30 })).status).toBeGreaterThanOrEqual(401);
  expect((await patch({ as: owner }, { slowModeSeconds: 30 })).body).toMatchObject({
    slowModeSeconds: 30,
    canModerate: true,
  });
  await eventually(() => changes.length === 1);
  expect(changes[0]).toMatchObject({ room, slowModeSeconds: 30, isActive: true });
  await eventually(() => page.messages.some(({ isSystemMessage }) => isSystemMessage));
  const ann = newUser();
  expect((await say(room, 'one', { as: ann })).status).toBe(201);
  const tooSoon = await say(room, 'two', { as: ann });
  expect([tooSoon.status, tooSoon.body.code]).toEqual([429, 'slow-mode']);
  expect((await say(room, 'one', { as: owner })).body.isOrganizer).toBe(true);
  expect((await say(room, 'two', { as: owner })).status).toBe(201);
  expect((await patch({ as: newUser(), role: 'admin' }, { isActive: false, slowModeSeconds: 0 })).status).toBe(200);
  expect((await say(room, 'closed?', { as: ann })).body.code).toBe('room-closed');
  await patch({ as: owner }, { isActive: true });
  const { seq } = (await say(room, 'rude', { as: ann })).body;
  const mutes = `/api/chat/${room}/mutes`;
  expect((await call('POST', mutes, { as: ann, body: { seq } })).status).toBe(403);
  expect((await call('POST', mutes, { as: owner, body: { seq, minutes: 5 } })).status).toBe(204);
  expect((await say(room, 'more', { as: ann })).body.code).toBe('muted');
  const [mute] = (await call<Mute[]>('GET', mutes, { as: owner })).body;
  expect(mute).toMatchObject({ userName: `User ${ann}`, isGuest: false });
  expect((await call('GET', mutes, { as: ann })).status).toBe(403);
  expect((await call('DELETE', `${mutes}/${mute!.id}`, { as: owner })).status).toBe(204);
  expect((await say(room, 'thanks', { as: ann })).status).toBe(201);
});

test('moderators name and describe the room, and its members see the change; an error names its field', async () => {
  const owner = newUser();
  const room = await newRoom(owner);
  const page = await connect();
  await join(page, room);
  const changes: unknown[] = [];
  page.on('room-changed', (change) => void changes.push(change));
  const patch = (as: number, body: object) => call<ChatRoom & Problem>('PATCH', `/api/chat/${room}`, { as, body });
  const named = { name: 'Before the show', description: 'Questions about doors and seats.' };
  expect((await patch(newUser(), named)).status).toBe(403);
  for (const [bad, field] of [
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(81) }, 'name'],
    [{ description: 'x'.repeat(301) }, 'description'],
    [{ slowModeSeconds: 601 }, 'slowModeSeconds'],
  ] as const)
    expect(await patch(owner, bad)).toMatchObject({ status: 400, body: { errors: [{ field }] } });
  expect((await patch(owner, { ...named, eventId: 7 })).status).toBe(400);
  for (let again = 0; again < 2; again++) expect((await patch(owner, named)).body).toMatchObject(named);
  await eventually(() => changes.length > 0);
  expect(changes).toEqual([expect.objectContaining({ room, ...named })]);
  expect((await call<ChatRoom>('GET', `/api/chat/${room}`)).body).toMatchObject({ ...named, seq: 0 });
  expect((await patch(owner, { description: null })).body).toMatchObject({ name: named.name, description: '' });
});

test('slow mode uses the database’s clock, not the clocks of the instances', async () => {
  const owner = newUser();
  const room = await newRoom(owner);
  const slow = (slowModeSeconds: number) =>
    call('PATCH', `/api/chat/${room}`, { as: owner, body: { slowModeSeconds } });
  await slow(1);
  const address = newAddress();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  try {
    expect((await say(room, 'one', { address })).status).toBe(201);
  } finally {
    vi.useRealTimers();
  }
  const { rows } = await realtime.pool.query<{ at: Date }>('select clock_timestamp() as at');
  const isOver = `select clock_timestamp() > $1::timestamptz + interval '1.1 s' as yes`;
  await eventually(async () => (await realtime.pool.query<{ yes: boolean }>(isOver, [rows[0]!.at])).rows[0]!.yes);
  expect((await say(room, 'two', { address })).status).toBe(201);
});

test('all guests of a network together write only a few messages per slow-mode interval, however many keys they have', async () => {
  const owner = newUser();
  const room = await newRoom(owner);
  await call('PATCH', `/api/chat/${room}`, { as: owner, body: { slowModeSeconds: 60 } });
  const [elsewhere, address] = [await newRoom(), newAddress()];
  const codes: Array<string | undefined> = [];
  for (let key = 0; key < 8; key++) {
    const page = await connect({}, address);
    await join(page, elsewhere);
    codes.push((await tell(page, room, `key ${key}`)).error?.code);
  }
  const none = undefined;
  expect(codes).toEqual([none, none, none, none, ...Array<string>(4).fill('too-many-messages')]);
  expect((await say(elsewhere, 'it is not slowed here', { address })).status).toBe(201);
  expect((await say(room, 'signed in', { address, as: newUser() })).status).toBe(201);
  expect((await say(room, 'of another network')).status).toBe(201);
});

test('after the response to a mute, no message of the muted person is appended, not even a concurrent message', async () => {
  const owner = newUser();
  const room = await newRoom(owner);
  const ann = newUser();
  const { seq } = (await say(room, 'rude', { as: ann })).body;
  const flood = Array.from({ length: 12 }, (_, index) => say(room, `more ${index}`, { as: ann }));
  expect((await call('POST', `/api/chat/${room}/mutes`, { as: owner, body: { seq } })).status).toBe(204);
  const answers = await Promise.all([...flood, say(room, 'afterwards', { as: ann })]);
  expect(answers.at(-1)!.body.code).toBe('muted');
  const { rows } = await realtime.pool.query<{ type: string }>(
    `select type from events where stream = $1 order by version`,
    [`room-${room}`],
  );
  const types = rows.map(({ type }) => type);
  expect(types.slice(types.indexOf('PersonMuted') + 1)).toEqual([]);
  expect(types).toHaveLength(2 + answers.filter(({ status }) => status === 201).length);
});

test('a muted guest stays muted with a new key in the same network', async () => {
  const owner = newUser();
  const room = await newRoom(owner);
  const address = newAddress();
  const { body } = await say(room, 'rude', { address });
  await call('POST', `/api/chat/${room}/mutes`, { as: owner, body: { seq: body.seq } });
  expect((await say(room, 'again', { address })).body.code).toBe('muted');
  const page = await connect({}, address);
  await join(page, room);
  expect((await tell(page, room, 'again')).error.code).toBe('muted');
  expect((await say(room, 'signed in', { address, as: newUser() })).status).toBe(201);
  expect((await say(room, 'from elsewhere')).status).toBe(201);
});

test('a muted guest who writes from another network stays muted in the first one', async () => {
  const owner = newUser();
  const room = await newRoom(owner);
  const [home, outside] = [newAddress(), newAddress()];
  const page = await connect({}, home);
  const guestKey = (await join(page, room)).guestKey!;
  const { seq } = await tell(page, room, 'rude');
  await call('POST', `/api/chat/${room}/mutes`, { as: owner, body: { seq } });
  expect((await say(room, 'from outside', { address: outside, guestKey })).body.code).toBe('muted');
  for (const address of [home, outside])
    expect((await say(room, 'under another key', { address })).body.code).toBe('muted');
});

test('messages of muted guests do not use up the limit of the room’s other guests', async () => {
  const owner = newUser();
  const room = await newRoom(owner);
  const networks = Array.from({ length: 12 }, newAddress);
  await Promise.all(
    networks.map(async (address) => {
      const { seq } = (await say(room, 'rude', { address })).body;
      await call('POST', `/api/chat/${room}/mutes`, { as: owner, body: { seq } });
      for (let again = 0; again < 4; again++) expect((await say(room, 'more', { address })).body.code).toBe('muted');
    }),
  );
  expect((await say(room, 'may I?')).status).toBe(201);
});

test('all pages of one network together may join rooms as often as they may read by HTTP', async () => {
  const room = await newRoom();
  const address = newAddress();
  const refused: string[] = [];
  const pages = await Promise.all(Array.from({ length: 62 }, () => connect({}, address)));
  await Promise.all(
    pages.map(async (page) => {
      for (let again = 0; again < 50; again++) {
        const { error } = await join(page, room);
        if (error) refused.push(`${error.code} ${error.retryAfterSeconds! > 0}`);
      }
    }),
  );
  expect(refused).toEqual(Array<string>(100).fill('too-many-requests true'));
  expect((await join(await connect(), room)).seq).toBe(0);
});

test('moderators get reports with the original text, and settle them', async () => {
  const owner = newUser();
  const room = await newRoom(owner);
  const writer = newUser();
  const { seq } = (await say(room, 'buy my thing', { as: writer })).body;
  const path = `/api/chat/${room}/messages/${seq}`;
  const report = (as: number) => call('POST', `${path}/report`, { as, body: { reason: 'spam' } });
  expect((await call('POST', `${path}/report`, { body: { reason: 'spam' } })).status).toBe(401);
  expect((await report(writer)).status).toBe(409);
  const reader = newUser();
  for (let again = 0; again < 3; again++) expect((await report(reader)).status).toBe(204);
  await realtime.reports.settled();
  const reported = async (from: From) =>
    (
      await call<{ items: Array<{ room: string; reports: unknown[] }> }>('GET', '/api/chat/reported', from)
    ).body.items.filter((item) => item.room === room);
  expect(await reported({ as: owner })).toMatchObject([
    { message: { seq, message: 'buy my thing' }, reports: [{ reason: 'spam', note: null, message: 'buy my thing' }] },
  ]);
  expect(await reported({ as: newUser(), role: 'admin' })).toHaveLength(1);
  expect(await reported({ as: writer })).toEqual([]);
  expect((await call('DELETE', `${path}/reports`, { as: writer })).status).toBe(403);
  expect((await call('DELETE', `${path}/reports`, { as: owner })).status).toBe(204);
  expect(await reported({ as: owner })).toEqual([]);
});

test('a removed message leaves no text in its reports', async () => {
  const owner = newUser();
  const room = await newRoom(owner);
  await say(room, 'secret one', { as: newUser() });
  const report = () => call('POST', `/api/chat/${room}/messages/1/report`, { as: newUser(), body: { reason: 'spam' } });
  const reported = async () => (await call<ReportedMessages>('GET', '/api/chat/reported', { as: owner })).body.items;
  expect((await report()).status).toBe(204);
  await realtime.reports.settled();
  expect(await reported()).toMatchObject([{ reports: [{ message: 'secret one' }] }]);
  expect((await call('DELETE', `/api/chat/${room}/messages/1`, { as: owner })).status).toBe(204);
  expect(await reported()).toEqual([]);
  expect((await report()).body['code']).toBe('message-removed');
  // A report that identity had already received also adds no text.
  await identitySays('identity.content-reported', `case-message.${room}.1`, {
    kind: 'message',
    id: `${room}.1`,
    reports: 2,
  });
  await realtime.reports.settled();
  expect(await reported()).toEqual([]);
});

test('if a message was removed, a repeat of its post returns the message without its text', async () => {
  const room = await newRoom();
  const as = newUser();
  const once = { as, body: { id: randomUUID(), message: 'secret words' } };
  const path = `/api/chat/${room}/messages`;
  await call('POST', path, once);
  await call('DELETE', `${path}/1`, { as });
  const { status, body } = await call('POST', path, once);
  expect(status).toBe(201);
  expect(body).toMatchObject({ seq: 1, message: '', userName: '', isRemoved: true });
});

test('paging through reports skips no report, even within one millisecond', async () => {
  const owner = newUser();
  const room = await newRoom(owner);
  for (let seq = 1; seq <= 5; seq++) {
    await say(room, `message ${seq}`, { as: newUser() });
    await call('POST', `/api/chat/${room}/messages/${seq}/report`, { as: newUser(), body: { reason: 'spam' } });
  }
  await realtime.reports.settled();
  await realtime.pool.query(
    `update chat_messages set created_at = '2030-01-01T00:00:00Z' where room = $1 and seq > 1`,
    [room],
  );
  const found: number[] = [];
  let before: string | null = '';
  for (let page = 0; before !== null && page < 10; page++) {
    const query: string = `?limit=2${before && `&before=${before}`}`;
    const { body }: { body: ReportedMessages } = await call('GET', `/api/chat/reported${query}`, { as: owner });
    found.push(...body.items.map(({ message }) => message.seq));
    before = body.nextBefore;
  }
  expect(found.toSorted()).toEqual([1, 2, 3, 4, 5]);
  // Restores the times of the log, because a rebuild is compared later.
  await realtime.pool.query(
    `update chat_messages m set created_at = (e.data->>'at')::timestamptz from events e
     where m.room = $1 and e.stream = 'room-' || m.room and e.version = m.version`,
    [room],
  );
});

test('an erased account leaves no mute', async () => {
  const owner = newUser();
  const room = await newRoom(owner);
  const ann = newUser();
  const { seq } = (await say(room, 'rude', { as: ann })).body;
  await call('POST', `/api/chat/${room}/mutes`, { as: owner, body: { seq } });
  await realtime.erase(ann);
  expect((await call<Mute[]>('GET', `/api/chat/${room}/mutes`, { as: owner })).body).toEqual([]);
  // A mute that an earlier erasure did not remove is removed as well.
  await realtime.pool.query(
    `insert into chat_mutes (room, person, seq, until, muted_at) values ($1, $2, $3, null, now())`,
    [room, `account:${ann}`, seq],
  );
  await realtime.erase(ann);
  expect((await call<Mute[]>('GET', `/api/chat/${room}/mutes`, { as: owner })).body).toEqual([]);
});

test('people are counted, not pages: each account and each guest key once', async () => {
  const room = await newRoom();
  const token = await realtime.tokenOf({ id: newUser() });
  const pages = [await connect({ token }), await connect({ token }), await connect()];
  const counts: number[] = [];
  pages[2]!.on('online', ({ online }) => void counts.push(online));
  for (const page of pages.slice(0, 2)) expect((await join(page, room)).online).toBe(1);
  const { guestKey, online } = await join(pages[2]!, room);
  expect(online).toBe(2);
  const tab = await connect({ guestKey });
  expect((await join(tab, room)).online).toBe(2);
  await eventually(async () => (await call<ChatRoom>('GET', `/api/chat/${room}`)).body.participantCount === 2);
  pages[0]!.disconnect();
  tab.disconnect();
  await say(room, 'both are still here', { as: newUser() });
  pages[1]!.disconnect();
  await eventually(() => counts.at(-1) === 1);
});

test("the room announces its event's cancellation once, even if the message about it is late", async () => {
  const owner = newUser();
  const room = await newRoom(owner);
  const eventId = Number(room);
  for (let again = 0; again < 2; again++) {
    await realtime.sayEvent(eventId, { ownerId: owner, version: 2, isPostponed: true });
    await realtime.sayEvent(eventId, { ownerId: owner, version: 3 });
    await realtime.sayEvent(eventId, { ownerId: owner, version: 4, status: 'canceled' });
  }
  await eventually(async () => (await read(room)).seq === 3);
  await realtime.sayEvent(++lastEvent, { ownerId: owner });
  await eventually(async () => (await call('GET', `/api/chat/${lastEvent}`)).status === 200);
  const { messages } = await read(room);
  expect(messages.map(({ message, isSystemMessage }) => [message, isSystemMessage])).toEqual([
    ['This event was postponed. It has no new date yet.', true],
    ['This event has a date again.', true],
    ['This event was canceled.', true],
  ]);
});

test('an erased account leaves no text and no name, not even in the log, and a rebuild gives the same tables', async () => {
  const [ann, bob] = [newUser(), newUser()];
  const [room, other] = [await newRoom(), await newRoom()];
  await say(room, 'Annotation one', { as: ann });
  await say(room, 'Bob stays', { as: bob });
  await say(other, 'Annotation two', { as: ann });
  const heart = `/api/chat/${room}/messages/2/reactions/${encodeURIComponent('❤️')}`;
  for (const as of [ann, bob]) await call('PUT', heart, { as });
  const part = await fetch(`${realtime.url}/internal/people/${ann}`, {
    headers: { 'x-internal-token': INTERNAL_TOKEN },
  });
  expect(await part.json()).toMatchObject({
    messages: [{ message: 'Annotation two' }, { message: 'Annotation one' }],
    reactions: [{ room, seq: 2, reaction: '❤️' }],
    isComplete: true,
  });
  for (let again = 0; again < 2; again++) await realtime.erase(ann);
  const everything = async () => {
    const tables = ['events', 'snapshots', 'chat_messages', 'moderated_contents', 'chat_reactions', 'chat_mutes'];
    return JSON.stringify(
      await Promise.all(tables.map(async (name) => (await realtime.pool.query(`select t::text from ${name} t`)).rows)),
    );
  };
  const left = await everything();
  expect(left).not.toContain('Annotation');
  expect(left).not.toContain(`User ${ann}"`);
  expect(left).not.toContain(`account:${ann}`);
  const { messages } = await read(room);
  expect(messages).toMatchObject([
    { seq: 1, userId: null, userName: '', message: '', isRemoved: true },
    { seq: 2, userId: bob, message: 'Bob stays', reactions: { '❤️': 1 } },
  ]);
  const { tables } = await rebuild(realtime.databaseUrl);
  for (const { table, before, after } of tables) expect([table, after]).toEqual([table, before]);
  expect(tables.length).toBe(3);
});
