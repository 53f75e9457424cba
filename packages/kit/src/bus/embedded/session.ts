import type { Socket } from 'node:net';
import pg from 'pg';
import { connection, isTransientState, prepared } from '@beltway/event-store';
import { backoff } from '../../backoff.ts';
import { BusUnavailable, type BusLog } from '../bus.ts';

const pauseAfter = backoff(50, 2_000);

/**
 * One connection for all reads of a bus. It listens for notifications, and it holds the advisory locks that assign
 * partitions to members. When a process dies, PostgreSQL releases its partitions immediately.
 */
export interface Session {
  /** The number of the current connection. A lock acquired in an earlier generation is lost. */
  generation(): number;
  /** Runs a pipelined and prepared query. Rejects with `BusUnavailable` while the database is down. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

interface SessionOptions {
  url: string;
  log: BusLog;
  /** How long to wait for a response before the connection is closed, in ms. */
  waitMs: number;
  /**
   * Creates the socket of a connection. The bus creates the socket itself, so that the bus can close the socket even if
   * the database hangs.
   */
  stream(): Socket;
  /**
   * Called when a topic has new messages. Without a topic, all topics must be checked, because the connection is new.
   */
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
      // If PostgreSQL itself crashes, a group's last position may be lost. Then messages are redelivered, which every
      // consumer must tolerate anyway. Messages are written through another connection, which waits for the disk.
      ...connection('-c synchronous_commit=off'),
    });
    let lost = false;
    const onLoss = (error?: Error) => {
      if (lost) return;
      lost = true;
      // Ends the connection after any error, so that its locks do not outlive our use of it.
      next.end().catch(() => {});
      if (client !== next) return;
      client = undefined;
      if (closed) return;
      log.warn({ err: error }, 'bus: connection lost');
      reconnect(1);
    };
    // Without a listener, a socket error would terminate the process.
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

/**
 * Returns a permanent server error unchanged, because it is a bug in this code. Returns `BusUnavailable` for all other
 * errors, because they mean that the bus is down.
 */
export function busUnavailable(cause: unknown, text: string): Error {
  if (cause instanceof pg.DatabaseError && !isTransientState(cause.code ?? '')) return cause;
  return new BusUnavailable(`${text}: ${reason(cause)}`, { cause });
}
