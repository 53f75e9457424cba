import { join } from 'node:path';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { processName } from '../http/status.ts';
import { readMigrations } from './migrate.ts';
import type { Queryable } from './pool.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');

/** Tables that the kit brings: `bus`, `inbox`, `leases`, `jobs`, `erasures`, `allowances`, `requests`, `moderated`. */
export const kitMigrations = (name: string): string => join(root, 'packages', 'kit', 'migrations', name);

/** The folders of migrations of a service's database, in their order. */
export const serviceMigrations = (service: string): string[] => [
  eventStoreMigrations,
  ...['inbox', 'leases', 'jobs', 'erasures', 'allowances', 'requests', 'moderated'].map(kitMigrations),
  join(root, 'services', service, 'prisma', 'migrations'),
];

/** Readiness asks several times a second. */
const KNOWN_FOR_MS = 5_000;

export class SchemaMismatch extends Error {
  override name = 'SchemaMismatch';
}

/**
 * A check of readiness: throws when a migration of this release is missing in the database, or when a newer release has applied one that breaks
 * this one (`-- Breaking: …`). Other migrations of newer releases are no obstacle.
 */
export function schemaCheck(pool: Queryable, folders = serviceMigrations(processName())): () => Promise<void> {
  let known: Promise<string[]> | undefined;
  let checked: { until: number; result: Promise<void> } | undefined;

  async function look(): Promise<void> {
    known ??= readMigrations(folders).then((migrations) => migrations.map(({ name }) => name));
    const ours = new Set(await known);
    // A database that an older release migrated last has no such column.
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
