import { Client } from 'pg';
import { cpuSeconds } from './cpu.ts';
import type { Running } from './system.ts';

/** Usage of the system so far. */
interface Used {
  /** CPU seconds of each process of the launcher. PostgreSQL includes all its backends. */
  cpu: Map<string, number>;
  walBytes: number;
  /** Bytes of each database. */
  stored: Map<string, number>;
  /** Transactions of each database, including those that only read. */
  commits: Map<string, number>;
}

async function used({ processes, adminUrl }: Pick<Running, 'processes' | 'adminUrl'>): Promise<Used> {
  const client = new Client({ connectionString: adminUrl('postgres') });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string; bytes: number; commits: number; wal: number }>(
      `select datname, pg_database_size(datname)::float8 as bytes, xact_commit::float8 as commits,
         pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal
       from pg_stat_database where datname is not null`,
    );
    return {
      cpu: new Map(processes().map(({ service, pid }) => [service, cpuSeconds(pid)])),
      walBytes: rows[0]!.wal,
      stored: new Map(rows.map(({ datname, bytes }) => [datname, bytes])),
      commits: new Map(rows.map(({ datname, commits }) => [datname, commits])),
    };
  } finally {
    await client.end();
  }
}

/**
 * Cost of one operation: CPU milliseconds of each process, KB (1,000 bytes) of WAL, KB stored in each database
 * including indexes, and transactions (those that only read included) of each database and of all.
 */
export interface Costs {
  cpuMs: Record<string, number>;
  walKb: number;
  storedKb: Record<string, number>;
  commitsOf: Record<string, number>;
  commits: number;
}

const sum = (counts: Map<string, number>): number => [...counts.values()].reduce((all, one) => all + one, 0);

/**
 * Starts counting. The returned function takes the number of operations since then, and returns the cost of one
 * operation.
 */
export async function countCosts(running: Running): Promise<(count: number) => Promise<Costs>> {
  const before = await used(running);
  return async (count) => {
    const after = await used(running);
    const each = (more: number, digits: number) => Number((more / count).toFixed(digits));
    const parts = (one: keyof Pick<Used, 'cpu' | 'stored' | 'commits'>, factor: number, digits: number) =>
      Object.fromEntries(
        [...after[one]]
          .map(([name, value]) => [name, each((value - (before[one].get(name) ?? 0)) * factor, digits)] as const)
          .filter(([, value]) => value > 0),
      );
    return {
      cpuMs: parts('cpu', 1_000, 3),
      walKb: each((after.walBytes - before.walBytes) / 1_000, 1),
      storedKb: parts('stored', 1 / 1_000, 1),
      commitsOf: parts('commits', 1, 2),
      commits: each(sum(after.commits) - sum(before.commits), 1),
    };
  };
}
