import { join } from 'node:path';
import { openStore, type Store, type ToMessages } from '@beltway/event-store';
import type { Pool } from 'pg';
import { showQueues } from '../jobs/given-up.ts';
import type { Bus } from '../bus/bus.ts';
import { openBus } from '../bus/open.ts';
import { readCaFile } from '../engines/ca-file.ts';
import { canWait, type Checks } from '../http/health.ts';
import { processName } from '../http/status.ts';
import { instances, type Instances } from '../http/instances/instances.ts';
import { folderObjects } from '../objects/folder.ts';
import type { Objects } from '../objects/objects.ts';
import { s3Options, type ObjectsConfig } from '../objects/settings.ts';
import { openPool } from '../postgres/pool.ts';
import { watchPool } from '../postgres/pool-metrics.ts';
import { schemaCheck } from '../postgres/schema-check.ts';
import { openRedis, type Redis } from '../redis.ts';
import type { Service } from './service.ts';

type Opening<Settings> = Pick<Service<Settings>, 'config' | 'log' | 'onStop'>;

/** The service's pool, closed at its stop; `/metrics` shows the queues in its database. `plans`: how PostgreSQL plans its statements (`openPool`). */
export function servicePool({ config, log, onStop }: Opening<{ DATABASE_URL: string }>, plans?: string): Pool {
  const pool = openPool(config.DATABASE_URL, { log, ...(plans !== undefined && { options: plans }) });
  onStop(showQueues(pool), () => pool.end());
  return pool;
}

/** The service's log of events, closed at its stop. */
export function serviceStore(
  { config, log, onStop }: Opening<{ DATABASE_URL: string }>,
  toMessages: ToMessages,
): Store {
  const warn = (err: unknown, message: string) => log.warn({ err }, message);
  const store = openStore({ url: config.DATABASE_URL, toMessages, warn });
  watchPool(store.pool, 'event-store');
  watchPool(store.writers, 'event-store-writers');
  onStop(() => store.close());
  return store;
}

/** The bus that the configuration names, with these topics, closed at the service's stop. While it is away the start waits. */
export async function serviceBus(
  { config, log, onStop }: Opening<Parameters<typeof openBus>[0]>,
  topics: string[],
): Promise<Bus> {
  const bus = await openBus(config, log);
  onStop(() => bus.close());
  await bus.ensureTopics(topics);
  return bus;
}

/** Redis where the configuration names one, closed at the service's stop. */
export async function serviceRedis({
  config: { REDIS_URL: url, REDIS_CA_FILE: caFile },
  log,
  onStop,
}: Opening<{ REDIS_URL?: string | undefined; REDIS_CA_FILE?: string | undefined }>): Promise<Redis | undefined> {
  if (!url) return undefined;
  const redis = await openRedis({ url, ca: readCaFile('REDIS_CA_FILE', caFile), log });
  onStop(() => redis.close());
  return redis;
}

/** The bucket or the folder that the configuration names, until the service's stop. */
export async function serviceObjects({ config, onStop }: Opening<ObjectsConfig>): Promise<Objects> {
  if (!config.S3_URL) return folderObjects(join(config.DATA_DIR!, 'objects'));
  // Only where it is used.
  const { s3Objects } = await import('../objects/s3.ts');
  const objects = s3Objects(s3Options(config));
  onStop(() => objects.close());
  return objects;
}

/** The instances of another service, or of this one, at these base URLs; watched until the service's stop. Those that DNS names are known. */
export async function serviceInstances(
  { log, onStop }: Pick<Opening<unknown>, 'log' | 'onStop'>,
  service: string,
  urls: readonly string[],
): Promise<Instances> {
  const found = instances({ service, urls, log });
  onStop(found);
  await found.started;
  return found;
}

/** What must answer for a service to be ready: its database, with a schema that it can use. */
export const databaseChecks = (pool: Pick<Pool, 'query'>): Checks => ({
  database: () => pool.query('select 1'),
  // An app that a test builds is no service, and its database has only what the test needs.
  ...(processName() !== 'unknown' && { schema: schemaCheck(pool) }),
});

/** Also that it knows which sessions ended; with the bus away it works on. */
export const readiness = (pool: Pick<Pool, 'query'>, bus: Bus, auth?: { ready(): boolean }): Checks => ({
  ...databaseChecks(pool),
  bus: canWait(() => bus.healthy()),
  ...(auth && { sessions: () => auth.ready() }),
});
