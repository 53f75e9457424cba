import { tryPostgres } from '@beltway/kit/engines/postgres';
import { withoutSecrets } from '@beltway/kit/logger';
import { migrate } from '@beltway/kit/migrate';
import { sandboxMigrations, serviceMigrations } from '../launcher/migrations.ts';

/**
 * Migrates the database of `DATABASE_URL` for the service `BELTWAY_SERVICE`. Idempotent, and safe to run concurrently.
 */
try {
  const { BELTWAY_SERVICE: service, DATABASE_URL: url } = process.env;
  if (!service || !url) throw new Error('Cannot migrate: BELTWAY_SERVICE and DATABASE_URL must be set');
  const finding = await tryPostgres('DATABASE_URL', url);
  if (finding.state !== 'answers') throw new Error(`Cannot migrate: DATABASE_URL: ${finding.why}`);
  const folders = service === 'card-sandbox' ? [sandboxMigrations()] : serviceMigrations(service);
  const applied = await migrate(url, folders);
  console.log(`${service}: ${applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`}`);
} catch (error) {
  console.error(withoutSecrets((error as Error).message));
  process.exitCode = 1;
}
