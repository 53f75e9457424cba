import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { PrismaClient } from './generated/prisma/client.ts';

export type Db = PrismaClient;

/**
 * The typed client, for commands of operators: the service itself asks in SQL and saves its 30 MB
 * (docs/decisions/0032).
 */
export const openDb = (pool: Pool): Db => new PrismaClient({ adapter: new PrismaPg(pool) });
