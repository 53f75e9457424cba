import { discardJobs, failedJobs, retryJobs } from '@beltway/kit/given-up';
import { openPool } from '@beltway/kit/postgres';
import { onDataFolder, script, serviceOfImage } from './launcher/script.ts';
import { StartError } from './launcher/start-error.ts';

/** The services that have a table `jobs`: all with a database. */
const SERVICES = ['identity', 'catalog', 'ticketing', 'payments', 'media', 'realtime'];
const ACTIONS = {
  retry: { run: retryJobs, done: 'will run again' },
  discard: { run: discardJobs, done: 'discarded' },
};
const USAGE = `Usage: npm run jobs [-- list <service> | retry|discard <service> [<queue> [<key> …]]]
  services: ${SERVICES.join(', ')}`;

/**
 * Lists, retries and discards jobs that failed their last attempt. `list` prints the jobs of a service with their last
 * error; without arguments, it prints the jobs of all services. `retry` runs jobs again and `discard` discards jobs:
 * all jobs of a service, all jobs of a queue, or the jobs with the given keys. Uses the databases of `DATA_DIR`, or the
 * database of `DATABASE_URL`, as in the container of a service.
 */
async function work(urlOf: (service: string) => string): Promise<void> {
  const [action, service, queue = null, ...keys] = process.argv.slice(2);
  const isList = action === undefined || action === 'list';
  const named = action !== undefined;
  if (named && ((!isList && !Object.hasOwn(ACTIONS, action)) || !SERVICES.includes(service ?? '')))
    throw new StartError(USAGE);
  const image = serviceOfImage();
  if (named && image && image !== service)
    throw new StartError(`This is the container of ${image}: its database has no jobs of ${service}`);
  if (!isList) {
    const { run, done } = ACTIONS[action as keyof typeof ACTIONS];
    const count = await withPool(urlOf(service!), (pool) => run(pool, { queue, keys: keys.length > 0 ? keys : null }));
    console.log(`${count} ${count === 1 ? 'job' : 'jobs'} ${done}`);
    return;
  }
  const lines: string[] = [];
  const all = process.env['DATABASE_URL'] ? [image ?? 'this service'] : SERVICES;
  for (const name of service === undefined ? all : [service])
    for (const job of await withPool(urlOf(name), (pool) => failedJobs(pool)))
      lines.push([name, job.queue, job.key, job.failedAt.toISOString(), job.error].join('  '));
  console.log(lines.length === 0 ? 'No job was given up.' : lines.join('\n'));
}

async function withPool<T>(url: string, use: (pool: ReturnType<typeof openPool>) => Promise<T>): Promise<T> {
  const pool = openPool(url, { max: 1 });
  try {
    return await use(pool);
  } finally {
    await pool.end();
  }
}

await script(async () => {
  const outside = process.env['DATABASE_URL'];
  if (outside) await work(() => outside);
  else await onDataFolder('DATABASE_URL', work);
});
