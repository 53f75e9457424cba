import { Pool, type PoolConfig } from 'pg';
import { connection, PLANS_FOR_ARRAYS } from './pg/connection.ts';
import { openNotices } from './log/notices.ts';
import { watchSoleWriter, type SoleWriter } from './log/sole-writer.ts';
import type { Logged } from './log/read.ts';
import type { Outgoing } from './log/outgoing.ts';
import type { Upcasts } from './types.ts';

/**
 * Maps an event to the messages that follow from the event alone. Pure: called before an event is appended, so that no event is stored whose
 * message does not fit its schema, and again when it is published.
 */
export type ToMessages = (event: Logged) => Outgoing[];

export interface StoreOptions {
  /** The service's own database. */
  url: string;
  /** How old events are read as today's. Missing: no event has changed its shape. */
  upcasts?: Upcasts;
  toMessages: ToMessages;
  /** Connections that append; each carries one group at a time. Default 4. */
  writers?: number;
  /** While other processes append too: how often to look whether they have ended. Default 1 s. */
  lookForWritersEveryMs?: number;
  warn?: (error: unknown, message: string) => void;
}

/** A service's event log: a pool for reading, and a few connections for appending. */
export interface Store {
  url: string;
  upcasts: Upcasts;
  toMessages: ToMessages;
  pool: Pool;
  writers: Pool;
  soleWriter: SoleWriter;
  warn: (error: unknown, message: string) => void;
  /** Called after each append: wakes the followers of this process, and by NOTIFY those of others. */
  appended: () => void;
  onAppended: (wake: () => void) => () => void;
  close(): Promise<void>;
}

const bounded = { connectionTimeoutMillis: 3_000, statement_timeout: 10_000, query_timeout: 12_000 };

export function openStore(options: StoreOptions): Store {
  const { url, upcasts = {}, toMessages, writers = 4, lookForWritersEveryMs, warn = () => undefined } = options;
  const open = ({ options, ...config }: PoolConfig) => {
    const pool = new Pool({ connectionString: url, ...connection(options), ...bounded, ...config });
    // Without listeners a connection that breaks ends the process.
    pool.on('error', (error) => warn(error, 'an idle connection of the event store broke'));
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool;
  };
  const pool = open({ max: 4 });
  const soleWriter = watchSoleWriter(url, lookForWritersEveryMs);
  const appenders = open({
    max: writers,
    application_name: soleWriter.applicationName,
    options: PLANS_FOR_ARRAYS,
    // pg-pool waits for the promise; its types do not say so.
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: soleWriter.announce,
  });

  const wakes = new Set<() => void>();
  const notices = openNotices(url);

  return {
    url,
    upcasts,
    toMessages,
    pool,
    writers: appenders,
    soleWriter,
    warn,
    appended: () => {
      wakes.forEach((wake) => wake());
      notices.tell();
    },
    onAppended: (wake) => {
      wakes.add(wake);
      return () => wakes.delete(wake);
    },
    close: async () => {
      await Promise.all([pool.end(), appenders.end(), notices.close(), soleWriter.close()]);
    },
  };
}
