import type { Pool } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { withLease } from '../src/postgres/lease.ts';
import { openPool } from '../src/postgres/pool.ts';
import { eventually, testDatabase } from '../src/testing/testing.ts';

const closing: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function open() {
  const { url, drop } = await testDatabase([new URL('../migrations/leases', import.meta.url).pathname]);
  const pool = openPool(url);
  closing.push(drop, () => pool.end());
  return pool;
}

const gate = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
};

test('a lease has one holder at a time, is available immediately after release, and is separate per name', async () => {
  const pool = await open();
  const { opened, open: finish } = gate();
  const started = gate();
  const job = { name: 'expire holds', ms: 60_000 };
  const first = withLease(pool, job, async () => {
    started.open();
    await opened;
  });
  await started.opened;
  let ran = 0;
  expect(await withLease(pool, job, async () => void ran++)).toBe(false);
  expect(await withLease(pool, { ...job, name: 'return canceled orders' }, async () => void ran++)).toBe(true);
  finish();
  expect(await first).toBe(true);
  expect(await withLease(pool, job, async () => void ran++)).toBe(true);
  expect(ran).toBe(2);
});

test('long work keeps its lease, and failed work releases it', async () => {
  const pool = await open();
  const job = { name: 'long', ms: 6_000 };
  const { opened, open: finish } = gate();
  const started = gate();
  let mine: (() => boolean) | undefined;
  const first = withLease(pool, job, async (held) => {
    mine = held;
    started.open();
    await opened;
    throw new Error('failed');
  });
  await started.opened;
  const sql = 'select expires_at, clock_timestamp() > $1 as has_passed from leases';
  const ends = (await pool.query<{ expires_at: Date }>(sql, [new Date()])).rows[0]!.expires_at;
  await eventually(async () => (await pool.query<{ has_passed: boolean }>(sql, [ends])).rows[0]!.has_passed);
  expect(mine?.()).toBe(true);
  expect(await withLease(pool, job, async () => undefined)).toBe(false);
  finish();
  await expect(first).rejects.toThrow('failed');
  expect(await withLease(pool, job, async () => undefined)).toBe(true);
});

test('a holder that was frozen notices the loss, and does not touch the lease of the next holder', async () => {
  const pool = await open();
  // Long enough that even a busy machine begins the work before the lease expires.
  const job = { name: 'frozen', ms: 3_000 };
  const holders = async () => (await pool.query<{ holder: string }>('select holder from leases')).rows;
  const second = gate();
  const started = gate();
  let next: Promise<unknown> | undefined;
  const first = withLease(pool, job, async (held) => {
    expect(held()).toBe(true);
    // The whole process is blocked, so no timer fires and the lease is not renewed.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, job.ms + 50);
    expect(held()).toBe(false);
    // In the database, the lease may expire a moment later.
    next = eventually(() =>
      withLease(pool, { ...job, ms: 60_000 }, async () => {
        started.open();
        await second.opened;
      }),
    );
    await started.opened;
    // By then, the timers of the first holder fire again.
    const until = performance.now() + job.ms;
    await eventually(() => performance.now() > until);
    expect(held()).toBe(false);
  });
  expect(await first).toBe(true);
  expect(await holders()).toHaveLength(1);
  second.open();
  expect(await next).toBe(true);
  expect(await holders()).toEqual([]);
});

test('a holder cut off from the database stops when its lease expires', async () => {
  const pool = await open();
  const job = { name: 'cut off', ms: 100 };
  await withLease(pool, job, async (held) => {
    await pool.query('alter table leases rename to elsewhere');
    await eventually(() => !held());
    await pool.query('alter table elsewhere rename to leases');
    await eventually(() => withLease(pool, job, async () => undefined)); // expires in the database a moment later
  });
});

test('a renewal that is answered after the lease expired does not restore it', async () => {
  const pool = await open();
  const job = { name: 'late answer', ms: 6_000 };
  const [renewed, ended] = [gate(), gate()];
  const slow = {
    query: async (sql: string, values: unknown[]) => {
      const result = await pool.query(sql, values);
      if (sql.startsWith('update leases')) {
        renewed.open();
        await ended.opened;
      }
      return result;
    },
  } as unknown as Pool;
  await withLease(slow, job, async (held) => {
    await renewed.opened;
    await eventually(() => !held());
    ended.open();
    await eventually(() => withLease(pool, job, async () => undefined));
    expect(held()).toBe(false);
  });
});
