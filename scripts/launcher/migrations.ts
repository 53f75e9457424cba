import { join } from 'node:path';

export { kitMigrations, serviceMigrations } from '@beltway/kit/schema-check';

/** The migrations of the card sandbox, which has its own tables and no event log. */
export const sandboxMigrations = (): string =>
  join(import.meta.dirname, '..', '..', 'packages', 'card-sandbox', 'migrations');
