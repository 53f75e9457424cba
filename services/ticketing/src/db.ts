import { PrismaPg } from '@prisma/adapter-pg';
import { connection } from '@beltway/event-store';
import { PrismaClient } from './generated/prisma/client.ts';

export type Db = PrismaClient;

/** The typed client for ordinary reads; appends and projections go through the event store. */
export const openDb = (url: string): Db =>
  new PrismaClient({
    adapter: new PrismaPg({
      connectionString: url,
      ...connection(),
      max: 4,
      connectionTimeoutMillis: 3_000,
      statement_timeout: 10_000,
    }),
  });
