import { kyselyFor } from '@beltway/kit/kysely';
import { lazyPrisma } from '@beltway/kit/lazy-prisma';
import type { Pool } from 'pg';
import type { PrismaClient } from './generated/prisma/client.ts';
import type { Tables } from './generated/tables.ts';

export type Db = () => Promise<PrismaClient>;

export const lazyDb = (pool: Pool): Db => lazyPrisma(pool, () => import('./generated/prisma/internal/class.ts'));

/** The query builder, typed from schema.prisma, on the pool or in a transaction. */
export const kysely = kyselyFor<Tables>();
