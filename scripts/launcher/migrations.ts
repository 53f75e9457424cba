import { join } from 'node:path';

export { kitMigrations, serviceMigrations } from '@beltway/kit/schema-check';

/** The card sandbox's own tables; it appends no events. */
export const sandboxMigrations = (): string =>
  join(import.meta.dirname, '..', '..', 'packages', 'card-sandbox', 'migrations');
