import { kyselyFor } from '@beltway/kit/kysely';
import { PrismaPg } from '@prisma/adapter-pg';
import { expressionBuilder } from 'kysely';
import type { Pool } from 'pg';
import type { PrismaClient } from './generated/prisma/client.ts';
import { getPrismaClientClass } from './generated/prisma/internal/class.ts';
import type { Tables } from './generated/tables.ts';

export type Db = PrismaClient;

/** The typed client for ordinary reads, on the service's own pool. Appends and projections use the event store. */
export const openDb = (pool: Pool): Db => new (getPrismaClientClass())({ adapter: new PrismaPg(pool) });

/** The query builder, typed from schema.prisma, on the pool or in a transaction. */
export const kysely = kyselyFor<Tables>();

/** Builds parts of statements when a module is loaded. */
export const tables = expressionBuilder<Tables>();
