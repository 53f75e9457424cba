import { Client } from 'pg';
import type { Store } from './store.ts';
import type { Fact, Place, Queries } from './types.ts';

/** An event as the log holds it, with its position. */
export type Logged = Fact & Place & { position: bigint };

export interface FollowOptions {
  /** Checkpoint and lock go by this name: `relay`, `projection:my-table`. */
  name: string;
  /** Gets events of all streams in the log's order. The checkpoint moves after it returns; if it throws, the same events come again after a pause. */
  handle: (events: Logged[], db: Queries) => Promise<void>;
  /** True: rows written through `db` and the checkpoint commit in one transaction (async projections). */
  transactional?: boolean;
  batchSize?: number;
}

export interface Follower {
  /** Resolves when everything appended before the call has been handled. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

interface LogRow {
  position: string;
  stream: string;
  version: string;
  type: string;
  data: unknown;
  user_id: number | null;
  correlation_id: string;
  causation_id: string;
  occurred_at: Date;
}

/**
 * The next events after a position. It stays below the oldest transaction still open (`pg_snapshot_xmin`): a lower position can
 * commit after a higher one, and a reader that had passed it would never see it. With `appendsLocked` the caller has locked the
 * table against appends, so there is nothing to wait for.
 */
export async function readLog(db: Queries, after: bigint, limit: number, appendsLocked = false): Promise<Logged[]> {
  const { rows } = await db.query<LogRow>(
    `select position, stream, version, type, data, user_id, correlation_id, causation_id, occurred_at from events
     where position > $1 ${appendsLocked ? '' : 'and tx < pg_snapshot_xmin(pg_current_snapshot())'} order by position limit $2`,
    [String(after), limit],
  );
  return rows.map((row) => ({
    position: BigInt(row.position),
    stream: row.stream,
    id: row.stream.slice(row.stream.indexOf('-') + 1),
    version: Number(row.version),
    type: row.type,
    data: row.data,
    userId: row.user_id,
    correlationId: row.correlation_id,
    causationId: row.causation_id,
    occurredAt: row.occurred_at,
  }));
}

const IDLE_MS = 1_000;
const MAX_PAUSE_MS = 5_000;

/**
 * Reads the log to its end, again and again, from a durable checkpoint. One at a time over all instances: the connection holds an
 * advisory lock, reads and moves the checkpoint, so who loses the connection has lost the lead.
 */
export function follow(
  store: Store,
  { name, handle, transactional = false, batchSize = 1_000 }: FollowOptions,
): Follower {
  let stopped = false;
  let woken = false;
  let wake: () => void = () => undefined;
  let handledUpTo = -1n;
  let pause = 50;
  const waiters = new Set<() => void>();
  const rouse = () => {
    woken = true;
    wake();
  };
  const unsubscribe = store.onAppended(rouse);

  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      if (stopped || (woken && ms === IDLE_MS)) return resolve();
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function lead(client: Client): Promise<void> {
    await client.query(`insert into checkpoints (name, position) values ($1, 0) on conflict do nothing`, [name]);
    const { rows } = await client.query<{ position: string }>('select position from checkpoints where name = $1', [
      name,
    ]);
    let position = BigInt(rows[0]?.position ?? 0);
    handledUpTo = position;
    while (!stopped) {
      woken = false;
      const events = await readLog(client, position, batchSize);
      const last = events.at(-1);
      if (last) {
        if (transactional) await client.query('begin');
        await handle(events, client);
        await client.query('update checkpoints set position = $2 where name = $1', [name, String(last.position)]);
        if (transactional) await client.query('commit');
        position = last.position;
      }
      handledUpTo = position;
      pause = 50;
      waiters.forEach((check) => check());
      if (events.length < batchSize && !woken) await sleep(IDLE_MS);
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      const client = new Client({
        connectionString: store.url,
        connectionTimeoutMillis: 3_000,
        query_timeout: 12_000,
        keepAlive: true,
      });
      client.on('error', () => undefined);
      client.on('notification', rouse);
      try {
        await client.connect();
        const { rows } = await client.query<{ won: boolean }>(
          'select pg_try_advisory_lock(hashtextextended($1, 1)) as won',
          [name],
        );
        if (rows[0]?.won) {
          await client.query('listen events');
          await lead(client);
        }
      } catch (error) {
        if (!stopped) store.warn(error, `following the log (${name}) broke off and starts again`);
      }
      await client.end().catch(() => undefined);
      if (!stopped) await sleep(pause);
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
    }
  }

  const running = run();
  return {
    caughtUp: async () => {
      const { rows } = await store.pool.query<{ position: string }>(
        'select coalesce(max(position), 0) as position from events',
      );
      const target = BigInt(rows[0]?.position ?? 0);
      if (handledUpTo >= target) return;
      await new Promise<void>((resolve) => {
        const check = () => {
          if (handledUpTo < target && !stopped) return;
          waiters.delete(check);
          resolve();
        };
        waiters.add(check);
        rouse();
      });
    },
    stop: async () => {
      stopped = true;
      unsubscribe();
      rouse();
      await running;
    },
  };
}
