import type { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';

/**
 * A service's typed client over its one pool, loaded when it is first asked for: it weighs 30 MB. `load` imports the file with the class
 * that Prisma generated for the service.
 */
export function lazyPrisma<Client>(
  pool: Pool,
  load: () => Promise<{ getPrismaClientClass: () => new (options: { adapter: PrismaPg }) => Client }>,
): () => Promise<Client> {
  let client: Promise<Client> | undefined;
  return () =>
    (client ??= Promise.all([load(), import('@prisma/adapter-pg')]).then(
      ([{ getPrismaClientClass }, adapters]) => new (getPrismaClientClass())({ adapter: new adapters.PrismaPg(pool) }),
    ));
}
