import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Pool } from 'pg';
import type { Erasure, KnownAccounts } from '@beltway/contracts/identity/people';
import { openEmbeddedBus } from '../src/bus/embedded/bus.ts';
import type { Bus } from '../src/bus/bus.ts';
import { logger } from '../src/observe/logger.ts';
import { openPool } from '../src/postgres/pool.ts';
import { followErasures } from '../src/service/erasures.ts';
import { eventually, testDatabase } from '../src/testing/testing.ts';

const folder = (name: string) => new URL(`../migrations/${name}`, import.meta.url).pathname;
const closing: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

let pool: Pool;
let bus: Bus;
beforeEach(async () => {
  const database = await testDatabase([folder('inbox'), folder('jobs'), folder('erasures')]);
  const busDatabase = await testDatabase([folder('bus')]);
  closing.push(database.drop, busDatabase.drop);
  pool = openPool(database.url);
  bus = await openEmbeddedBus({ url: busDatabase.url });
  await bus.ensureTopics(['identity.events']);
  closing.push(
    () => pool.end(),
    () => bus.close(),
  );
  await pool.query('create table known_people (buyer integer)');
});

/** A fake identity with erased accounts. It records the erasures and account ids that are reported to it. */
function fakeIdentity(erased: Erasure[] = []) {
  const told: Erasure[] = [];
  const highest: number[] = [];
  const state = { isAway: false };
  return {
    ...{ told, highest, state },
    get: async (path: string) => {
      if (state.isAway) throw new Error('identity is away');
      const after = Number(new URL(path, 'http://identity').searchParams.get('after'));
      return { items: erased.filter(({ userId }) => userId > after).slice(0, 200) };
    },
    post: async (path: string, body: unknown) => {
      if (path === '/internal/known-accounts') highest.push((body as KnownAccounts).highest);
      else told.push(...(body as { items: Erasure[] }).items);
    },
  };
}

/**
 * Starts a follower. Its own poll runs concurrently with `work` and may claim the due jobs, so tests wait for results
 * with `eventually`.
 */
async function follow(identity = fakeIdentity(), fails: (userId: number) => boolean = () => false) {
  const erased: number[] = [];
  const following = await followErasures({
    ...{ pool, bus, log: logger('erasures-test', 'silent'), group: 'test.erasures', identity },
    erase: async (userId) => {
      if (fails(userId)) throw new Error('the disk is full');
      erased.push(userId);
    },
    highestAccount: 'select max(buyer) from known_people',
    retryMs: 50,
  });
  closing.push(() => following.stop());
  return { ...following, erased };
}

const say = (userId: number, id: string = randomUUID(), occurredAt = new Date().toISOString()) =>
  bus.publish('identity.events', [
    {
      ...{ id, type: 'identity.user-erased', version: 1, key: `user-${userId}`, occurredAt },
      ...{ correlationId: 'test', causationId: 'test', data: { userId, generation: 1 } },
    },
  ]);
const jobs = async (sql: string) =>
  (await pool.query(`select ${sql} from jobs where queue = 'erasure' order by key`)).rows as unknown[];

test('an account erased by identity is erased here, and again after a minute, twenty minutes and a day', async () => {
  const { erased, work } = await follow();
  const id = randomUUID();
  await say(7, id);
  await eventually(() => erased.length === 1);
  await say(7, id);
  for (const [times, minutes] of [
    [2, 1],
    [3, 20],
    [4, 24 * 60],
  ] as const) {
    const minutesLeft = 'round(extract(epoch from run_at - now()) / 60)::int as minutes';
    await eventually(async () => isDeepStrictEqual(await jobs(minutesLeft), [{ minutes }]));
    await work();
    expect(erased).toHaveLength(times - 1);
    await pool.query('update jobs set run_at = now()');
    await work();
    await eventually(() => erased.length === times);
  }
  expect(await jobs('key')).toEqual([]);
  await work();
  expect(erased).toEqual([7, 7, 7, 7]);
});

test('a failed erasure is retried later, and blocks no other erasure', async () => {
  let broken = true;
  const { erased, work } = await follow(fakeIdentity(), (userId) => broken && userId === 7);
  await say(7);
  await say(8);
  const tried = [
    { key: '7', runs: 0, later: true, error: 'the disk is full' },
    { key: '8', runs: 1, later: true, error: null },
  ];
  await eventually(async () => {
    await work();
    const seen = await jobs(`key, (data ->> 'runs')::int as runs, run_at > now() as later, last_error as error`);
    return isDeepStrictEqual(seen, tried);
  });
  expect(erased).toEqual([8]);
  broken = false;
  await pool.query(`update jobs set run_at = now() where key = '7'`);
  await work();
  await eventually(() => erased.length > 1);
  expect(erased).toEqual([8, 7]);
});

test('a service restored from an older backup repeats all erasures known to identity, page by page', async () => {
  const long = Array.from({ length: 450 }, (_, index) => ({ userId: index + 1, erasedAt: '2026-03-07T20:00:00.000Z' }));
  const identity = fakeIdentity(long);
  const { compare, work, erased } = await follow(identity);
  await compare();
  await work();
  await eventually(() => erased.length === 450);
  expect(new Set(erased).size).toBe(450);
  await compare();
  await work();
  expect(erased).toHaveLength(450);
  expect(identity.told).toEqual([]);
});

test('identity restored from an older backup receives the erasures that it does not know', async () => {
  const identity = fakeIdentity([{ userId: 5, erasedAt: '2026-03-07T20:00:00.000Z' }]);
  const { compare, erased } = await follow(identity);
  await eventually(() => erased.includes(5));
  await say(7, randomUUID(), '2026-04-01T10:00:00.000Z');
  await eventually(() => erased.includes(7));
  await compare();
  expect(identity.told).toEqual([{ userId: 7, erasedAt: '2026-04-01T10:00:00.000Z' }]);
});

test('an erasure inserted by an operator is run, and reported to identity', async () => {
  const identity = fakeIdentity();
  const { compare, erased } = await follow(identity);
  await pool.query(`insert into erasures (user_id, erased_at) values (9, '2026-03-07T20:00:00Z')`);
  await compare();
  await eventually(() => erased.includes(9));
  expect(identity.told).toContainEqual({ userId: 9, erasedAt: '2026-03-07T20:00:00.000Z' });
});

test('identity gets the highest known account number, including erased accounts, once it responds', async () => {
  const identity = fakeIdentity();
  identity.state.isAway = true;
  await pool.query('insert into known_people values (null), (41), (12)');
  const { compare } = await follow(identity);
  await expect(compare()).rejects.toThrow('away');
  identity.state.isAway = false;
  await eventually(() => identity.highest.length > 0);
  expect(identity.highest[0]).toBe(41);
  await pool.query('insert into erasures (user_id, erased_at) values (57, now())');
  await compare();
  expect(identity.highest.at(-1)).toBe(57);
  await pool.query('truncate known_people, erasures');
  await compare();
  expect(identity.highest.at(-1)).toBe(0);
});
