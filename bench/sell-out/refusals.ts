import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { httpLoad, type HttpFigures } from '../support/http-load.ts';

/** PostgreSQL's counters are written by each connection about once a second, and when it has been idle. */
const FLUSH_MS = 2_500;

/** Transactions in this database so far, but for our own look. */
async function transactions(database: Client): Promise<number> {
  await pause(FLUSH_MS);
  const { rows } = await database.query<{ n: string }>(
    'select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]!.n);
}

export interface Refusals extends HttpFigures {
  refused: number;
  /** Transactions of the database beyond those that it has without any request in as long a time. */
  extra: number;
}

/** Asks a sold out sale for tickets, and counts what the database had to do for it. */
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

/** Timers beat a little more or less often in one span than in another; a query per refusal, or per hundred, is not that. */
export const touched = ({ refused, extra }: Refusals): boolean => extra > Math.max(20, refused / 200);
