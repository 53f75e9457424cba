import type { Pool } from 'pg';
import type { PrismaClient } from './generated/prisma/client.ts';

export type Db = () => Promise<PrismaClient>;

/** The typed client over the service's one pool, loaded when it is first asked: it weighs 30 MB. */
export function lazyDb(pool: Pool): Db {
  let client: Promise<PrismaClient> | undefined;
  return () =>
    (client ??= Promise.all([import('./generated/prisma/client.ts'), import('@prisma/adapter-pg')]).then(
      ([{ PrismaClient }, { PrismaPg }]) => new PrismaClient({ adapter: new PrismaPg(pool) }),
    ));
}
