import { kyselyFor, statementsFor } from '@beltway/kit/kysely';
import { PrismaPg } from '@prisma/adapter-pg';
import { expressionBuilder } from 'kysely';
import type { Pool } from 'pg';
import { getPrismaClientClass } from './generated/prisma/internal/class.ts';
import type { Tables } from './generated/tables.ts';

const PrismaClient = getPrismaClientClass();

/** Prisma for ordinary reads and rows, on the service's one pool. */
export const openPrisma = (pool: Pool) => new PrismaClient({ adapter: new PrismaPg(pool) });
export type Db = ReturnType<typeof openPrisma>;

/** The query builder, typed from schema.prisma, on the pool or in a transaction. */
export const kysely = kyselyFor<Tables>();

/** Statements of projections and hot paths, whose text is made once. */
export const statement = statementsFor<Tables>();

/** To make parts of statements at module load. */
export const tables = expressionBuilder<Tables>();
