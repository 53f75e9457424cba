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

/**
 * Opens the service's pool, which is closed when the service stops. `/metrics` exports the job queues in its database.
 * `plans`: planner settings for its statements (`openPool`).
 */
export function servicePool({ config, log, onStop }: Opening<{ DATABASE_URL: string }>, plans?: string): Pool {
  const pool = openPool(config.DATABASE_URL, { log, ...(plans !== undefined && { options: plans }) });
  onStop(showQueues(pool), () => pool.end());
  return pool;
}

/** Opens the service's event log, which is closed when the service stops. */
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

/**
 * Opens the configured bus and creates these topics. The bus is closed when the service stops. A starting service waits
 * while the bus is down.
 */
export async function serviceBus(
  { config, log, onStop }: Opening<Parameters<typeof openBus>[0]>,
  topics: string[],
): Promise<Bus> {
  const bus = await openBus(config, log);
  onStop(() => bus.close());
  await bus.ensureTopics(topics);
  return bus;
}

/** Opens Redis if it is configured. The connection is closed when the service stops. */
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

/** Opens the configured bucket or folder. It is closed when the service stops. */
export async function serviceObjects({ config, onStop }: Opening<ObjectsConfig>): Promise<Objects> {
  if (!config.S3_URL) return folderObjects(join(config.DATA_DIR!, 'objects'));
  const { s3Objects } = await import('../objects/s3.ts');
  const objects = s3Objects(s3Options(config));
  onStop(() => objects.close());
  return objects;
}

/**
 * The instances of a service (another service or this service) at these base URLs. The instances are probed until the
 * service stops. Resolves once DNS has been queried.
 */
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

/** Readiness checks of a service's database: it responds and its schema is usable. */
export const databaseChecks = (pool: Pick<Pool, 'query'>): Checks => ({
  database: () => pool.query('select 1'),
  // An app that a test creates is not a service, and its database has only the tables that the test needs.
  ...(processName() !== 'unknown' && { schema: schemaCheck(pool) }),
});

/**
 * Readiness checks of a service: its database, the bus, which may be down for a while, and that revoked sessions are
 * loaded.
 */
export const readiness = (pool: Pick<Pool, 'query'>, bus: Bus, auth?: { ready(): boolean }): Checks => ({
  ...databaseChecks(pool),
  bus: canWait(() => bus.healthy()),
  ...(auth && { sessions: () => auth.ready() }),
});
