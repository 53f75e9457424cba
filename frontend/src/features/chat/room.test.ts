import { hiddenMessage } from '@beltway/contracts/realtime/chat';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { chatMessages } from '../../testing/chat.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { fakeChat, type FakeChat } from '../../testing/fake-chat.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import type { Room } from './room.ts';

const current = vi.hoisted(() => ({ socket: null as unknown }));
vi.mock('socket.io-client', () => ({ io: () => current.socket }));

let chat: FakeChat;
let room: Room;

/** Opens the socket and the region's room in a fresh module graph, as on a new page. */
async function open(log = chatMessages(1, 30), facts = {}, more: Parameters<typeof fakeApi>[0] = {}) {
  vi.resetModules();
  chat = fakeChat(log, facts);
  current.socket = chat.socket;
  const calls = fakeApi({ ...chat.calls, ...more });
  const { openRoom } = await import('./room.ts');
  room = openRoom('region');
  await settle();
  chat.connect();
  await settle();
  return calls;
}
const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const seqs = () => room.get().transcript.messages.map(({ seq }) => seq);
const sent = (name: string) => chat.sent.filter((one) => one.name === name).map(({ body }) => body);
const failures = () => room.get().outbox.map(({ failure }) => failure);

// Keeps other test files from getting this file's modules.
afterAll(() => void vi.resetModules());
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  room.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Pseudorandom numbers between 0 and 1, reproducible from the seed. */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe('reading', () => {
  test('joins with the last 26 messages, and keeps the last 26 as others write', async () => {
    await open();
    expect(room.get()).toMatchObject({ connection: 'joined', online: 2 });
    expect(seqs()).toEqual(range(5, 30));
    chat.post();
    expect(seqs()).toEqual(range(6, 31));
  });

  test('resumes after the last number: messages, removals and reactions sent in between appear once', async () => {
    await open();
    chat.disconnect();
    expect(room.get().connection).toBe('reconnecting');
    chat.post();
    chat.post();
    chat.change(30, { isRemoved: true, message: '' });
    chat.change(29, { reactions: { '🔥': 4 } });
    chat.connect();
    await settle();
    expect(sent('join')).toEqual([{ room: 'region' }, { room: 'region', after: 30, afterId: chat.log[29]!.id }]);
    expect(seqs()).toEqual(range(7, 32));
    const shown = room.get().transcript.messages;
    expect(shown.find(({ seq }) => seq === 30)?.isRemoved).toBe(true);
    expect(shown.find(({ seq }) => seq === 29)?.reactions).toEqual({ '🔥': 4 });
  });

  test('refetches hidden messages after resuming, because their author may be visible again', async () => {
    const calls = await open();
    const [before, hidden] = [chat.log[28]!, hiddenMessage(chat.log[28]!)];
    chat.change(29, hidden);
    expect(room.get().transcript.messages.find(({ seq }) => seq === 29)).toEqual(hidden);
    chat.disconnect();
    chat.log[28] = before;
    chat.post();
    // On resuming, the server does not report that the message changed.
    chat.isUnaware = true;
    chat.connect();
    await settle();
    expect(calls.filter(({ path }) => path.includes('before='))).toMatchObject([
      { path: '/api/chat/region/messages?before=31&limit=100' },
    ]);
    expect(room.get().transcript.messages.find(({ seq }) => seq === 29)).toEqual(before);
    expect(seqs()).toEqual(range(6, 31));
  });

  test('fetches messages that are missing after resuming, and starts over if too many are missing', async () => {
    const calls = await open();
    room.follow(false);
    chat.disconnect();
    for (let at = 0; at < 250; at++) chat.post();
    chat.connect();
    await settle(1_000);
    expect(seqs()).toEqual(range(5, 280));
    expect(calls.filter(({ path }) => path.includes('after=')).map(({ path }) => path)).toEqual([
      '/api/chat/region/messages?after=130&limit=100',
      '/api/chat/region/messages?after=230&limit=100',
    ]);
    chat.disconnect();
    for (let at = 0; at < 5_000; at++) chat.post();
    chat.connect();
    await settle(1_000);
    expect(seqs()).toEqual(range(5_255, 5_280));
  });

  test('fetches the messages of a gap that persists; a message that is only late needs no request', async () => {
    const calls = await open();
    chat.isSilent = true;
    const [one, two, three] = [chat.post(), chat.post(), chat.post()];
    chat.isSilent = false;
    chat.tell(two);
    chat.tell(one);
    await settle(1_000);
    expect(seqs().at(-1)).toBe(32);
    expect(calls.filter(({ path }) => path.includes('after='))).toEqual([]);
    const four = chat.post();
    expect(seqs().at(-1)).toBe(32);
    await settle(1_000);
    expect(seqs().slice(-2)).toEqual([three.seq, four.seq]);
    expect(calls.filter(({ path }) => path.includes('after='))).toHaveLength(1);
  });

  test('retries while the server is unavailable', async () => {
    let isDown = true;
    await open(undefined, {}, {});
    const get = chat.calls['GET /api/chat/region/messages'];
    fakeApi({
      ...chat.calls,
      'GET /api/chat/region/messages': (call: Parameters<typeof get>[0]) =>
        isDown ? problem(503, 'unavailable') : get(call),
    });
    chat.isSilent = true;
    chat.post();
    chat.isSilent = false;
    chat.post();
    await settle(5_000);
    expect(seqs().at(-1)).toBe(30);
    isDown = false;
    await settle(10_000);
    expect(seqs().at(-1)).toBe(32);
  });

  test.each(range(1, 25))(
    'equals the log after lost, duplicated and reordered messages and broken connections (seed %i)',
    async (seed) => {
      const random = randoms(seed);
      await open();
      room.follow(false);
      let held: ReturnType<typeof chat.post>[] = [];
      for (let step = 0; step < 120; step++) {
        const chance = random();
        if (chance < 0.04 && !chat.socket.connected) chat.connect();
        else if (chance < 0.04) {
          // Messages in transit are lost with the connection.
          chat.disconnect();
          held = [];
        } else if (chance < 0.1) await settle(random() * 800);
        else if (chance < 0.16)
          chat.change(Math.max(1, chat.seq() - Math.floor(random() * 12)), { reactions: { '👏': step + 1 } });
        else {
          chat.isSilent = true;
          const message = chat.post();
          chat.isSilent = false;
          // Some messages are lost, some late, some delivered twice.
          if (random() < 0.8) held.push(message);
          if (random() < 0.3) held.push(message);
          if (random() < 0.5) {
            for (const one of held.sort(() => random() - 0.5)) chat.tell(one);
            held = [];
          }
        }
      }
      if (chat.socket.connected) chat.disconnect();
      chat.connect();
      await settle(60_000);
      expect(seqs()).toEqual(range(seqs()[0]!, chat.seq()));
      const shown = room.get().transcript.messages;
      expect(shown).toEqual(chat.log.slice(-shown.length));
    },
  );

  test('shows the messages of a server that was restored to an earlier state', async () => {
    await open();
    chat.disconnect();
    chat.log.splice(20);
    chat.connect();
    await settle(1_000);
    expect(seqs()).toEqual(range(1, 20));
    chat.post();
    expect(seqs().at(-1)).toBe(21);
  });

  test('shows the messages of a restored server that now has more messages than this page', async () => {
    await open();
    chat.disconnect();
    chat.log.splice(20);
    for (const { seq } of chatMessages(21, 60)) chat.post({ id: crypto.randomUUID(), message: `Another ${seq}` });
    chat.connect();
    await settle(1_000);
    expect(room.get().transcript.messages).toEqual(chat.log.slice(-26));
    chat.post();
    expect(seqs().at(-1)).toBe(61);
  });

  test('prepends older messages, and shows a failure to load them', async () => {
    await open(chatMessages(1, 60));
    await room.loadOlder();
    expect(seqs()).toEqual(range(9, 60));
    fakeApi({ 'GET /api/chat/region/messages': problem(503, 'unavailable') });
    await room.loadOlder();
    expect(room.get().older).toBe('failed');
    fakeApi(chat.calls);
    await room.loadOlder();
    await room.loadOlder();
    expect(seqs()).toEqual(range(1, 60));
    room.follow(true);
    chat.post();
    expect(seqs()).toEqual(range(36, 61));
  });

  test('a room that is not open yet is shown as reconnecting, and is joined when it opens', async () => {
    await open();
    chat.disconnect();
    chat.refusals.set('join', { code: 'unavailable', message: 'This chat opens in a moment.', retryAfterSeconds: 1 });
    chat.connect();
    await settle();
    expect(room.get()).toMatchObject({ connection: 'reconnecting', refusal: null });
    chat.refusals.clear();
    await settle(1_000);
    expect(room.get()).toMatchObject({ connection: 'joined', refusal: null });
  });

  test('a refused room shows the reason and is retried; other rooms are ignored; closing leaves the room', async () => {
    await open();
    chat.fire('messages', { room: '7', messages: chatMessages(31, 31) });
    chat.fire('online', { room: '7', online: 99 });
    expect(seqs().at(-1)).toBe(30);
    expect(room.get().online).toBe(2);
    chat.fire('online', { room: 'region', online: 5 });
    expect(room.get().online).toBe(5);
    chat.disconnect();
    chat.refusals.set('join', { code: 'no-such-room', message: 'There is no such chat.', retryAfterSeconds: 3 });
    chat.connect();
    await settle();
    expect(room.get()).toMatchObject({ connection: 'refused', refusal: 'There is no such chat.' });
    chat.refusals.clear();
    await settle(3_000);
    expect(room.get()).toMatchObject({ connection: 'joined', refusal: null });
    room.close();
    expect(sent('leave')).toEqual([{ room: 'region' }]);
    chat.isJoined = true;
    chat.post();
    expect(seqs().at(-1)).toBe(30);
  });
});

describe('the facts of the room', () => {
  test.each([
    ['for the first time', 1],
    ['again after reconnecting', 2],
  ])('keep a change that is announced while they are requested %s', async (_when, held) => {
    const older = Promise.withResolvers<unknown>();
    let asked = 0;
    const facts = () => (++asked === held ? older.promise : { ...chat.room });
    await open(chatMessages(1, 3), {}, { 'GET /api/chat/region': facts });
    if (held === 2) {
      chat.disconnect();
      chat.connect();
      await settle();
    }
    expect(asked).toBe(held);
    const { name, description } = chat.room;
    chat.fire('room-changed', { room: 'region', isActive: false, slowModeSeconds: 20, name, description });
    older.resolve({ ...chat.room });
    await settle();
    expect(room.get().facts).toMatchObject({ isActive: false, slowModeSeconds: 20, participantCount: 1 });
  });
});

describe('writing', () => {
  test('a message is shown as being sent, and appears in the transcript once', async () => {
    await open();
    room.say('Hello', 'Gail');
    expect(room.get().outbox).toMatchObject([{ message: 'Hello', failure: null }]);
    await settle();
    expect(sent('say')).toMatchObject([{ message: 'Hello', guestName: 'Gail' }]);
    expect(room.get().outbox).toEqual([]);
    expect(room.get().transcript.messages.at(-1)).toMatchObject({ seq: 31, message: 'Hello' });
  });

  test('a message that the server accepted but did not deliver is fetched', async () => {
    await open();
    chat.isSilent = true;
    room.say('Hello');
    await settle(1_000);
    expect(room.get().outbox).toEqual([]);
    expect(room.get().transcript.messages.at(-1)).toMatchObject({ seq: 31, message: 'Hello' });
  });

  test('a message that the server does not answer offers a retry with the same id, and appears once', async () => {
    await open();
    chat.isDeaf = true;
    room.say('Hello');
    await settle(20_000);
    expect(failures()).toEqual(['Not sent. Check your connection.']);
    // The server had received the message.
    chat.isDeaf = false;
    const [first] = sent('say');
    chat.isSilent = true;
    chat.post({ id: first!.id, message: 'Hello' });
    chat.isSilent = false;
    room.retry(room.get().outbox[0]!.id);
    await settle(1_000);
    expect(new Set(sent('say').map(({ id }) => id)).size).toBe(1);
    expect(room.get().transcript.messages.filter(({ message }) => message === 'Hello')).toHaveLength(1);
    expect(room.get().outbox).toEqual([]);
  });

  test('messages written offline are sent in order after reconnecting, except discarded messages', async () => {
    await open();
    chat.disconnect();
    room.say('One');
    room.say('Two');
    room.say('Three');
    room.discard(room.get().outbox[1]!.id);
    await settle();
    expect(sent('say')).toEqual([]);
    chat.connect();
    await settle();
    expect(chat.log.slice(30).map(({ message }) => message)).toEqual(['One', 'Three']);
    expect(room.get().outbox).toEqual([]);
  });

  test('if the connection breaks while a message is sent, the message is sent again with the same id', async () => {
    await open();
    chat.isDeaf = true;
    room.say('Hello');
    await settle();
    chat.disconnect();
    const [first] = sent('say');
    chat.post({ id: first!.id, message: 'Hello' });
    chat.isDeaf = false;
    chat.connect();
    await settle();
    expect(room.get().outbox).toEqual([]);
    expect(chat.log.filter(({ message }) => message === 'Hello')).toHaveLength(1);
  });

  test('a refused message shows the reason; slow mode counts down, even after an accepted message', async () => {
    await open(chatMessages(1, 3), { slowModeSeconds: 20 });
    chat.refusals.set('say', { code: 'slow-mode', message: 'Slow mode is on.', retryAfterSeconds: 9 });
    room.say('Hello');
    await settle();
    expect(failures()).toEqual(['Slow mode is on.']);
    expect(room.get().waitUntil - Date.now()).toBe(9_000);
    chat.refusals.clear();
    room.retry(room.get().outbox[0]!.id);
    await settle();
    expect(room.get().waitUntil - Date.now()).toBe(20_000);
    const { name, description } = chat.room;
    chat.fire('room-changed', { room: 'region', isActive: false, slowModeSeconds: 0, name, description });
    expect(room.get()).toMatchObject({ waitUntil: 0, facts: { isActive: false } });
  });

  test('moderators are exempt from slow mode', async () => {
    await open(chatMessages(1, 3), { slowModeSeconds: 20, canModerate: true });
    room.say('Hello');
    await settle();
    expect(room.get().waitUntil).toBe(0);
  });
});

describe('reactions', () => {
  const reactions = (seq: number) => room.get().transcript.messages.find((one) => one.seq === seq)!.reactions;
  const own = (seq: number) => room.ownReactions(room.get().transcript.messages.find((one) => one.seq === seq)!);

  test('are counted immediately, sent, and removed by another press', async () => {
    await open();
    chat.change(30, { reactions: { '🔥': 2 } });
    const pressed = room.react(30, '🔥');
    expect(reactions(30)).toEqual({ '🔥': 3 });
    expect(own(30)).toEqual(['🔥']);
    await pressed;
    expect(reactions(30)).toEqual({ '🔥': 3 });
    await room.react(30, '🔥');
    expect(sent('react').map(({ isOn }) => isOn)).toEqual([true, false]);
    expect(reactions(30)).toEqual({ '🔥': 2 });
    expect(own(30)).toEqual([]);
  });

  test('are removed when the server refuses them', async () => {
    await open();
    chat.refusals.set('react', { code: 'too-many-requests', message: 'Too many.' });
    await expect(room.react(30, '🔥')).rejects.toThrow('Too many.');
    expect(reactions(30)).toEqual({});
    expect(own(30)).toEqual([]);
  });

  test('a refused reaction keeps the counts that the server sent in the meantime', async () => {
    await open();
    chat.refusals.set('react', { code: 'too-many-requests', message: 'Too many.' });
    const pressed = room.react(30, '🔥');
    chat.change(30, { reactions: { '🎉': 8 } });
    await expect(pressed).rejects.toThrow('Too many.');
    expect(reactions(30)).toEqual({ '🎉': 8 });
  });

  test('are marked again after a reload, but only for the same account', async () => {
    await open();
    await room.react(30, '🔥');
    room.close();
    await open(chat.log);
    expect(own(30)).toEqual(['🔥']);
    room.close();
    const { token, user } = sessionFixture();
    localStorage.setItem('beltway.token', token);
    localStorage.setItem('beltway.user', JSON.stringify(user));
    await open(chat.log);
    expect(own(30)).toEqual([]);
  });
});

describe('the identity', () => {
  const signIn = () => {
    const { token, user } = sessionFixture();
    localStorage.setItem('beltway.token', token);
    localStorage.setItem('beltway.user', JSON.stringify(user));
  };

  test('the token is sent before joining; a new token and a sign-out are sent on the same connection', async () => {
    signIn();
    await open();
    expect(chat.sent.map(({ name }) => name)).toEqual(['authenticate', 'join']);
    const { sessionStore } = await import('../../lib/storage/session-store.ts');
    sessionStore.set({ ...sessionFixture(), token: 'token-2' });
    sessionStore.clear();
    await settle();
    expect(sent('authenticate').map(({ token }) => token)).toEqual(['token-1', 'token-2', null]);
    expect(sent('join')).toHaveLength(1);
  });

  test('an expired token is renewed once, and messages wait for it', async () => {
    signIn();
    const calls = await open(undefined, {}, { 'POST /api/auth/refresh': { ...sessionFixture(), token: 'token-2' } });
    chat.fire('token-expired');
    await settle();
    expect(sent('authenticate').map(({ token }) => token)).toEqual(['token-1', 'token-2']);
    chat.fire('token-expired');
    await settle();
    expect(calls.filter(({ path }) => path === '/api/auth/refresh')).toHaveLength(1);
    room.say('Hello', 'Gail');
    await settle();
    expect(sent('say')[0]).not.toHaveProperty('guestName');
  });

  test('an unsent message is dropped when another account signs in', async () => {
    signIn();
    await open();
    chat.refusals.set('say', { code: 'slow-mode', message: 'Slow mode is on.', retryAfterSeconds: 9 });
    room.say('Hello');
    await settle();
    expect(failures()).toEqual(['Slow mode is on.']);
    chat.refusals.clear();
    const { sessionStore } = await import('../../lib/storage/session-store.ts');
    sessionStore.set({ ...sessionFixture({ id: 4 }), token: 'token-2' });
    await settle();
    expect(room.get().outbox).toEqual([]);
    expect(sent('say')).toHaveLength(1);
  });

  test('moderation rights end with their account, even if the other account’s cannot be fetched', async () => {
    signIn();
    let isDown = false;
    const facts = () => (isDown ? problem(503, 'unavailable') : { ...chat.room });
    await open(chatMessages(1, 3), { canModerate: true }, { 'GET /api/chat/region': facts });
    expect(room.get().facts?.canModerate).toBe(true);
    isDown = true;
    const { sessionStore } = await import('../../lib/storage/session-store.ts');
    sessionStore.set({ ...sessionFixture({ id: 4 }), token: 'token-2' });
    await settle();
    expect(room.get().facts).toMatchObject({ name: 'DC area', canModerate: false });
  });

  test('an unsent message is dropped when its account signs out, but not when its session expires', async () => {
    for (const [hasExpired, left] of [
      [true, 1],
      [false, 0],
    ] as const) {
      signIn();
      await open();
      chat.refusals.set('say', { code: 'muted', message: 'You are muted.' });
      room.say('Not sent', 'Gail');
      await settle();
      expect(room.get().outbox).toHaveLength(1);
      const { sessionStore } = await import('../../lib/storage/session-store.ts');
      sessionStore.clear({ hasExpired });
      await settle();
      expect(room.get().outbox, `expired: ${hasExpired}`).toHaveLength(left);
    }
  });

  test('moderation rights are fetched again when another account signs in', async () => {
    await open();
    expect(room.get().facts?.canModerate).toBe(false);
    chat.room.canModerate = true;
    const { sessionStore } = await import('../../lib/storage/session-store.ts');
    sessionStore.set(sessionFixture());
    await settle();
    expect(room.get().facts?.canModerate).toBe(true);
  });
});
