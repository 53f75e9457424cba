import { fileURLToPath } from 'node:url';

/** The folder with the store's own tables, for `migrate` of `@beltway/kit/migrate`; it comes before a service's own folder. */
export const eventStoreMigrations: string = fileURLToPath(new URL('../migrations', import.meta.url));
