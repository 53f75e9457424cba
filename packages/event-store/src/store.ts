import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { watchPeers, type Peers } from './peers.ts';
import type { Place, Statements } from './types.ts';

export interface StoreOptions {
  /** The service's own database. */
  url: string;
  /** Connections that append; each carries one group at a time. Default 4. */
  writers?: number;
  warn?: (error: unknown, message: string) => void;
}

/** A service's event log: a pool for reading, and a few pipelined connections for appending. */
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

const bounded = { connectionTimeoutMillis: 3_000, statement_timeout: 10_000, query_timeout: 12_000, keepAlive: true };

export function openStore({ url, writers = 4, warn = () => undefined }: StoreOptions): Store {
  const open = (config: PoolConfig & { pipeline?: boolean }) => {
    const pool = new Pool({ connectionString: url, ...bounded, ...config });
    // Without listeners a connection that breaks ends the process.
    pool.on('error', (error) => warn(error, 'an idle connection of the event store broke'));
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool;
  };
  const pool = open({ max: 4 });
  // pg's pipeline mode sends begin, append, projections and commit without waiting in between: one round trip.
  const peers = watchPeers(url);
  const appenders = open({ max: writers, pipeline: true, application_name: peers.applicationName });

  const wakes = new Set<() => void>();
  let notifying = false;
  let again = false;
  const notify = () => {
    if (notifying) return void (again = true);
    notifying = true;
    pool
      .query(`select pg_notify('events', '')`)
      .catch(() => undefined) // followers also look by themselves now and then
      .finally(() => {
        notifying = false;
        if (again) {
          again = false;
          notify();
        }
      });
  };

  return {
    url,
    pool,
    writers: appenders,
    peers,
    warn,
    appended: () => {
      wakes.forEach((wake) => wake());
      notify();
    },
    onAppended: (wake) => {
      wakes.add(wake);
      return () => wakes.delete(wake);
    },
    close: async () => {
      await Promise.all([pool.end(), appenders.end(), peers.close()]);
    },
  };
}

/** An event about to be appended. `command` stands on the first event of its command. */
export interface Row extends Place {
  type: string;
  data: unknown;
  command?: { id: string; size: number; fingerprint: string | null };
}

const INSERT = `
  insert into events (stream, version, type, data, command_id, command_size, fingerprint, user_id, correlation_id, causation_id, occurred_at)
  select $1, v, t, d::json, c, s, f, u, o, a, $2
  from unnest($3::bigint[], $4::text[], $5::text[], $6::uuid[], $7::smallint[], $8::text[], $9::int[], $10::text[], $11::text[])
    as r (v, t, d, c, s, f, u, o, a)`;

const statementNames = new Map<string, string>();
/** One prepared statement per text and connection. */
const named = (text: string): string => {
  const name = statementNames.get(text) ?? `es_${statementNames.size + 1}`;
  statementNames.set(text, name);
  return name;
};

/**
 * Appends `rows` of one stream with the statements of its projections: all or nothing. The primary key fences a stale writer.
 * With `begun` the caller has opened the transaction on this client before.
 */
export async function append(
  client: PoolClient,
  rows: Row[],
  project: (sql: Statements) => void,
  begun: boolean,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const sent: Promise<{ command?: string }>[] = [];
  const send = (text: string, values: unknown[]) => sent.push(client.query({ name: named(text), text, values }));

  if (!begun) sent.push(client.query('begin'));
  send(INSERT, [
    first.stream,
    first.occurredAt,
    rows.map((row) => row.version),
    rows.map((row) => row.type),
    rows.map((row) => JSON.stringify(row.data)),
    rows.map((row) => row.command?.id ?? null),
    rows.map((row) => row.command?.size ?? null),
    rows.map((row) => row.command?.fingerprint ?? null),
    rows.map((row) => row.userId),
    rows.map((row) => row.correlationId),
    rows.map((row) => row.causationId),
  ]);
  try {
    project({ query: (text, values = []) => send(text, values) });
  } catch (error) {
    sent.push(client.query('rollback'));
    await Promise.allSettled(sent);
    throw error;
  }
  sent.push(client.query('commit'));

  const outcomes = await Promise.allSettled(sent);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}
