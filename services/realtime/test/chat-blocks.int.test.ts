import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChatMessage, Joined, MessagePage, Refused } from '@beltway/contracts/realtime/chat';
import { logger } from '@beltway/kit/logger';
import { eventually } from '@beltway/kit/testing';
import { addReader, hiddenFrom, openVisibility, removeReader } from '../src/chat/hub/visibility.ts';
import { startRealtime, type PageSocket, type Realtime } from './realtime.ts';

let realtime: Realtime;
beforeAll(async () => void (realtime = await startRealtime({ isUnlimited: true })));
afterAll(() => realtime?.close());

let lastEvent = 800;
let lastUser = 30_000;
const newUser = () => ++lastUser;

async function newRoom(ownerId = newUser()): Promise<string> {
  const eventId = ++lastEvent;
  await realtime.sayEvent(eventId, { ownerId });
  await eventually(async () => (await fetch(`${realtime.url}/api/chat/${eventId}`)).status === 200);
  return String(eventId);
}

async function call<T = undefined>(
  method: string,
  path: string,
  { as, role = 'user', body }: { as?: number; role?: 'user' | 'admin'; body?: unknown } = {},
): Promise<{ status: number; body: T }> {
  const answer = await fetch(realtime.url + path, {
    method,
    headers: {
      ...(as !== undefined && { authorization: `Bearer ${await realtime.tokenOf({ id: as, role })}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: (text ? JSON.parse(text) : undefined) as T };
}
const say = async (room: string, as: number, message: string) =>
  (await call<ChatMessage>('POST', `/api/chat/${room}/messages`, { as, body: { id: randomUUID(), message } })).body;
const read = async (room: string, from: { as?: number; role?: 'admin' } = {}, query = '') =>
  (await call<MessagePage>('GET', `/api/chat/${room}/messages${query}`, from)).body;
const block = (as: number, other: number) => call('POST', `/api/blocks/${other}`, { as });
const unblock = (as: number, other: number) => call('DELETE', `/api/blocks/${other}`, { as });

/** A page of this account, or of a guest, and the changes it received. */
async function open(as?: number): Promise<PageSocket & { changes: ChatMessage[] }> {
  const auth = as === undefined ? {} : { token: await realtime.tokenOf({ id: as }) };
  const page = Object.assign(realtime.open({ transports: ['websocket'], auth }), { changes: [] as ChatMessage[] });
  page.on('messages-changed', ({ messages }) => void page.changes.push(...messages));
  await eventually(() => page.connected, { what: 'the connection' });
  return page;
}
const ask = <T>(page: PageSocket, event: string, body: unknown) =>
  page.timeout(10_000).emitWithAck(event as 'join', body as never) as Promise<T & Refused>;
const join = (page: PageSocket, room: string, after?: number) =>
  ask<Joined>(page, 'join', { room, ...(after !== undefined && { after }) });

/** The numbers and texts that a reader sees; hidden messages have no text. */
const words = (messages: readonly ChatMessage[]) =>
  messages.map(({ seq, message, isHidden }) => [seq, isHidden ? null : message]);
/** What the page shows: the messages it received, with their later changes. */
const shown = (joined: Joined, page: { messages: ChatMessage[]; changes: ChatMessage[] }) => {
  const all = new Map([...joined.messages, ...page.messages].map((one) => [one.seq, one]));
  for (const one of page.changes) all.set(one.seq, one);
  return words([...all.values()].sort((a, b) => a.seq - b.seq));
};

test('if one of two people in a room blocks the other, each no longer sees the other’s messages; unblocking reverses this', async () => {
  const [room, ann, bob, cy] = [await newRoom(), newUser(), newUser(), newUser()];
  await say(room, ann, 'I am Ann');
  await say(room, bob, 'I am Bob');
  const pages = await Promise.all([open(ann), open(bob), open(cy), open()]);
  const joined: Joined[] = [];
  for (const page of pages) joined.push(await join(page, room));
  const see = (at: number) => shown(joined[at]!, pages[at]!);
  expect((await block(ann, bob)).status).toBe(204);
  await eventually(() => pages[0].changes.length === 1 && pages[1].changes.length === 1);
  expect(pages[0].changes).toEqual([
    {
      ...{ seq: 2, id: joined[0]!.messages[1]!.id, eventId: Number(room), userId: null, userName: '', message: '' },
      ...{ isSystemMessage: false, isOrganizer: false, isRemoved: true, isHidden: true, reactions: {} },
      createdAt: joined[0]!.messages[1]!.createdAt,
    },
  ]);
  await say(room, bob, 'Hello?');
  await say(room, cy, 'Hello');
  await say(room, ann, 'Hi Cy');
  // The numbers on each page have no gap.
  for (const page of pages) await eventually(() => page.messages.at(-1)?.seq === 5);
  for (const page of pages) expect(page.messages.map(({ seq }) => seq)).toEqual([3, 4, 5]);
  const ofAnn = [
    [1, 'I am Ann'],
    [2, null],
    [3, null],
    [4, 'Hello'],
    [5, 'Hi Cy'],
  ];
  const ofBob = [
    [1, null],
    [2, 'I am Bob'],
    [3, 'Hello?'],
    [4, 'Hello'],
    [5, null],
  ];
  const all = [
    [1, 'I am Ann'],
    [2, 'I am Bob'],
    [3, 'Hello?'],
    [4, 'Hello'],
    [5, 'Hi Cy'],
  ];
  expect([see(0), see(1), see(2), see(3)]).toEqual([ofAnn, ofBob, all, all]);
  expect(JSON.stringify(pages[1].messages)).not.toContain(`"userId":${ann}`);
  // HTTP returns the same, from memory and from the database.
  for (const query of ['', '?after=0', '?before=6&limit=5']) {
    expect(words((await read(room, { as: ann }, query)).messages)).toEqual(ofAnn);
    expect(words((await read(room, { as: bob }, query)).messages)).toEqual(ofBob);
    expect(words((await read(room, {}, query)).messages)).toEqual(all);
  }
  expect((await read(room, { as: ann }, '?after=2&limit=1')).messages.map(({ seq }) => seq)).toEqual([3]);
  await unblock(ann, bob);
  await eventually(() => see(0).every(([, text]) => text !== null) && see(1).every(([, text]) => text !== null));
  expect([see(0), see(1)]).toEqual([all, all]);
  await say(room, bob, 'There you are');
  await eventually(() => pages[0].messages.at(-1)?.message === 'There you are');
  expect(pages[2].changes).toEqual([]);
});

test('a page that returns after a block or an unblock has no gap, and sees the messages that its reader may see', async () => {
  const [room, ann, bob] = [await newRoom(), newUser(), newUser()];
  for (const [who, text] of [
    [ann, 'one'],
    [bob, 'two'],
    [ann, 'three'],
  ] as const)
    await say(room, who, text);
  const page = await open(bob);
  expect(words((await join(page, room)).messages)).toEqual([
    [1, 'one'],
    [2, 'two'],
    [3, 'three'],
  ]);
  page.disconnect();
  await block(ann, bob);
  await say(room, ann, 'four');
  await say(room, bob, 'five');
  const again = await open(bob);
  const joined = await join(again, room, 3);
  expect(words(joined.messages)).toEqual([
    [4, null],
    [5, 'five'],
  ]);
  expect(words(joined.changed)).toEqual([
    [1, null],
    [3, null],
  ]);
  expect(joined.seq).toBe(5);
  again.disconnect();
  await unblock(ann, bob);
  const last = await open(bob);
  expect(words((await join(last, room, 3)).messages)).toEqual([
    [4, 'four'],
    [5, 'five'],
  ]);
  // The page requests the messages that it received as hidden.
  expect(words((await read(room, { as: bob }, '?before=4&limit=100')).messages)).toEqual([
    [1, 'one'],
    [2, 'two'],
    [3, 'three'],
  ]);
});

test('messages that are no longer in memory are hidden as well', async () => {
  const [room, ann, bob] = [await newRoom(), newUser(), newUser()];
  for (let at = 1; at <= 330; at++) await say(room, at % 2 ? ann : bob, `message ${at}`);
  await block(bob, ann);
  const page = await open(ann);
  expect(words((await join(page, room, 20)).messages).slice(0, 3)).toEqual([
    [21, 'message 21'],
    [22, null],
    [23, 'message 23'],
  ]);
  expect(words((await read(room, { as: ann }, '?before=4')).messages)).toEqual([
    [1, 'message 1'],
    [2, null],
    [3, 'message 3'],
  ]);
});

test('after signing in, a page no longer sees blocked accounts; after signing out, it sees all again', async () => {
  const [room, ann, bob] = [await newRoom(), newUser(), newUser()];
  await block(ann, bob);
  await say(room, bob, 'one');
  const page = await open();
  const joined = await join(page, room);
  expect(words(joined.messages)).toEqual([[1, 'one']]);
  expect(await ask(page, 'authenticate', { token: await realtime.tokenOf({ id: ann }) })).toEqual({ userId: ann });
  await eventually(() => page.changes.length === 1);
  await say(room, bob, 'two');
  await eventually(() => page.messages.length === 1);
  expect(shown(joined, page)).toEqual([
    [1, null],
    [2, null],
  ]);
  expect(await ask(page, 'authenticate', { token: null })).toEqual({ userId: null });
  await eventually(() => page.changes.at(-1)?.message === 'two');
  expect(shown(joined, page)).toEqual([
    [1, 'one'],
    [2, 'two'],
  ]);
});

test('a message is sent to a page only when it is known whether the page’s reader and the author block each other', async () => {
  const [room, ann, bob] = [await newRoom(), newUser(), newUser()];
  await block(ann, bob);
  const page = await open();
  const joined = await join(page, room);
  const token = await realtime.tokenOf({ id: ann });
  for (let round = 0; round < 5; round++) {
    const [introduced] = await Promise.all([ask(page, 'authenticate', { token }), say(room, bob, `round ${round}`)]);
    expect(introduced).toEqual({ userId: ann });
    await eventually(() => page.messages.length === round + 1);
    await eventually(() => shown(joined, page).every(([, text]) => text === null));
    await ask(page, 'authenticate', { token: null });
    await eventually(() => shown(joined, page).every(([, text]) => text !== null));
  }
  expect(page.messages.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
});

test('a moderator sees every message of a room: blocking them does not evade moderation', async () => {
  const [owner, eve] = [newUser(), newUser()];
  const room = await newRoom(owner);
  await block(eve, owner);
  await block(eve, 9);
  await say(room, eve, 'Spam');
  await say(room, owner, 'Please stop');
  const page = await open(owner);
  const joined = await join(page, room);
  await say(room, eve, 'More');
  await eventually(() => page.messages.length === 1);
  expect(shown(joined, page)).toEqual([
    [1, 'Spam'],
    [2, 'Please stop'],
    [3, 'More'],
  ]);
  expect(words((await read(room, { as: 9, role: 'admin' })).messages)[0]).toEqual([1, 'Spam']);
  expect(words((await read(room, { as: eve })).messages)).toEqual([
    [1, 'Spam'],
    [2, null],
    [3, 'More'],
  ]);
});

test('hidden messages accept no reactions, but can be reported', async () => {
  const [room, ann, bob] = [await newRoom(), newUser(), newUser()];
  await say(room, ann, 'Hello');
  await block(ann, bob);
  const path = `/api/chat/${room}/messages/1`;
  expect((await call('PUT', `${path}/reactions/${encodeURIComponent('🔥')}`, { as: bob })).status).toBe(404);
  const page = await open(bob);
  await join(page, room);
  expect(await ask(page, 'react', { room, seq: 1, reaction: '🔥', isOn: true })).toMatchObject({
    error: { code: 'not-found' },
  });
  expect((await call('POST', `${path}/report`, { as: bob, body: { reason: 'spam' } })).status).toBe(204);
  await unblock(ann, bob);
  expect((await call('PUT', `${path}/reactions/${encodeURIComponent('🔥')}`, { as: bob })).status).toBe(200);
  await eventually(() => page.changes.at(-1)?.reactions['🔥'] === 1);
});

test('reactions to a hidden message are not sent to its reader, but still count here', async () => {
  const [room, ann, bob, cy] = [await newRoom(), newUser(), newUser(), newUser()];
  await say(room, bob, 'Hello');
  await block(ann, bob);
  const [page, other] = [await open(ann), await open(bob)];
  await join(page, room);
  expect((await join(other, room)).online).toBe(2);
  await call('PUT', `/api/chat/${room}/messages/1/reactions/${encodeURIComponent('🔥')}`, { as: cy });
  await eventually(() => other.changes.at(-1)?.reactions['🔥'] === 1);
  await eventually(() => page.changes.length === 1);
  expect(page.changes[0]).toMatchObject({ seq: 1, isHidden: true, reactions: {}, message: '' });
});

test('changes that were not published are found by polling', async () => {
  const [ann, bob] = [newUser(), newUser()];
  const told: Array<[number, number[]]> = [];
  const visibility = openVisibility({
    ...{ pool: realtime.pool, log: logger('realtime', 'silent'), redis: undefined, instance: 'one', everyMs: 20 },
    onChange: (userId, others) => void told.push([userId, [...others]]),
  });
  try {
    await addReader(visibility, ann);
    expect([...hiddenFrom(visibility, ann)]).toEqual([]);
    await block(bob, ann);
    await eventually(() => told.length === 1);
    expect([...hiddenFrom(visibility, ann)]).toEqual([bob]);
    await realtime.pool.query('delete from community_blocks where user_id = $1', [bob]);
    await eventually(() => told.length === 2);
    expect(told).toEqual([
      [ann, [bob]],
      [ann, [bob]],
    ]);
    await addReader(visibility, ann);
    removeReader(visibility, ann);
    expect(hiddenFrom(visibility, ann).size).toBe(0);
    await block(bob, ann);
    await eventually(() => hiddenFrom(visibility, ann).has(bob));
    removeReader(visibility, ann);
    expect(hiddenFrom(visibility, ann).has(bob)).toBe(false);
  } finally {
    await visibility.polling.stop();
  }
});
