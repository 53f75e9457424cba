import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { startRedis, type TestRedis } from '@beltway/test-engines/redis';
import { startGround, startRealtime, watch, type PageSocket, type Realtime } from './realtime.ts';

let redis: TestRedis;
let ground: Awaited<ReturnType<typeof startGround>>;
let one: Realtime;
let two: Realtime;
beforeAll(async () => {
  [redis, ground] = await Promise.all([startRedis(), startGround()]);
  one = await startRealtime({ redisUrl: redis.url, ground });
  two = await startRealtime({ redisUrl: redis.url, ground });
  await connected();
});
afterAll(async () => {
  await Promise.all([one?.close(), two?.close()]);
  await Promise.all([ground?.close(), redis?.stop()]);
});

const connected = () => eventually(() => one.redis?.usable() && two.redis?.usable(), { what: 'Redis' });
const open = async (instance: Realtime): Promise<PageSocket> => {
  const page = instance.open({ transports: ['websocket'] });
  await eventually(() => page.connected, { what: 'the connection' });
  return page;
};
let lastId = 100;
const newEvent = () => ++lastId;

/** A room with a page at each instance, and the messages that each page received. */
async function room() {
  const name = `room ${newEvent()}`;
  const heard: string[][] = [[], []];
  for (const [at, instance] of [one, two].entries()) {
    const page = await open(instance);
    instance.io.in(page.id!).socketsJoin(name);
    await eventually(() => instance.io.sockets.adapter.rooms.get(name)?.size === 1);
    page.onAny((word: string) => void heard[at]!.push(word));
  }
  const say = (at: Realtime, word: string) => (at.io.to(name).emit as (word: string) => unknown)(word);
  /**
   * Sends until both pages received the message, because a connection may be new. Afterwards, both pages are connected.
   */
  const until = async () => {
    for (let word = 0; ; word++) {
      for (const instance of [one, two]) say(instance, `try ${word}`);
      const all = () => heard.every((words) => words.filter((said) => said === `try ${word}`).length === 2);
      if (await eventually(all, { timeoutMs: 300 }).catch(() => false)) break;
      if (word > 50) throw new Error('the instances do not hear each other');
    }
    heard.forEach((words) => words.splice(0));
  };
  return { heard, say, until };
}

test('a message sent at one instance reaches the pages of all instances, once and in order', async () => {
  const { heard, say, until } = await room();
  await until();
  const words = Array.from({ length: 50 }, (_, index) => `word ${index}`);
  for (const [index, word] of words.entries()) {
    if (index % 10 === 9) await eventually(() => heard.every((said) => said.length === index));
    say(one, word);
  }
  await eventually(() => heard.every((said) => said.length >= 50));
  say(two, 'end');
  await eventually(() => heard.every((said) => said.at(-1) === 'end'));
  expect(heard).toEqual([
    [...words, 'end'],
    [...words, 'end'],
  ]);
});

test('stock is consumed by each instance, but sent to each page once', async () => {
  const eventId = newEvent();
  const pages = [await open(one), await open(two)];
  for (const page of pages) await watch(page, eventId);
  for (let version = 1; version <= 3; version++) {
    await one.say({ eventId, version });
    await eventually(() => pages.every((page) => page.heard.at(-1)?.version === version));
  }
  const { until } = await room();
  await until();
  for (const page of pages) expect(page.heard.map(({ version }) => version)).toEqual([1, 2, 3]);
});

test.each([
  ['gone', async () => redis.kill(), async () => redis.start()],
  ['frozen', () => redis.freeze(), () => redis.thaw()],
] as const)(
  'Redis %s: each instance tells its own pages, and all are told together again after it',
  async (_how, hurt, heal) => {
    const { heard, say, until } = await room();
    await until();
    await hurt();
    try {
      say(one, 'alone');
      await eventually(() => heard[0]!.includes('alone'));
    } finally {
      await heal();
    }
    await connected();
    await until();
    say(two, 'together');
    await eventually(() => heard.every((words) => words.includes('together')));
    expect(heard.map((words) => words.filter((word) => word === 'together').length)).toEqual([1, 1]);
  },
);
