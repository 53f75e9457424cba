import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChatMessage, Joined, MessagePage } from '@beltway/contracts/realtime/chat';
import { eventually } from '@beltway/kit/testing';
import { startRedis, type TestRedis } from '@beltway/test-engines/redis';
import { hasDrained, lineOf, prepare, send } from '../src/chat/hub/frames.ts';
import type { RealtimeSocket } from '../src/sockets.ts';
import { startGround, startRealtime, type PageSocket, type Realtime } from './realtime.ts';

let redis: TestRedis;
let ground: Awaited<ReturnType<typeof startGround>>;
let one: Realtime;
let two: Realtime;
beforeAll(async () => {
  [redis, ground] = await Promise.all([startRedis(), startGround()]);
  one = await startRealtime({ redisUrl: redis.url, ground, isUnlimited: true });
  two = await startRealtime({ redisUrl: redis.url, ground, isUnlimited: true });
  await connected();
});
afterAll(async () => {
  await Promise.all([one?.close(), two?.close()]);
  await Promise.all([ground?.close(), redis?.stop()]);
});

const connected = () => eventually(() => one.redis?.usable() && two.redis?.usable(), { what: 'Redis' });
let lastEvent = 700;
async function newRoom(): Promise<string> {
  const eventId = ++lastEvent;
  await one.sayEvent(eventId);
  const isThere = async (at: Realtime) => (await fetch(`${at.url}/api/chat/${eventId}`)).ok;
  await eventually(async () => (await isThere(one)) && (await isThere(two)));
  return String(eventId);
}
async function open(instance: Realtime): Promise<PageSocket> {
  const page = instance.open({ transports: ['websocket'] });
  await eventually(() => page.connected, { what: 'the connection' });
  return page;
}
const join = (page: PageSocket, room: string, after?: number): Promise<Joined> =>
  page.timeout(20_000).emitWithAck('join', { room, ...(after !== undefined && { after }) }) as Promise<Joined>;
/** Posts a message until it is accepted. The message's id makes repeats harmless. */
async function say(instance: Realtime, room: string, message: string): Promise<void> {
  const body = JSON.stringify({ id: randomUUID(), message, guestName: 'Gil' });
  const headers = { 'content-type': 'application/json' };
  await eventually(
    async () =>
      (await fetch(`${instance.url}/api/chat/${room}/messages`, { method: 'POST', headers, body })).status === 201,
  );
}
async function stored(room: string): Promise<ChatMessage[]> {
  const all: ChatMessage[] = [];
  for (;;) {
    const answer = await fetch(`${one.url}/api/chat/${room}/messages?limit=100&after=${all.length}`);
    const { messages } = (await answer.json()) as MessagePage;
    if (messages.length === 0) return all;
    all.push(...messages);
  }
}
/** Inserts messages of a room without notifying any instance. */
const fillRoom = (room: string, count: number, text: string) =>
  one.pool.query(
    `with posted as (insert into chat_messages
        (room, seq, version, id, user_name, message, is_system, is_organizer, created_at)
      select $1, seq, seq, gen_random_uuid(), 'Gil', $3, false, false, now() from generate_series(1, $2::integer) seq)
     insert into chat_rooms (room, seq, is_active, slow_mode_seconds) values ($1, $2, true, 0)`,
    [room, count, text],
  );
/** The server's socket of a page. */
const endOf = (instance: Realtime, page: PageSocket): RealtimeSocket => instance.io.sockets.sockets.get(page.id!)!;
/** The page's own TCP socket. */
const wireOf = (page: PageSocket) =>
  (page.io.engine.transport as unknown as { ws: { _socket: { pause(): void; resume(): void } } }).ws._socket;

test('the versions of socket.io, engine.io and ws are those for which the frames were written', () => {
  const require = createRequire(import.meta.url);
  const fromSocketIo = createRequire(require.resolve('socket.io'));
  const fromEngineIo = createRequire(fromSocketIo.resolve('engine.io'));
  const versionOf = (at: NodeJS.Require, name: string) =>
    (at(at.resolve(name).replace(/(.*node_modules\/[^/]+)\/.*$/, '$1/package.json')) as { version: string }).version;
  expect(versionOf(require, 'socket.io')).toMatch(/^4\.8\./);
  expect(versionOf(fromSocketIo, 'engine.io')).toMatch(/^6\.6\./);
  expect(versionOf(fromEngineIo, 'ws')).toMatch(/^8\.\d+\./);
});

test.each([1, 124, 125, 126, 60_000, 70_000])(
  'a frame with a text of %i bytes has exactly the bytes that socket.io writes',
  async (size) => {
    const page = await open(one);
    const socket = endOf(one, page);
    const line = lineOf(socket)!;
    const data = { room: '7', messages: [{ message: `é“${'x'.repeat(size)}` }] };
    const written: Buffer[] = [];
    const write = line.write.bind(line) as (...args: unknown[]) => boolean;
    line.write = ((chunk: Buffer | string, ...rest: unknown[]) => {
      written.push(Buffer.from(chunk as Buffer));
      return write(chunk, ...rest);
    }) as typeof line.write;
    (socket.emit as (event: string, data: unknown) => void)('messages', data);
    await eventually(() => written.length > 0);
    expect(Buffer.concat(written).equals(prepare('messages', data).frame)).toBe(true);
  },
);

test('a page that polls receives the same messages', async () => {
  const room = await newRoom();
  const page = one.open({ transports: ['polling'] });
  await eventually(() => page.connected);
  expect(lineOf(endOf(one, page))).toBeUndefined();
  await join(page, room);
  for (let index = 1; index <= 5; index++) await say(two, room, `message ${index}`);
  await eventually(() => page.messages.length === 5);
  expect(page.messages).toEqual(await stored(room));
});

test('if the TCP socket of a WebSocket is not reachable, socket.io sends the same messages', async () => {
  const room = await newRoom();
  const page = await open(one);
  await join(page, room);
  const socket = endOf(one, page);
  const { transport } = socket.conn as unknown as { transport: { socket: object } };
  expect(lineOf(socket)).toBeDefined();
  Object.defineProperty(transport.socket, 'extensions', { value: 'permessage-deflate' });
  expect(lineOf(socket)).toBeUndefined();
  for (let index = 1; index <= 5; index++) await say(two, room, `message ${index}`);
  await eventually(() => page.messages.length === 5);
  expect(page.messages).toEqual(await stored(room));
});

test('a page that reads nothing costs less than 1 MB, does not affect other pages, and gets all messages when it reads again', async () => {
  const room = await newRoom();
  const [slow, quick] = [await open(one), await open(one)];
  for (const page of [slow, quick]) await join(page, room);
  const socket = endOf(one, slow);
  wireOf(slow).pause();
  const line = lineOf(socket)!;
  const filler = prepare('filler', { text: 'x'.repeat(100_000) });
  await eventually(
    async () =>
      !send(socket, filler) && (await new Promise<boolean>((done) => setImmediate(() => done(!send(socket, filler))))),
  );
  const waiting = line.writableLength;
  expect(waiting).toBeLessThan(1_000_000);
  expect(hasDrained(socket)).toBe(false);
  for (let index = 1; index <= 150; index++) await say(one, room, `message ${index} ${'y'.repeat(400)}`);
  await eventually(() => quick.messages.length === 150);
  expect(line.writableLength).toBeLessThanOrEqual(waiting);
  expect(slow.messages).toEqual([]);
  wireOf(slow).resume();
  await eventually(() => slow.messages.length >= 150);
  expect(slow.messages).toEqual(await stored(room));
  await say(one, room, 'and on');
  await eventually(() => slow.messages.length === 151 && quick.messages.length === 151);
});

test('a page that joins repeatedly without reading costs less than 1 MB until it is disconnected', async () => {
  const room = await newRoom();
  await fillRoom(room, 100, '🎉'.repeat(500));
  const stuck = one.open({ transports: ['websocket'], reconnection: false });
  await eventually(() => stuck.connected);
  const { conn } = endOf(one, stuck) as unknown as { conn: NodeJS.EventEmitter & { writeBuffer: object[] } };
  const line = lineOf(endOf(one, stuck))!;
  let isOpen = true;
  let most = 0;
  conn.on('close', () => void (isOpen = false));
  const measure = () => {
    const packets = conn.writeBuffer as Array<{ data?: string }>;
    const waiting = packets.reduce((sum, { data = '' }) => sum + Buffer.byteLength(data), line.writableLength);
    if (isOpen) most = Math.max(most, waiting);
  };
  conn.on('packetCreate', () => queueMicrotask(measure));
  wireOf(stuck).pause();
  // Fewer joins than the flood limit, but more bytes than the system buffers: about 12 MB.
  for (let at = 0; at < 50; at++) stuck.emit('join', { room, after: 0 }, () => undefined);
  await eventually(() => !isOpen, { what: 'being cut off' });
  expect(most).toBeGreaterThan(200_000);
  expect(most).toBeLessThan(1_000_000);
});

test('each of a hundred concurrent messages reaches a page once, in order', async () => {
  const room = await newRoom();
  const page = await open(one);
  await join(page, room);
  await Promise.all(Array.from({ length: 100 }, (_, index) => say(one, room, `message ${index}`)));
  await eventually(() => page.messages.length === 100);
  expect(page.messages).toEqual(await stored(room));
});

test('removals and settings at another instance also reach the pages of this instance', async () => {
  const room = await newRoom();
  const page = await open(one);
  await join(page, room);
  const heard: string[] = [];
  page.on(
    'messages-changed',
    ({ messages }) => void heard.push(...messages.map(({ seq, isRemoved }) => `${seq} ${isRemoved}`)),
  );
  page.on('room-changed', ({ slowModeSeconds }) => void heard.push(`slow ${slowModeSeconds}`));
  await say(two, room, 'to be removed');
  await eventually(() => page.messages.length === 1);
  const headers = { authorization: `Bearer ${await two.tokenOf({ id: 1 })}`, 'content-type': 'application/json' };
  await fetch(`${two.url}/api/chat/${room}/messages/1`, { method: 'DELETE', headers });
  await fetch(`${two.url}/api/chat/${room}`, { method: 'PATCH', headers, body: '{"slowModeSeconds":5}' });
  await eventually(() => heard.length >= 2);
  expect(heard.toSorted()).toEqual(['1 true', 'slow 5']);
});

test('a block set at one instance hides messages at another immediately', async () => {
  const room = await newRoom();
  const [ann, bob] = [601, 602];
  const page = one.open({ transports: ['websocket'], auth: { token: await one.tokenOf({ id: ann }) } });
  await eventually(() => page.connected);
  await join(page, room);
  const changes: ChatMessage[] = [];
  page.on('messages-changed', ({ messages }) => void changes.push(...messages));
  const headers = { authorization: `Bearer ${await two.tokenOf({ id: bob })}`, 'content-type': 'application/json' };
  const write = (message: string) =>
    fetch(`${two.url}/api/chat/${room}/messages`, {
      ...{ method: 'POST', headers, body: JSON.stringify({ id: randomUUID(), message }) },
    });
  await write('seen');
  await eventually(() => page.messages.length === 1);
  const began = performance.now();
  for (const [at, method] of ['POST', 'DELETE', 'POST', 'DELETE', 'POST', 'DELETE', 'POST'].entries()) {
    await fetch(`${two.url}/api/blocks/${ann}`, { method, headers });
    await eventually(() => changes.length === at + 1);
    expect([changes[at]!.seq, changes[at]!.isHidden ?? false]).toEqual([1, method === 'POST']);
  }
  // Without a message from the other instance, an instance reads blocks every five seconds, so this would take half a
  // minute.
  expect(performance.now() - began).toBeLessThan(20_000);
  expect(changes[0]!.message).toBe('');
  await write('not seen');
  await eventually(() => page.messages.length === 2);
  expect(page.messages[1]).toMatchObject({ seq: 2, isHidden: true, message: '' });
});

test.each([
  ['killed and back', () => redis.kill(), () => redis.start()],
  ['frozen and back', () => redis.freeze(), () => redis.thaw()],
] as const)(
  'Redis %s: every page of every instance has the stored transcript, in its order, each once',
  async (_how, hurt, heal) => {
    const room = await newRoom();
    const pages = [await open(one), await open(one), await open(two), await open(two)];
    for (const page of pages) await join(page, room);
    const write = (from: number, to: number) =>
      Promise.all(
        Array.from({ length: to - from }, (_, index) => say(index % 2 ? one : two, room, `message ${from + index}`)),
      );
    const all = async (count: number) => eventually(() => pages.every((page) => page.messages.length >= count));
    await write(0, 30);
    await hurt();
    try {
      await write(30, 60);
      await all(60);
    } finally {
      await heal();
    }
    await write(60, 90);
    await all(90);
    await connected();
    await write(90, 120);
    await all(120);
    const transcript = await stored(room);
    expect(transcript.map(({ seq }) => seq)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
    for (const page of pages) expect(page.messages).toEqual(transcript);
  },
);

test('an account at two instances counts as one person, and a lost instance no longer counts', async () => {
  const room = await newRoom();
  const token = await one.tokenOf({ id: 77 });
  const [here, there] = [one, two].map((instance) => instance.open({ transports: ['websocket'], auth: { token } }));
  const [guest, other] = [await open(one), await open(two)];
  await eventually(() => here!.connected && there!.connected);
  const counts: number[] = [];
  guest.on('online', ({ online }) => void counts.push(online));
  for (const page of [here!, there!, guest, other]) await join(page, room);
  await eventually(() => counts.at(-1) === 3);
  await two.stop();
  try {
    await eventually(() => counts.at(-1) === 2);
  } finally {
    await two.start();
    await connected();
  }
});
