import type { Socket } from 'node:net';
import pg from 'pg';
import { connection, isTransientState, prepared } from '@beltway/event-store';
import { backoff } from '../../backoff.ts';
import { BusUnavailable, type BusLog } from '../bus.ts';

const pauseAfter = backoff(50, 2_000);

/**
 * One connection for everything a bus reads. It listens, and the advisory locks that give a partition to a member live and
 * die with it: a process that is gone loses its connection, and Postgres gives its partitions back at once.
 */
export interface Session {
  /** Counts connections: a lock taken under another number is lost. */
  generation(): number;
  /** Pipelined and prepared. Rejects with `BusUnavailable` while the database is away. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

interface SessionOptions {
  url: string;
  log: BusLog;
  /** How long to wait for an answer before the connection is given up. */
  waitMs: number;
  /** Makes the socket of a connection: who made it can end it even when the database hangs. */
  stream(): Socket;
  /** A topic has new messages; without a topic: look everywhere, the connection is new. */
  wake(topic?: string): void;
}

export async function openSession({ url, log, waitMs, stream, wake }: SessionOptions): Promise<Session> {
  let client: pg.Client | undefined;
  let generation = 0;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      stream,
      application_name: 'bus',
      pipeline: true,
      connectionTimeoutMillis: waitMs,
      query_timeout: waitMs,
      statement_timeout: waitMs,
      // A group's position may be lost with Postgres itself: the messages then come a second time, which every reader must
      // bear anyhow. Messages are written by another connection, which does wait for the disk.
      ...connection('-c synchronous_commit=off'),
    });
    let lost = false;
    const onLoss = (error?: Error) => {
      if (lost) return;
      lost = true;
      // Whatever went wrong with it, its locks must not outlive our use of it.
      next.end().catch(() => {});
      if (client !== next) return;
      client = undefined;
      if (closed) return;
      log.warn({ err: error }, 'bus: connection lost');
      reconnect(1);
    };
    // Without a listener an error of the socket would end the process.
    next.on('error', onLoss);
    next.on('end', () => onLoss());
    next.on('notification', ({ payload }) => wake(payload));
    try {
      await next.connect();
      await next.query('listen bus');
    } catch (error) {
      next.end().catch(() => {});
      throw error;
    }
    if (lost) throw new Error('connection lost');
    if (closed) return void next.end().catch(() => {});
    client = next;
    generation++;
    wake();
  }

  function reconnect(failures: number): void {
    retry = setTimeout(() => {
      connect().then(
        () => log.info({}, 'bus: connected again'),
        (error: unknown) => {
          log.debug({ err: error }, 'bus: still away');
          if (!closed) reconnect(failures + 1);
        },
      );
    }, pauseAfter(failures));
  }

  try {
    await connect();
  } catch (cause) {
    throw new BusUnavailable(`The bus database does not answer: ${reason(cause)}`, { cause });
  }

  return {
    generation: () => generation,
    async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      if (!client) throw new BusUnavailable('The bus database is away');
      try {
        return (await client.query<Row>(prepared(text, values))).rows;
      } catch (cause) {
        throw busUnavailable(cause, 'The bus database does not answer');
      }
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      const last = client;
      client = undefined;
      await last?.end();
    },
  };
}

export const reason = (error: unknown): string =>
  error instanceof AggregateError
    ? error.errors.map(reason).join(', ')
    : error instanceof Error
      ? error.message
      : String(error);

/** An error of the server that does not pass by itself is a mistake of ours and stays what it is; all others mean that the bus is away. */
export function busUnavailable(cause: unknown, text: string): Error {
  if (cause instanceof pg.DatabaseError && !isTransientState(cause.code ?? '')) return cause;
  return new BusUnavailable(`${text}: ${reason(cause)}`, { cause });
}
