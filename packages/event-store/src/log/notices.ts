import { Pool } from 'pg';
import { connection } from '../pg/connection.ts';

/** Tells followers in other processes that there is something to read. */
export interface Notices {
  /** At once, then at most every `PAUSE_MS`: what comes in between is announced at the end of the pause. */
  tell(): void;
  close(): Promise<void>;
}

const PAUSE_MS = 20;

/**
 * On a connection of its own, without waiting for the disk: a notice is a transaction, and with a hundred of them a second the log's own
 * commits would queue behind their fsyncs. One that is lost costs a second: followers also look by themselves.
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
