import { Pool, type PoolConfig } from 'pg';
import { connection, PLANS_FOR_ARRAYS } from './pg/connection.ts';
import { openNotices } from './log/notices.ts';
import { watchSoleWriter, type SoleWriter, type SoleWriterTimes } from './log/sole-writer.ts';
import type { Logged } from './log/read.ts';
import type { Outgoing } from './log/outgoing.ts';
import type { Upcasts } from './types.ts';

/**
 * Maps an event to messages that depend only on this event. The function must be pure, because it is called twice:
 * before an append, to reject an event whose message does not fit its schema, and again for publishing.
 */
export type ToMessages = (event: Logged) => Outgoing[];

export interface StoreOptions {
  /** The service's own database. */
  url: string;
  /** Converts old events to current shapes. Absent: no event has changed its shape. */
  upcasts?: Upcasts;
  toMessages: ToMessages;
  /** Number of appending connections; each sends the groups of one stream at a time. Default 4. */
  writers?: number;
  soleWriterTimes?: SoleWriterTimes | undefined;
  warn?: (error: unknown, message: string) => void;
}

/** A service's event log, with a pool for reading and a few connections for appending. */
export interface Store {
  url: string;
  upcasts: Upcasts;
  toMessages: ToMessages;
  pool: Pool;
  writers: Pool;
  soleWriter: SoleWriter;
  warn: (error: unknown, message: string) => void;
  /** Called after each append. Wakes the followers of this process and, through NOTIFY, of other processes. */
  appended: () => void;
  onAppended: (wake: () => void) => () => void;
  close(): Promise<void>;
}

const bounded = { connectionTimeoutMillis: 3_000, statement_timeout: 10_000, query_timeout: 12_000 };

export function openStore(options: StoreOptions): Store {
  const { url, upcasts = {}, toMessages, writers = 4, soleWriterTimes, warn = () => undefined } = options;
  const open = ({ options, ...config }: PoolConfig) => {
    const pool = new Pool({ connectionString: url, ...connection(options), ...bounded, ...config });
    // Without a listener, a broken connection would terminate the process.
    pool.on('error', (error) => warn(error, 'an idle connection of the event store broke'));
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool;
  };
  const pool = open({ max: 4 });
  const soleWriter = watchSoleWriter(url, soleWriterTimes);
  const appenders = open({
    max: writers,
    application_name: soleWriter.applicationName,
    options: PLANS_FOR_ARRAYS,
    // pg-pool awaits the promise, despite its types.
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
