import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { ChatMessage } from '@beltway/contracts/realtime/chat';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { logger } from '@beltway/kit/logger';
import { openPool } from '@beltway/kit/postgres';
import { eventually, testDatabase } from '@beltway/kit/testing';
import { databaseClock, type DatabaseClock } from '../src/chat/database-clock.ts';
import { closeHub, openHub } from '../src/chat/hub/hub.ts';
import { joinRoom } from '../src/chat/hub/members.ts';
import { publishChanges, publishMessages, publishSettings } from '../src/chat/hub/peers.ts';
import type { Hub } from '../src/chat/hub/state.ts';
import type { RealtimeSocket } from '../src/sockets.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const migrations = [
  ...['jobs', 'requests', 'moderated'].map((name) => folder(`../../../packages/kit/migrations/${name}`)),
  folder('../prisma/migrations'),
];
let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let clock: DatabaseClock;
const hubs: Hub[] = [];
beforeAll(async () => {
  database = await testDatabase([eventStoreMigrations, ...migrations]);
  pool = openPool(database.url);
  clock = await databaseClock(pool);
});
afterEach(() => Promise.all(hubs.splice(0).map(closeHub)));
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

const LAST = 'chat-before';

/** The same database, but chosen statements return late. All statements are counted by name. */
function slowPool() {
  const held = new Map<string, Promise<void>>();
  const asked = new Map<string, number>();
  const waiting = new Map<string, number>();
  const answered = new Map<string, number>();
  const query = async (statement: string | { name?: string }, values?: unknown[]) => {
    const name = typeof statement === 'string' ? statement : (statement.name ?? '');
    asked.set(name, (asked.get(name) ?? 0) + 1);
    const answer = await (pool.query as (...args: unknown[]) => Promise<unknown>)(statement, values);
    waiting.set(name, (waiting.get(name) ?? 0) + 1);
    const gate = held.get(name);
    held.delete(name);
    await gate;
    waiting.set(name, waiting.get(name)! - 1);
    answered.set(name, (answered.get(name) ?? 0) + 1);
    return answer;
  };
  return {
    pool: { query } as unknown as Pool,
    /** How often this statement ran. */
    asked: (name: string) => asked.get(name) ?? 0,
    answered: (name: string) => answered.get(name) ?? 0,
    /** The number of results that have arrived from the database and are held back. */
    waiting: (name: string) => waiting.get(name) ?? 0,
    /** Holds back the next result of this statement until the returned function is called. */
    hold: (name: string): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(name, promise);
      return resolve;
    },
  };
}

/** A clock that prevents polls, for messages that are not in the database or must arrive in another way. */
const stopped = { sync: () => new Promise<Date>(() => undefined) };

function aHub(over: Pool = pool, by: Pick<DatabaseClock, 'sync'> = clock): Hub {
  const hub = openHub({ pool: over, log: logger('realtime', 'silent'), instance: randomUUID(), clock: by });
  hubs.push(hub);
  return hub;
}

/** The server's socket of a page. It accepts messages unless it is stuck. */
function aPage() {
  const told: Array<{ event: string; data: { messages?: ChatMessage[] } }> = [];
  const conn = { writeBuffer: { length: 0 }, isClosed: false, close: () => void (conn.isClosed = true) };
  const socket = { conn, emit: (event: string, data: object) => void told.push({ event, data }) };
  return {
    socket: socket as unknown as RealtimeSocket,
    told,
    conn,
    stick: () => void (conn.writeBuffer.length = 1_000),
    unstick: () => void (conn.writeBuffer.length = 0),
    /** The messages of this socket event that the page received. */
    of: (event: string): ChatMessage[] =>
      told.filter((one) => one.event === event).flatMap(({ data }) => data.messages ?? []),
  };
}

let lastEvent = 0;
/** The room of a new event, with this number of messages. */
async function aRoom(count: number): Promise<string> {
  const eventId = ++lastEvent;
  const room = String(eventId);
  await pool.query(
    `insert into chat_events (event_id, owner_id, title, status, version) values ($1, 1, 'E', 'published', 1)`,
    [eventId],
  );
  await write(room, 1, count);
  return room;
}
/** Appends messages without notifying any instance. */
const write = (room: string, from: number, to: number) =>
  pool.query(
    `with posted as (insert into chat_messages
        (room, seq, version, id, user_name, message, is_system, is_organizer, created_at)
      select $1, seq, seq, gen_random_uuid(), 'Gil', 'message ' || seq, false, false, now()
      from generate_series($2::integer, $3::integer) seq)
     insert into chat_rooms (room, seq, is_active, slow_mode_seconds) values ($1, $3, true, 0)
     on conflict (room) do update set seq = excluded.seq`,
    [room, from, to],
  );
const remove = (room: string, seq: number) =>
  pool.query(
    `update chat_messages set message = '', user_name = '', removed_at = clock_timestamp() where room = $1 and seq = $2`,
    [room, seq],
  );
const react = (room: string, seq: number, counts: object) =>
  pool.query(
    `insert into chat_reaction_counts (room, seq, counts, changed_at) values ($1, $2, $3, clock_timestamp())
     on conflict (room, seq) do update set counts = excluded.counts, changed_at = excluded.changed_at`,
    [room, seq, counts],
  );
/** Simulates the restore of a backup. */
const setBack = async (room: string, to: number) => {
  await pool.query('delete from chat_messages where room = $1 and seq > $2', [room, to]);
  await pool.query('update chat_rooms set seq = $2 where room = $1', [room, to]);
};
const idOf = async (room: string, seq: number): Promise<string> =>
  (await pool.query<{ id: string }>('select id from chat_messages where room = $1 and seq = $2', [room, seq])).rows[0]!
    .id;
const numbers = (messages: readonly ChatMessage[]) => messages.map(({ seq }) => seq);
const upTo = (count: number, from = 1) => Array.from({ length: count - from + 1 }, (_, index) => index + from);

test('if a message is removed during a join, the response to the join has the message without its text', async () => {
  const room = await aRoom(400);
  const slow = slowPool();
  const hub = aHub(slow.pool);
  const [page, other] = [aPage(), aPage()];
  await joinRoom(hub, other.socket, { room });
  const releases = [slow.hold(LAST), slow.hold('chat-after')];
  const joining = joinRoom(hub, page.socket, { room, after: 60 });
  await eventually(() => slow.waiting(LAST) === 1 && slow.waiting('chat-after') === 1);
  for (const seq of [40, 80]) {
    await remove(room, seq);
    void publishChanges(hub, room, [seq]);
  }
  await eventually(() => other.of('messages-changed').length === 2);
  for (const release of releases) release();
  const joined = (await joining)!;
  expect(numbers(joined.messages)).toEqual(upTo(160, 61));
  expect(joined.messages.filter(({ isRemoved }) => isRemoved).map(({ seq }) => seq)).toEqual([80]);
  expect(joined.changed).toMatchObject([{ seq: 40, isRemoved: true, message: '' }]);
});

test('settings that change during a join are sent after the response to the join', async () => {
  const room = await aRoom(400);
  const slow = slowPool();
  const hub = aHub(slow.pool);
  const [page, other] = [aPage(), aPage()];
  await joinRoom(hub, other.socket, { room });
  const release = slow.hold(LAST);
  const joining = joinRoom(hub, page.socket, { room, after: 60 });
  await pool.query('update chat_rooms set slow_mode_seconds = 30 where room = $1', [room]);
  await publishSettings(hub, room);
  expect(page.told).toEqual([]);
  release();
  await joining;
  await eventually(() => page.told.some(({ event }) => event === 'room-changed'));
});

test('a page that was behind receives the withdrawal of reactions', async () => {
  const room = await aRoom(10);
  await react(room, 3, { '🔥': 1 });
  const hub = aHub();
  const page = aPage();
  await joinRoom(hub, page.socket, { room });
  page.stick();
  await react(room, 3, {});
  void publishChanges(hub, room, [3]);
  page.unstick();
  await eventually(() => page.of('messages-changed').some(({ seq }) => seq === 3));
  expect(page.of('messages-changed').at(-1)?.reactions).toEqual({});
});

test('many reactions in a row cause few reads and messages, the last one with the final count', async () => {
  const room = await aRoom(10);
  const slow = slowPool();
  const hub = aHub(slow.pool);
  const page = aPage();
  await joinRoom(hub, page.socket, { room });
  await react(room, 3, { '🔥': 1 });
  for (let again = 0; again < 1_000; again++) void publishChanges(hub, room, [3, 4]);
  await react(room, 3, { '🔥': 1_000 });
  await eventually(() =>
    page.of('messages-changed').some(({ seq, reactions }) => seq === 3 && reactions['🔥'] === 1_000),
  );
  expect(slow.asked('chat-some')).toBeLessThan(10);
  expect(page.told.length).toBeLessThan(10);
});

test('an older count that was read late is not sent after a newer one', async () => {
  const [room, other] = [await aRoom(10), await aRoom(10)];
  const slow = slowPool();
  const hub = aHub(slow.pool);
  const page = aPage();
  for (const name of [room, other]) await joinRoom(hub, page.socket, { room: name });
  await react(room, 3, { '🔥': 1 });
  const release = slow.hold('chat-some');
  void publishChanges(hub, room, [3]);
  await eventually(() => slow.waiting('chat-some') === 1);
  await react(room, 3, { '🔥': 2 });
  void publishChanges(hub, room, [3]);
  // After this, everything that was read without a delay has been sent.
  await react(other, 9, { '🔥': 1 });
  await new Promise((resolve) => setTimeout(resolve, 100));
  void publishChanges(hub, other, [9]);
  await eventually(() => page.of('messages-changed').some(({ seq }) => seq === 9));
  release();
  const counts = () =>
    page
      .of('messages-changed')
      .filter(({ seq }) => seq === 3)
      .map(({ reactions }) => reactions['🔥']);
  await eventually(() => counts().includes(2) && slow.waiting('chat-some') === 0);
  await new Promise((resolve) => setImmediate(resolve));
  expect(counts()).toEqual(counts().toSorted());
});

test('a message that arrives after its removal is sent without its text', async () => {
  const room = await aRoom(2);
  const slow = slowPool();
  const hub = aHub(slow.pool, stopped);
  const page = aPage();
  const { messages } = (await joinRoom(hub, page.socket, { room }))!;
  const late = { ...messages[1]!, seq: 3, id: randomUUID(), message: 'secret words' };
  await write(room, 3, 3);
  await remove(room, 3);
  void publishChanges(hub, room, [3]);
  await eventually(() => slow.answered('chat-some') === 1);
  await new Promise((resolve) => setImmediate(resolve));
  publishMessages(hub, room, [late]);
  await eventually(() => numbers(page.of('messages')).includes(3));
  expect(page.of('messages')).toMatchObject([{ seq: 3, isRemoved: true, message: '' }]);
});

test('a message number that is missing in the database is not requested endlessly', async () => {
  const room = await aRoom(2);
  const slow = slowPool();
  const hub = aHub(slow.pool);
  const page = aPage();
  await joinRoom(hub, page.socket, { room });
  await write(room, 4, 200);
  const before = slow.asked('chat-after');
  const began = slow.asked('chat-changed');
  await eventually(() => slow.asked('chat-changed') >= began + 4, { what: 'four looks' });
  expect(slow.asked('chat-after') - before).toBeLessThan(10);
});

test('an instance whose clock is an hour ahead finds changes of another instance', async () => {
  const room = await aRoom(3);
  const page = aPage();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  try {
    await joinRoom(aHub(), page.socket, { room });
    await react(room, 2, { '🔥': 1 });
    await eventually(() =>
      page.of('messages-changed').some(({ seq, reactions }) => seq === 2 && reactions['🔥'] === 1),
    );
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ['memory', 350, 380],
  ['the database', 20, 50],
])(
  'reactions that were withdrawn during a page’s absence are sent when the page returns, from %s',
  async (_where, seq, after) => {
    const room = await aRoom(400);
    await react(room, seq, {});
    const [page, other] = [aPage(), aPage()];
    const hub = aHub();
    await joinRoom(hub, other.socket, { room });
    const joined = (await joinRoom(hub, page.socket, { room, after }))!;
    expect(joined.changed).toMatchObject([{ seq, reactions: {} }]);
  },
);

test('pages that return with the number of a message in memory cost no database query', async () => {
  const room = await aRoom(400);
  await react(room, 305, { '🔥': 1 });
  await remove(room, 306);
  const slow = slowPool();
  const hub = aHub(slow.pool);
  await joinRoom(hub, aPage().socket, { room });
  const asked = () => slow.asked(LAST) + slow.asked('chat-after');
  const before = asked();
  for (let at = 0; at < 200; at++) {
    const joined = (await joinRoom(hub, aPage().socket, { room, after: 350 }))!;
    expect(numbers(joined.messages)).toEqual(upTo(400, 351));
    expect(numbers(joined.changed)).toEqual([305, 306]);
  }
  expect(asked()).toBe(before);
});

test('a page that is ahead of this instance continues from its own position', async () => {
  const room = await aRoom(10);
  const hub = aHub();
  await joinRoom(hub, aPage().socket, { room });
  await write(room, 11, 12);
  expect(await joinRoom(hub, aPage().socket, { room, after: 12 })).toMatchObject({ messages: [], seq: 12 });
});

test('a page starts over if a restored log has a different message with the number of its last message', async () => {
  const room = await aRoom(60);
  const hub = aHub();
  const { messages } = (await joinRoom(hub, aPage().socket, { room }))!;
  const known = messages.at(-1)!;
  expect(await joinRoom(hub, aPage().socket, { room, after: 60, afterId: known.id })).toMatchObject({
    messages: [],
    seq: 60,
  });
  // The backup contained 50 of the 60 messages; others were written after the restore.
  await setBack(room, 50);
  await write(room, 51, 80);
  const joined = (await joinRoom(aHub(), aPage().socket, { room, after: 60, afterId: known.id }))!;
  expect(joined.startsAnew).toBe(true);
  expect(numbers(joined.messages)).toEqual(upTo(80, 55));
  const same = (await joinRoom(aHub(), aPage().socket, {
    room,
    after: 40,
    afterId: (await idOf(room, 40)).toUpperCase(),
  }))!;
  expect(same.startsAnew).toBeUndefined();
  expect(numbers(same.messages)).toEqual(upTo(80, 41));
  // The page also starts over if its number is higher than all numbers of the log.
  expect((await joinRoom(aHub(), aPage().socket, { room, after: 90, afterId: known.id }))!.startsAnew).toBe(true);
});

test('after a database is restored to an older state its pages reload', async () => {
  const room = await aRoom(60);
  const hub = aHub();
  const page = aPage();
  await joinRoom(hub, page.socket, { room });
  await setBack(room, 50);
  await eventually(() => page.conn.isClosed);
  expect((await joinRoom(hub, aPage().socket, { room, after: 55, afterId: randomUUID() }))!).toMatchObject({
    startsAnew: true,
    seq: 50,
  });
});

/** A message in the form in which an instance publishes it after appending it. */
const aMessage = (room: string, seq: number): ChatMessage => ({
  ...{ seq, id: randomUUID(), eventId: Number(room), userId: 7, userName: 'Ann', message: `message ${seq}` },
  ...{ isSystemMessage: false, isOrganizer: false, isRemoved: false, reactions: {} },
  createdAt: new Date().toISOString(),
});
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a busy room sends frames of several messages', async () => {
  const room = await aRoom(0);
  const hub = aHub(pool, stopped);
  const page = aPage();
  await joinRoom(hub, page.socket, { room });
  const began = performance.now();
  for (let seq = 1; seq <= 200; seq++) {
    publishMessages(hub, room, [aMessage(room, seq)]);
    await (seq % 5 === 0 ? pause(2) : turn());
  }
  await eventually(() => page.of('messages').length === 200);
  const tookMs = performance.now() - began;
  expect(numbers(page.of('messages'))).toEqual(upTo(200));
  // A frame for each of the first 40 messages of a second, then 20 frames a second.
  const most = 50 + (60 * tookMs) / 1_000;
  expect(page.told.filter(({ event }) => event === 'messages').length).toBeLessThan(most);
});

test('pages that join a busy room cause no frames for the other pages, and receive each message once', async () => {
  const room = await aRoom(0);
  const hub = aHub(pool, stopped);
  const other = aPage();
  await joinRoom(hub, other.socket, { room });
  let seq = 0;
  const post = () => publishMessages(hub, room, [aMessage(room, ++seq)]);
  while (seq < 60) post();
  const comers: Array<{ page: ReturnType<typeof aPage>; joined: ChatMessage[]; after: number }> = [];
  while (seq < 260) {
    post();
    const page = aPage();
    const after = Math.max(0, (other.of('messages').at(-1)?.seq ?? 0) - 5);
    const { messages } = (await joinRoom(hub, page.socket, { room, after }))!;
    comers.push({ page, joined: messages, after });
  }
  await eventually(() => other.of('messages').length === seq);
  expect(other.told.filter(({ event }) => event === 'messages').length).toBeLessThan(60 + 100);
  for (const { page, joined, after } of comers)
    expect(numbers([...joined, ...page.of('messages')])).toEqual(upTo(seq, after + 1));
});

test('a room that is fully busy with its pages sends batches, although few of its messages were received', async () => {
  const room = await aRoom(0);
  const hub = aHub(pool, stopped);
  const page = aPage();
  await joinRoom(hub, page.socket, { room });
  const { emit } = page.socket as unknown as { emit: (event: string, data: object) => void };
  Object.assign(page.socket, {
    emit: (event: string, data: object) => {
      for (const until = performance.now() + 20; performance.now() < until;);
      emit(event, data);
    },
  });
  for (let seq = 1; seq <= 30; seq++) {
    publishMessages(hub, room, [aMessage(room, seq)]);
    await turn();
  }
  await eventually(() => page.of('messages').length === 30);
  expect(numbers(page.of('messages'))).toEqual(upTo(30));
  expect(page.told.length).toBeLessThan(15);
});
