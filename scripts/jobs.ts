import { discardJobs, failedJobs, retryJobs } from '@beltway/kit/given-up';
import { openPool } from '@beltway/kit/postgres';
import { script, withEmbedded } from './launcher/embedded.ts';
import { dataDirOf } from './launcher/settings.ts';
import { StartError } from './launcher/start-error.ts';
import { databases } from './launcher/system.ts';

/** The services that have a table `jobs`: all with a database. */
const SERVICES = ['identity', 'catalog', 'ticketing', 'payments', 'media', 'realtime'];
const ACTIONS = {
  retry: { run: retryJobs, done: 'will run again' },
  discard: { run: discardJobs, done: 'discarded' },
};
const USAGE = `Usage: npm run jobs [-- retry|discard <service> [<queue> [<key> …]]]\n  services: ${SERVICES.join(', ')}`;

/**
 * Jobs that were given up after their last attempt. Without arguments it lists them with their last error; `retry` runs them again, `discard`
 * ends them: all of a service, of a queue, or these keys. In the databases of `DATA_DIR`, or in that of one service in `DATABASE_URL`.
 */
async function work(urlOf: (service: string) => string): Promise<void> {
  const [action, service, queue = null, ...keys] = process.argv.slice(2);
  if (action !== undefined) {
    if (!Object.hasOwn(ACTIONS, action) || !SERVICES.includes(service ?? '')) throw new StartError(USAGE);
    const { run, done } = ACTIONS[action as keyof typeof ACTIONS];
    const count = await withPool(urlOf(service!), (pool) => run(pool, { queue, keys: keys.length > 0 ? keys : null }));
    console.log(`${count} ${count === 1 ? 'job' : 'jobs'} ${done}`);
    return;
  }
  const lines: string[] = [];
  for (const name of process.env['DATABASE_URL'] ? ['this service'] : SERVICES)
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
  else await withEmbedded(dataDirOf(), databases, work);
});
