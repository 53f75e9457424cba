import { join } from 'node:path';
import { eventStoreMigrations } from '@beltway/event-store/migrations';

const root = join(import.meta.dirname, '..', '..');

/** Tables that the kit brings: `bus`, `inbox`, `leases`, `jobs`, `erasures`, `allowances`, `requests`, `moderated`. */
export const kitMigrations = (name: string): string => join(root, 'packages', 'kit', 'migrations', name);

/** The card sandbox's own tables; it appends no events. */
export const sandboxMigrations = (): string => join(root, 'packages', 'card-sandbox', 'migrations');

/** The folders of migrations of a service's database, in their order. */
export const serviceMigrations = (service: string): string[] => [
  eventStoreMigrations,
  kitMigrations('inbox'),
  kitMigrations('leases'),
  kitMigrations('jobs'),
  kitMigrations('erasures'),
  kitMigrations('allowances'),
  kitMigrations('requests'),
  kitMigrations('moderated'),
  join(root, 'services', service, 'prisma', 'migrations'),
];
