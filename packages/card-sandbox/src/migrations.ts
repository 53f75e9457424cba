import { fileURLToPath } from 'node:url';

/** The folder of the sandbox's migrations, for `migrate` of `@beltway/kit/migrate`. */
export const sandboxMigrations: string = fileURLToPath(new URL('../migrations', import.meta.url));
