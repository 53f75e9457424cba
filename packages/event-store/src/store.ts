import { Pool, type PoolConfig } from 'pg';
import { connection } from './connection.ts';
import { openNotices } from './notices.ts';
import { PLANS, PLANS_FOR_ARRAYS } from './plans.ts';
import { watchPeers, type Peers } from './peers.ts';

export interface StoreOptions {
  /** The service's own database. */
  url: string;
  /** Connections that append; each carries one group at a time. Default 4. */
  writers?: number;
  /** While other processes append too: how often to look whether they have gone. Default 1 s. */
  lookForPeersEveryMs?: number;
  warn?: (error: unknown, message: string) => void;
}

/** A service's event log: a pool for reading, and a few connections for appending. */
export interface Store {
  url: string;
  pool: Pool;
  writers: Pool;
  peers: Peers;
  warn: (error: unknown, message: string) => void;
  /** Called after each append; the followers of this process wake by it, those of others by NOTIFY. */
  appended: () => void;
  onAppended: (wake: () => void) => () => void;
  close(): Promise<void>;
}

const bounded = { connectionTimeoutMillis: 3_000, statement_timeout: 10_000, query_timeout: 12_000 };

export function openStore({ url, writers = 4, lookForPeersEveryMs, warn = () => undefined }: StoreOptions): Store {
  const open = ({ options = PLANS, ...config }: PoolConfig) => {
    const pool = new Pool({ connectionString: url, ...connection(options), ...bounded, ...config });
    // Without listeners a connection that breaks ends the process.
    pool.on('error', (error) => warn(error, 'an idle connection of the event store broke'));
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool;
  };
  const pool = open({ max: 4 });
  const peers = watchPeers(url, lookForPeersEveryMs);
  const appenders = open({
    max: writers,
    application_name: peers.applicationName,
    options: PLANS_FOR_ARRAYS,
    onConnect: peers.announce,
  });

  const wakes = new Set<() => void>();
  const notices = openNotices(url);

  return {
    url,
    pool,
    writers: appenders,
    peers,
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
      await Promise.all([pool.end(), appenders.end(), notices.close(), peers.close()]);
    },
  };
}
