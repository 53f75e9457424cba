import { fileURLToPath } from 'node:url';

/**
 * The folder with the migrations of the store's own tables, for `migrate` of `@beltway/kit/migrate`. It must come
 * before the service's own folder.
 */
export const eventStoreMigrations: string = fileURLToPath(new URL('../migrations', import.meta.url));
