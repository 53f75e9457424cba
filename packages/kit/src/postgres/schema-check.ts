import { join } from 'node:path';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { processName } from '../http/status.ts';
import { readMigrations } from './migrate.ts';
import type { Queryable } from './pool.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');

/**
 * The folder of one of the kit's own migrations: `bus`, `inbox`, `leases`, `jobs`, `erasures`, `allowances`,
 * `requests`, `moderated`.
 */
export const kitMigrations = (name: string): string => join(root, 'packages', 'kit', 'migrations', name);

/** The migration folders of a service's database, in order. */
export const serviceMigrations = (service: string): string[] => [
  eventStoreMigrations,
  ...['inbox', 'leases', 'jobs', 'erasures', 'allowances', 'requests', 'moderated'].map(kitMigrations),
  join(root, 'services', service, 'prisma', 'migrations'),
];

/** How long a result is reused, because readiness checks run several times a second. */
const KNOWN_FOR_MS = 5_000;

export class SchemaMismatch extends Error {
  override name = 'SchemaMismatch';
}

/**
 * A readiness check. It throws if a migration of this release is missing in the database, or if a newer release has
 * applied a migration that breaks this release (`-- Breaking: …`). Other migrations of newer releases are allowed.
 */
export function schemaCheck(pool: Queryable, folders = serviceMigrations(processName())): () => Promise<void> {
  let known: Promise<string[]> | undefined;
  let checked: { until: number; result: Promise<void> } | undefined;

  async function look(): Promise<void> {
    known ??= readMigrations(folders).then((migrations) => migrations.map(({ name }) => name));
    const ours = new Set(await known);
    // Reads the column through JSON, because it is missing in a database that an older release migrated.
    const { rows } = await pool.query<{ name: string; breaking: string | null }>(
      `select name, to_jsonb(m) ->> 'breaking' as breaking from schema_migrations m order by name`,
    );
    const applied = new Set(rows.map(({ name }) => name));
    const missing = [...ours].filter((name) => !applied.has(name));
    if (missing.length > 0) throw new SchemaMismatch(`the database lacks ${missing.join(', ')}: migrate it first`);
    const [breaks] = rows.filter(({ name, breaking }) => breaking !== null && !ours.has(name));
    if (breaks)
      throw new SchemaMismatch(
        `a newer release has applied ${breaks.name}, which breaks this one (${breaks.breaking}): deploy the newer release`,
      );
  }

  return () => {
    if (checked && performance.now() < checked.until) return checked.result;
    const entry = { until: Infinity, result: look() };
    checked = entry;
    entry.result.then(
      () => (entry.until = performance.now() + KNOWN_FOR_MS),
      () => (checked = undefined),
    );
    return entry.result;
  };
}
