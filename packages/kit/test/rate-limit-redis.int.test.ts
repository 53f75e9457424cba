import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { logger } from '../src/observe/logger.ts';
import { quota } from '../src/http/limits/rate-limit.ts';
import { openRedis, type Redis } from '../src/redis.ts';
import { startRedis, type TestRedis } from '@beltway/test-engines/redis';
import { eventually } from '../src/testing/testing.ts';

let server: TestRedis;
const open: Redis[] = [];
const log = logger('test', 'silent');

/** Two instances with one connection each, like two gateways. */
async function twoInstances(options: { url?: string; answerMs?: number } = {}): Promise<[Redis, Redis]> {
  const settings = { url: server.url, log, ...options };
  const pair: [Redis, Redis] = [await openRedis(settings), await openRedis(settings)];
  open.push(...pair);
  return pair;
}
/** For exact common counts: on a busy machine, an instance that waits only 50 ms may count for itself. */
const patient = { answerMs: 10_000 };
const ready = (instances: Redis[]) => eventually(() => instances.every((redis) => redis.usable()));
let count = 0;
const limit = (points: number) => ({ name: `test-${count++}`, points, perSeconds: 60 });

beforeAll(async () => void (server = await startRedis()));
afterEach(() => open.splice(0).forEach((redis) => redis.close()));
afterAll(() => server?.stop());

test('two instances count together', async () => {
  const instances = await twoInstances(patient);
  await ready(instances);
  const five = limit(5);
  const takes = instances.map((redis) => quota(five, redis));
  const taken = [];
  for (let turn = 0; turn < 8; turn++) taken.push(await takes[turn % 2]!('ann'));
  expect(taken.map(({ allowed }) => allowed)).toEqual([true, true, true, true, true, false, false, false]);
  expect(taken.map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0, 0, 0, 0]);
  for (const { resetsIn } of taken) expect(resetsIn).toBeGreaterThan(50);
  expect((await takes[1]!('bob')).remaining).toBe(4);
});

test('of fifty concurrent requests at two instances exactly ten are allowed', async () => {
  const instances = await twoInstances(patient);
  await ready(instances);
  const ten = limit(10);
  const takes = instances.map((redis) => quota(ten, redis));
  const taken = await Promise.all(Array.from({ length: 50 }, (_, turn) => takes[turn % 2]!('ann')));
  expect(taken.filter(({ allowed }) => allowed)).toHaveLength(10);
});

test('a caller over the limit is refused without another call to Redis', async () => {
  const [redis] = await twoInstances(patient);
  await ready([redis]);
  let asked = 0;
  const counted: Redis = { ...redis, ask: (command) => (asked++, redis.ask(command)) };
  const take = quota(limit(2), counted);
  for (let turn = 0; turn < 20; turn++) await take('ann');
  expect(asked).toBe(3);
  expect(await take('ann')).toMatchObject({ allowed: false, remaining: 0 });
});

/** Returns how many of twenty requests one instance allows. */
const letThrough = async (take: ReturnType<typeof quota>) =>
  (await Promise.all(Array.from({ length: 20 }, () => take('ann')))).filter(({ allowed }) => allowed).length;

test('an instance without Redis counts for itself from the start', async () => {
  const [redis] = await twoInstances({ url: 'redis://127.0.0.1:1' });
  expect(redis.usable()).toBe(false);
  expect(await letThrough(quota(limit(5), redis))).toBe(5);
});

test.each([
  ['gone', async () => server.kill(), async () => server.start()],
  ['frozen', () => server.freeze(), () => server.thaw()],
] as const)(
  '%s: each instance counts for itself, no request waits or fails, and it recovers',
  async (_how, hurt, heal) => {
    const instances = await twoInstances();
    await ready(instances);
    const five = limit(5);
    const takes = instances.map((redis) => quota(five, redis));
    await takes[0]!('bob');
    await hurt();
    try {
      expect(await Promise.all(takes.map(letThrough))).toEqual([5, 5]);
    } finally {
      await heal();
    }
    await ready(instances);
    // The first count may still be in the rest period after the outage. After this period, the two instances count
    // together.
    const common = limit(4);
    const [one, other] = instances.map((redis) => quota(common, redis)) as [
      ReturnType<typeof quota>,
      ReturnType<typeof quota>,
    ];
    await eventually(async () => {
      const key = `after-${count++}`;
      return (await one(key)).remaining === 3 && (await other(key)).remaining === 2;
    });
  },
);

test('a frozen Redis costs one short wait, not a wait per request', async () => {
  const [redis] = await twoInstances();
  await ready([redis]);
  await server.freeze();
  try {
    let waited = 0;
    for (let turn = 0; turn < 200; turn++) {
      const before = redis.usable();
      await redis.ask((client) => client.ping()).catch(() => undefined);
      if (before) waited++;
    }
    // Without the rest period, each of the 200 consecutive requests would have waited.
    expect(waited).toBeLessThan(20);
    expect(redis.usable()).toBe(false);
  } finally {
    await server.thaw();
  }
  await eventually(async () => (await redis.ask((client) => client.ping())) === 'PONG');
  expect(redis.usable()).toBe(true);
});
