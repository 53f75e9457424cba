import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/prisma/client.ts';

export type Db = PrismaClient;

/** The typed client for ordinary reads; appends and projections go through the event store. */
export const openDb = (url: string): Db =>
  new PrismaClient({
    adapter: new PrismaPg({ connectionString: url, max: 4, connectionTimeoutMillis: 3_000, statement_timeout: 10_000 }),
  });
