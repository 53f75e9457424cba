import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { httpLoad, type HttpFigures } from '../support/http-load.ts';

/** Each PostgreSQL connection writes its counters about once a second, and when it becomes idle. */
const FLUSH_MS = 2_500;

/** Number of transactions in this database so far, not counting this query. */
async function transactions(database: Client): Promise<number> {
  await pause(FLUSH_MS);
  const { rows } = await database.query<{ n: string }>(
    'select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]!.n);
}

export interface Refusals extends HttpFigures {
  refused: number;
  /** Transactions in excess of what an idle system runs in the same time. */
  extra: number;
}

/** Requests tickets of a sold-out sale, and counts the database's transactions. */
export async function refusals(
  database: Client,
  load: { port: number; connections: number; seconds: number; next: () => string },
): Promise<Refusals> {
  await transactions(database);
  const from = await transactions(database);
  await pause(load.seconds * 1_000);
  const idle = (await transactions(database)) - from;
  const before = from + idle;
  const figures = await httpLoad({ ...load, counts: ({ status }) => status === 409 });
  const busy = (await transactions(database)) - before;
  return { ...figures, refused: figures.counted, extra: Math.max(busy - idle, 0) };
}

/**
 * Whether refusals caused queries. The tolerance covers background timers; one query per hundred refusals exceeds it.
 */
export const touched = ({ refused, extra }: Refusals): boolean => extra > Math.max(20, refused / 200);
