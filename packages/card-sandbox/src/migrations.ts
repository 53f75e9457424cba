import { fileURLToPath } from 'node:url';

/** The folder with the sandbox's own tables, for `migrate` of `@beltway/kit/migrate`. */
export const sandboxMigrations: string = fileURLToPath(new URL('../migrations', import.meta.url));
