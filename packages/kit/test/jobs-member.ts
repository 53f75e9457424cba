/**
 * A process that runs jobs, which the test kills. It prints each job that it starts, and never finishes a job.
 * Arguments: URL of the database, seconds of the lease.
 */
import { startQueue } from '../src/jobs/queue.ts';
import { logger } from '../src/observe/logger.ts';
import { openPool } from '../src/postgres/pool.ts';
import { testQueue } from './jobs-queue.ts';

const [url, leaseSeconds] = process.argv.slice(2);
const pool = openPool(url!);
const queue = { ...testQueue, leaseSeconds: Number(leaseSeconds) };
startQueue({ pool, log: logger('jobs', 'silent') }, queue, async ({ key }) => {
  console.log(`began ${key}`);
  await new Promise(() => {});
});
