import { Pool } from 'pg';
import { connection } from '../pg/connection.ts';

/** Wakes followers in other processes after an append. */
export interface Notices {
  /**
   * Sends a notice immediately, but at most one per `PAUSE_MS`. Calls during a pause are combined into one notice at
   * the end of the pause.
   */
  tell(): void;
  close(): Promise<void>;
}

const PAUSE_MS = 20;

/**
 * Uses its own connection with asynchronous commit, because each notice is a transaction: at a hundred notices per
 * second, the log's commits would queue behind the fsyncs of the notices. A lost notice delays followers by at most a
 * second, because they also poll.
 */
export function openNotices(url: string): Notices {
  const pool = new Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: 3_000,
    query_timeout: 5_000,
    ...connection('-c synchronous_commit=off'),
  });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  let closed = false;

  const tell = () => {
    if (closed) return;
    if (timer) return void (again = true);
    timer = setTimeout(() => {
      timer = undefined;
      if (!again) return;
      again = false;
      tell();
    }, PAUSE_MS);
    pool.query({ name: 'notice', text: `select pg_notify('events', '')` }).catch(() => undefined);
  };

  return {
    tell,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await pool.end();
    },
  };
}
