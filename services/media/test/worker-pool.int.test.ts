import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Overloaded } from '@beltway/event-store';
import { eventually } from '@beltway/kit/testing';
import { photo } from '../src/image/testing.ts';
import { openImageWorkers } from '../src/workers/pool.ts';
import type { WorkerPoolOptions } from '@beltway/kit/worker-pool';
import type { ImageWorkerPool } from '../src/workers/pool.ts';

let folder: string;
let workers: ImageWorkerPool;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'beltway-workers-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => workers.close());

/** A worker that runs this code for each job. */
async function worker(body: string, options: Partial<WorkerPoolOptions> = {}) {
  const program = join(folder, `${Math.random().toString(36).slice(2)}.mjs`);
  await writeFile(
    program,
    `process.on('disconnect', () => process.exit());\nprocess.on('message', (job) => { ${body} });`,
  );
  return (workers = openImageWorkers({ program, ...options }));
}
const bytes = Buffer.alloc(1);

test('starts a process with the first job and ends it when there is nothing to do', async () => {
  workers = openImageWorkers({ idleMs: 50 });
  expect(workers.size()).toBe(0);
  await workers.develop(await photo());
  expect(workers.size()).toBe(1);
  await eventually(() => workers.size() === 0, { what: 'the end of the idle worker' });
  expect((await workers.develop(await photo())).width).toBe(200);
});

test('gives a worker none of our environment variables', async () => {
  process.env['DATABASE_URL'] ??= 'postgres://secret';
  await worker(`process.send({ failed: Object.keys(process.env).join() })`);
  await expect(workers.develop(bytes)).rejects.toThrow(/^NODE_ENV,MALLOC_ARENA_MAX,UV_THREADPOOL_SIZE,TZ/);
  await expect(workers.develop(bytes)).rejects.not.toThrow(/DATABASE_URL|TOKEN|SECRET/);
});

test('reports a picture that crashes its decoder as broken, and continues', async () => {
  await worker(`job.bytes[0] === 1 ? process.kill(process.pid, 'SIGSEGV') : process.send({ refused: 'not-an-image' })`);
  await expect(workers.develop(Buffer.alloc(1, 1))).rejects.toMatchObject({ code: 'image-broken' });
  await expect(workers.develop(Buffer.alloc(1, 2))).rejects.toMatchObject({ code: 'not-an-image' });
});

test('ends a job that hangs, and continues with the next', async () => {
  await worker(`if (job.bytes[0] === 1) for (;;); process.send({ refused: 'not-an-image' })`, {
    maxWorkers: 1,
    // Starting a process for the next job counts too.
    jobMs: 10_000,
  });
  const [hanging, next] = await Promise.allSettled([
    workers.develop(Buffer.alloc(1, 1)),
    workers.develop(Buffer.alloc(1, 2)),
  ]);
  expect(hanging).toMatchObject({ reason: { code: 'image-broken' } });
  expect(next).toMatchObject({ reason: { code: 'not-an-image' } });
});

test('a killed worker process is 503, and is not blamed on the picture', async () => {
  await worker(`process.kill(process.pid, 'SIGKILL')`);
  await expect(workers.develop(bytes)).rejects.toMatchObject({ status: 503, code: 'unavailable' });
});

test('refuses immediately when too many jobs wait', async () => {
  await worker(`setTimeout(() => process.send({ refused: 'not-an-image' }), 300)`, { maxWorkers: 1, maxQueued: 2 });
  const jobs = await Promise.allSettled([1, 2, 3, 4, 5].map(() => workers.develop(bytes)));
  expect(jobs.map((job) => job.status === 'rejected' && job.reason instanceof Overloaded)).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
});

test('ends all waiting requests when it closes', async () => {
  await worker('', { maxWorkers: 1 });
  const jobs = [workers.develop(bytes), workers.develop(bytes)];
  workers.close();
  for (const job of jobs) await expect(job).rejects.toMatchObject({ status: 503 });
  await expect(workers.develop(bytes)).rejects.toMatchObject({ status: 503 });
});
