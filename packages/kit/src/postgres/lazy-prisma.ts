import type { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';

/**
 * A service's typed client on its pool. It is loaded on first use, because it takes 30 MB of memory. `load` imports the
 * file with the service's generated Prisma class.
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
