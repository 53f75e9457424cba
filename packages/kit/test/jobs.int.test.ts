import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import express from 'express';
import { sql } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { InvariantReport } from '@beltway/contracts/ops/invariants';
import { FailedQueues } from '@beltway/contracts/ops/jobs';
import { discardJobs, failedJobs, retryJobs, showQueues } from '../src/jobs/given-up.ts';
import {
  enqueue,
  enqueueKeys,
  GiveUp,
  NotYet,
  RUNS,
  startQueue,
  type Job,
  type Queue,
  type Settled,
} from '../src/jobs/queue.ts';
import { logger } from '../src/observe/logger.ts';
import { metricsText } from '../src/observe/metrics.ts';
import { openPool, transaction } from '../src/postgres/pool.ts';
import { jobRoutes } from '../src/service/jobs.ts';
import { eventually, listen, runJobs, testDatabase } from '../src/testing/testing.ts';
import { testQueue } from './jobs-queue.ts';

const closing: Array<() => unknown> = [];
let url: string;
let pool: Pool;
beforeEach(async () => {
  const database = await testDatabase([new URL('../migrations/jobs', import.meta.url).pathname]);
  ({ url } = database);
  pool = openPool(url);
  closing.push(database.drop, () => pool.end());
  await pool.query('create table results (key text, n integer)');
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Work = (job: Job<{ n: number }>) => Promise<Settled<{ n: number }> | void>;
const log = logger('jobs', 'silent');
function start(perform: Work, more: Partial<Queue<{ n: number }>> = {}) {
  const worker = startQueue({ pool, log }, { ...testQueue, ...more }, perform);
  closing.push(worker.stop);
  return worker;
}
const add = (key: string, n = 1, more: object = {}) => enqueue(pool, testQueue, [{ key, data: { n }, ...more }]);
const jobs = async () => (await pool.query<Record<string, unknown>>('select * from jobs order by key')).rows;
/** Makes all waiting jobs due. */
const due = () => pool.query(`update jobs set run_at = now() where status = 'waiting'`);
const gate = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
};

test('a job is enqueued with its cause or not at all, and runs once', async () => {
  const ran: unknown[] = [];
  const { work } = start(async ({ key, data, attempts }) => void ran.push([key, data, attempts]));
  const failing = transaction(pool, async (tx) => {
    await enqueue(tx, testQueue, [{ key: 'lost', data: { n: 1 } }]);
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  await transaction(pool, (tx) =>
    enqueue(tx, testQueue, [
      { key: 'a', data: { n: 1 } },
      { key: 'b', data: { n: 2 } },
    ]),
  );
  await add('a', 9);
  await work();
  expect(ran).toEqual([
    ['a', { n: 1 }, 1],
    ['b', { n: 2 }, 1],
  ]);
  expect(await jobs()).toEqual([]);
});

test('a finished job keeps its key without its data, if the queue keeps finished jobs', async () => {
  let ran = 0;
  const { work } = start(async () => void ran++, { keepsDone: true });
  await add('a');
  await work();
  await add('a');
  await work();
  expect(ran).toBe(1);
  expect(await jobs()).toMatchObject([
    { key: 'a', status: 'done', data: {}, lease: null, ended_at: expect.any(Date) as Date },
  ]);
});

test('a finished job keeps its result, and continues the given trace', async () => {
  const span = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await add('a', 1, { traceparent: span });
  expect(await jobs()).toMatchObject([{ traceparent: span }]);
  await start(async () => ({ data: { n: 5 } }), { keepsDone: true }).work();
  expect(await jobs()).toMatchObject([{ status: 'done', data: { n: 5 } }]);
});

test('urgent jobs run first, and jobs that are not due do not run', async () => {
  const ran: string[] = [];
  await add('bulk 1', 1, { priority: 5 });
  await add('bulk 2', 1, { priority: 5 });
  await add('later', 1, { afterSeconds: 60 });
  await add('urgent');
  const { work } = start(async ({ key }) => void ran.push(key));
  await work();
  expect(ran).toEqual(['urgent', 'bulk 1', 'bulk 2']);
});

test('a failing job is retried after pauses and finally given up, until an operator retries it', async () => {
  let isBroken = true;
  const { work } = start(async () => {
    if (isBroken) throw new Error('no answer');
  });
  await add('a');
  for (let attempt = 1; attempt <= testQueue.maxAttempts; attempt++) {
    await work();
    const [job] = await jobs();
    expect(job).toMatchObject({ attempts: attempt, last_error: 'no answer', lease: null, data: { n: 1 } });
    if (attempt === testQueue.maxAttempts) break;
    const pause = ((job!['run_at'] as Date).getTime() - Date.now()) / 1_000;
    expect(pause).toBeGreaterThan(40);
    expect(pause).toBeLessThan(76);
    await work();
    expect((await jobs())[0]).toMatchObject({ attempts: attempt });
    await due();
  }
  await due();
  await work();
  expect(await failedJobs(pool)).toMatchObject([{ queue: 'test', key: 'a', attempts: 3, error: 'no answer' }]);
  const end = showQueues(pool);
  expect(await metricsText()).toContain('jobs_failed{queue="test"} 1');
  end();
  isBroken = false;
  expect(await retryJobs(pool, { queue: 'other' })).toBe(0);
  expect(await retryJobs(pool, { queue: 'test', keys: ['a'] })).toBe(1);
  await work();
  expect(await jobs()).toEqual([]);
  await enqueue(pool, testQueue, [{ key: 'b', data: { n: 1 } }]);
  await pool.query(`update jobs set status = 'failed', last_error = 'no answer'`);
  expect(await discardJobs(pool, { queue: 'test', keys: ['b'] })).toBe(1);
  await work();
  expect(await jobs()).toMatchObject([{ key: 'b', status: 'done', data: {}, last_error: 'no answer' }]);
});

test('a job that can never succeed is given up immediately; a premature job waits as requested', async () => {
  const { work } = start(async ({ key }) => {
    throw key === 'never' ? new GiveUp('no such address') : new NotYet('no order yet', 600);
  });
  await add('early');
  await add('never');
  await work();
  const [early, never] = await jobs();
  expect(never).toMatchObject({ status: 'failed', attempts: 1, last_error: 'no such address' });
  expect(early).toMatchObject({ status: 'waiting', last_error: 'no order yet' });
  expect((early!['run_at'] as Date).getTime() - Date.now()).toBeGreaterThan(590_000);
});

test('a job with more to do runs again with its new data, without counting a failure', async () => {
  const seen: Array<[number, number]> = [];
  const { work } = start(async ({ data: { n }, attempts }) => {
    seen.push([n, attempts]);
    return n < 3 ? { againAfter: 0, data: { n: n + 1 } } : {};
  });
  await add('pages');
  await work();
  expect(seen).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
  ]);
});

test('the result and the end of the job are one transaction', async () => {
  let fails = true;
  const { work } = start(async ({ key, data: { n } }) => ({
    write: async (tx) => {
      await tx.query('insert into results values ($1, $2)', [key, n]);
      if (fails) throw new Error('after the insert');
    },
  }));
  await add('a', 7);
  await work();
  expect([(await pool.query('select * from results')).rowCount, (await jobs())[0]!['status']]).toEqual([0, 'waiting']);
  fails = false;
  await due();
  await work();
  expect((await pool.query('select * from results')).rows).toEqual([{ key: 'a', n: 7 }]);
  expect(await jobs()).toEqual([]);
});

test('a process that lost the lease writes nothing: another process has the job, and its result counts', async () => {
  const slow = gate();
  const began = gate();
  const first = start(async ({ key }) => {
    began.open();
    await slow.opened;
    return { write: (tx) => tx.query('insert into results values ($1, 1)', [key]) };
  });
  await add('a');
  first.wake();
  await began.opened;
  await due();
  const second = start(async ({ key }) => ({ write: (tx) => tx.query('insert into results values ($1, 2)', [key]) }));
  await second.work();
  slow.open();
  await first.stop();
  expect((await pool.query('select * from results')).rows).toEqual([{ key: 'a', n: 2 }]);
  expect(await jobs()).toEqual([]);
});

test('a lease is renewed while the job runs, and the job is notified when the lease is lost', async () => {
  const lost = gate();
  const began = gate();
  const { wake } = start(
    async ({ signal }) => {
      began.open();
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      lost.open();
    },
    { leaseSeconds: 1 },
  );
  await add('a');
  wake();
  await began.opened;
  const leaseEnds = async () => (await jobs())[0]!['run_at'] as Date;
  const ends = await leaseEnds();
  await eventually(async () => (await leaseEnds()) > ends);
  await pool.query('update jobs set lease = gen_random_uuid()');
  await lost.opened;
});

test('a waiting job is due when it is enqueued again; a query can name many keys', async () => {
  const ran: string[] = [];
  const { work } = start(async ({ key }) => (ran.push(key), { againAfter: 3_600 }));
  await add('a 1');
  await work();
  await work();
  expect(ran).toEqual(['a 1']);
  await enqueueKeys(pool, testQueue, sql`select ${'a '} || n as key from generate_series(1, 2) n`);
  await work();
  expect(ran.toSorted()).toEqual(['a 1', 'a 1', 'a 2']);
});

test('a job enqueued while running runs again, not concurrently, and its first result is discarded', async () => {
  const ran: string[] = [];
  const slow = gate();
  const began = gate();
  const writes = (worker: string, n: number) => {
    ran.push(`${worker} ${n}`);
    return { write: (tx: PoolClient) => tx.query('insert into results values ($1, $2)', [worker, n]) };
  };
  const { wake, work } = start(async ({ data: { n } }) => {
    began.open();
    await slow.opened;
    return writes('first', n);
  });
  await add('a', 1);
  wake();
  await began.opened;
  await enqueue(pool, testQueue, [{ key: 'a', data: { n: 2 } }], { again: true });
  const second = start(async ({ data: { n } }) => writes('second', n));
  await second.work();
  expect(ran).toEqual([]);
  slow.open();
  await eventually(async () => (await jobs()).length === 0);
  await Promise.all([work(), second.work()]);
  expect(ran).toEqual(['first 1', expect.stringMatching(/^(first|second) 2$/)]);
  expect((await pool.query('select n from results')).rows).toEqual([{ n: 2 }]);
});

test('a job enqueued for later while running runs then', async () => {
  const { wake, work } = start(async ({ data: { n } }) => {
    if (n === 1) await enqueue(pool, testQueue, [{ key: 'a', data: { n: 2 }, afterSeconds: 600 }], { again: true });
  });
  await add('a', 1);
  wake();
  await eventually(async () => (await jobs())[0]?.['lease'] === null);
  await work();
  const [job] = await jobs();
  expect(job).toMatchObject({ data: { n: 2 }, attempts: 0, again_at: null });
  expect((job!['run_at'] as Date).getTime() - Date.now()).toBeGreaterThan(590_000);
});

const soonest = (n: number, afterSeconds: number) =>
  enqueue(pool, testQueue, [{ key: 'a', data: { n }, afterSeconds }], { again: 'soonest' });
const isDue = async () => ((await jobs())[0]!['run_at'] as Date).getTime() - Date.now() < 60_000;

test('a waiting job that is enqueued for several times runs at the soonest', async () => {
  await soonest(1, 3_600);
  expect(await isDue()).toBe(false);
  await soonest(2, 0);
  expect(await isDue()).toBe(true);
  await soonest(3, 3_600);
  expect(await isDue()).toBe(true);
  expect(await jobs()).toMatchObject([{ data: { n: 3 } }]);
});

test.each(['ends', 'fails'])('a job enqueued for later while running is due when the run %s', async (how) => {
  const { wake } = start(async ({ data: { n } }) => {
    if (n !== 1) return;
    await soonest(2, 0);
    await soonest(3, 3_600);
    if (how === 'fails') throw new Error('away');
  });
  await add('a', 1);
  wake();
  await eventually(async () => (await jobs()).length === 0);
});

test('a job enqueued after its lease expired runs again, even if the old run ends first', async () => {
  const seen: number[] = [];
  const { work } = start(async ({ data: { n } }) => {
    seen.push(n);
    if (n !== 1) return;
    await pool.query(`update jobs set run_at = now() - interval '1 second'`);
    await soonest(2, 0);
  });
  await add('a', 1);
  await work();
  expect(seen).toEqual([1, 2]);
});

test('a job enqueued unless running does not change while it runs', async () => {
  const again = async (n: number) =>
    (await enqueue(pool, testQueue, [{ key: 'a', data: { n } }], { again: true, unless: RUNS })).rowCount;
  const seen: Array<number | null> = [];
  await add('a', 1);
  expect(await again(2)).toBe(1);
  await runJobs(start(async ({ data: { n } }) => void seen.push(n, await again(9))));
  expect(seen).toEqual([2, 0]);
  expect(await jobs()).toEqual([]);
  await add('a', 1);
  await pool.query(`update jobs set lease = gen_random_uuid(), run_at = now() - interval '1 second'`);
  expect(await again(3)).toBe(1);
  expect(await jobs()).toMatchObject([{ lease: null, data: { n: 3 } }]);
});

test('a job enqueued again while running and failing starts over', async () => {
  const began = gate();
  const slow = gate();
  const attempted: number[] = [];
  const { wake, work } = start(async ({ data: { n }, attempts }) => {
    attempted.push(attempts);
    if (n === 2) return;
    began.open();
    await slow.opened;
    throw new Error('of the old data');
  });
  await add('a', 1);
  wake();
  await began.opened;
  await enqueue(pool, testQueue, [{ key: 'a', data: { n: 2 } }], { again: true });
  slow.open();
  await eventually(async () => (await jobs()).length === 0);
  await work();
  expect(attempted).toEqual([1, 1]);
});

test('a stopping process releases its jobs, without counting the attempt', async () => {
  const began = gate();
  const worker = start(async ({ signal }) => {
    began.open();
    await new Promise((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true }),
    );
  });
  await add('a');
  worker.wake();
  await began.opened;
  await worker.stop();
  expect(await jobs()).toMatchObject([{ status: 'waiting', attempts: 0, lease: null }]);
  let ran = 0;
  await start(async () => void ran++).work();
  expect(ran).toBe(1);
});

/** Starts a process that begins a job and never finishes it, then kills the process. */
async function killedWhileWorking(): Promise<void> {
  const member = spawn(process.execPath, [join(import.meta.dirname, 'jobs-member.ts'), url, '60']);
  closing.push(() => member.kill('SIGKILL'));
  await once(member.stdout, 'data');
  member.kill('SIGKILL');
  await once(member, 'exit');
}

test('a killed process keeps a job until the lease expires; a job that kills each process is given up', async () => {
  let ran = 0;
  const runDue = () => runJobs(start(async () => void ran++));
  await add('poison');
  await killedWhileWorking();
  await runDue();
  expect([ran, (await jobs())[0]!['attempts']]).toEqual([0, 1]);
  for (let more = 1; more < testQueue.maxAttempts; more++) {
    await due();
    await killedWhileWorking();
  }
  await due();
  await runDue();
  expect(ran).toBe(0);
  expect(await failedJobs(pool)).toMatchObject([{ key: 'poison', error: 'the process ended during each attempt' }]);
});

test('forty jobs on three workers run once each, within the queue’s concurrency', async () => {
  const ran: string[] = [];
  let running = 0;
  let most = 0;
  const perform: Work = async ({ key }) => {
    most = Math.max(most, ++running);
    ran.push(key);
    await pool.query('select pg_sleep(0.002)');
    running--;
  };
  await enqueue(
    pool,
    testQueue,
    Array.from({ length: 40 }, (_, n) => ({ key: `job ${n}`, data: { n } })),
  );
  await Promise.all([1, 2, 3].map(() => start(perform, { concurrency: 4 }).work()));
  await eventually(async () => (await jobs()).length === 0);
  expect([ran.length, new Set(ran).size]).toEqual([40, 40]);
  expect(most).toBeLessThanOrEqual(12);
});

test('admins list each queue’s failed jobs, oldest first, retry one or all, and discard one', async () => {
  const internalToken = 'internal-token-of-the-tests-0123456789';
  const server = createServer(express().use(express.json(), jobRoutes({ pool, internalToken })));
  const url = await listen(server);
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  const headers = { 'x-internal-token': internalToken, 'content-type': 'application/json' };
  const list = async () => FailedQueues.parse(await (await fetch(`${url}/internal/jobs`, { headers })).json()).queues;
  const settle = async (how: 'retry' | 'discard', body: object) =>
    (await (
      await fetch(`${url}/internal/jobs/${how}`, { method: 'POST', headers, body: JSON.stringify(body) })
    ).json()) as unknown;
  const retry = (body: object) => settle('retry', body);
  expect((await fetch(`${url}/internal/jobs`)).status).toBe(403);
  await pool.query(
    `insert into jobs (queue, key, status, attempts, last_error, ended_at)
     select case when n <= 25 then 'many' else 'one' end, 'job ' || n, 'failed', 3, 'no answer', now() - n * interval '1 minute'
     from generate_series(1, 26) n`,
  );
  const queues = await list();
  expect(queues.map(({ queue, failed, jobs }) => [queue, failed, jobs.length])).toEqual([
    ['many', 25, 20],
    ['one', 1, 1],
  ]);
  expect(queues[0]!.jobs.slice(0, 2)).toMatchObject([
    { key: 'job 25', attempts: 3, cause: 'no answer' },
    { key: 'job 24' },
  ]);
  expect(await retry({ queue: 'many', key: 'job 25' })).toEqual({ count: 1 });
  expect(await retry({ queue: 'many', key: 'job 25' })).toEqual({ count: 0 });
  expect(await retry({ queue: 'many' })).toEqual({ count: 24 });
  expect(await list()).toMatchObject([{ queue: 'one' }]);
  const report = (await (await fetch(`${url}/internal/invariants`, { headers })).json()) as InvariantReport;
  expect(report.checks).toEqual([{ name: 'no job was given up', ok: false, violations: 1, examples: ['one job 26'] }]);
  expect(await settle('discard', { queue: 'one', key: 'job 26' })).toEqual({ count: 1 });
  expect(await settle('discard', { queue: 'one', key: 'job 26' })).toEqual({ count: 0 });
  expect(await list()).toEqual([]);
});
