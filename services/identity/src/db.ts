import { kyselyFor, statementsFor } from '@beltway/kit/kysely';
import { PrismaPg } from '@prisma/adapter-pg';
import { expressionBuilder } from 'kysely';
import type { Pool } from 'pg';
import { getPrismaClientClass } from './generated/prisma/internal/class.ts';
import type { Tables } from './generated/tables.ts';

const PrismaClient = getPrismaClientClass();

/** Prisma for simple queries, on the service's one pool. */
export const openPrisma = (pool: Pool) => new PrismaClient({ adapter: new PrismaPg(pool) });
export type Db = ReturnType<typeof openPrisma>;

/** The query builder, typed from schema.prisma. It runs on the pool or in a transaction. */
export const kysely = kyselyFor<Tables>();

/** Prepared statements for projections and frequent queries. Their SQL is built once. */
export const statement = statementsFor<Tables>();

/** The query builder for parts of statements that are built at module load. */
export const tables = expressionBuilder<Tables>();
