import { Client } from 'pg';
import { connection } from '../pg/connection.ts';
import { prepared } from '../pg/prepared.ts';
import { cursorOf, readLog, START, type Cursor, type Logged } from './read.ts';
import { adoptRestored } from './restored.ts';
import type { Store } from '../store.ts';
import type { Queries } from '../types.ts';

export interface FollowOptions {
  /** Name of the checkpoint and the advisory lock: `relay`, `projection:my-table`. */
  name: string;
  /**
   * Receives events of all streams in log order. The checkpoint moves after `handle` returns. If `handle` throws, it
   * receives the same events again after a pause.
   */
  handle: (events: Logged[], db: Queries) => Promise<void>;
  /** Called after events were handled and the checkpoint moved. The rows that `handle` wrote are then visible. */
  handled?: () => void;
  /** Delivers only events stored under these types. For a renamed type, include the old name. Default: all. */
  types?: readonly string[];
  /** True: rows written through `db` and the checkpoint commit in one transaction (async projections). */
  transactional?: boolean;
  batchSize?: number;
}

export interface Follower {
  name: string;
  /** Resolves when this instance or the leader has handled everything appended before the call. */
  caughtUp(): Promise<void>;
  /** The backlog of all instances: number of events (counted up to 100,000) and age of the oldest event in seconds. */
  lag(): Promise<{ events: number; seconds: number }>;
  stop(): Promise<void>;
}

const IDLE_MS = 1_000;
const MAX_PAUSE_MS = 5_000;
const PAUSE_MS = 200;
const BUSY = 500;
const BUSY_PAUSE_MS = 400;

/**
 * Pause after a batch, in ms. Pauses lead to fewer and larger batches, because each batch costs every consumer of its
 * messages a transaction.
 */
export const pauseAfter = (events: number): number => (events < BUSY ? PAUSE_MS : BUSY_PAUSE_MS);

/** How often a standby tries to become the leader, in ms. */
const STANDBY_MS = 1_000;

/** How often `caughtUp` on a standby reads the leader's checkpoint, in ms. */
const POLL_MS = 100;

/**
 * Maximum idle time of a leader's session. After this time, PostgreSQL ends the session of a hung leader, which
 * releases the lock.
 */
const ENDED_WHEN_IDLE = '-c idle_session_timeout=20s';

const MAX_COUNTED = 100_000;

const active = new Set<Follower>();
/** The followers of this process, which its metrics report. */
export const followers = (): ReadonlySet<Follower> => active;

const isBehind = (a: Cursor, b: Cursor) => a.tx < b.tx || (a.tx === b.tx && a.position < b.position);

/**
 * Follows the log from a durable checkpoint. One instance leads at a time: the same connection holds an advisory lock,
 * reads, and moves the checkpoint. So an instance that loses the connection also loses the lead.
 */
export function follow(
  store: Store,
  { name, handle, handled, types, transactional = false, batchSize = 4_000 }: FollowOptions,
): Follower {
  let stopped = false;
  let woken = false;
  let wake: () => void = () => undefined;
  let handledUpTo: Cursor = { tx: -1n, position: -1n };
  let pause = 50;
  const waiters = new Set<() => void>();
  const rouse = () => {
    woken = true;
    wake();
  };
  const unsubscribe = store.onAppended(rouse);

  /**
   * Sleeps for `ms`. An append wakes a leader early; a standby, or an instance that reconnects after a fault, sleeps
   * for the full time.
   */
  const sleep = (ms: number, leads: boolean) =>
    new Promise<void>((resolve) => {
      if (stopped || (woken && leads)) return resolve();
      const timer = setTimeout(resolve, ms);
      wake = () => {
        if (!leads && !stopped) return;
        clearTimeout(timer);
        resolve();
      };
    });

  async function lead(client: Client): Promise<void> {
    await adoptRestored(client);
    await client.query(`insert into checkpoints (name, position) values ($1, 0) on conflict do nothing`, [name]);
    const { rows } = await client.query<{ tx: string; position: string }>(
      'select tx, position from checkpoints where name = $1',
      [name],
    );
    let at = rows[0] ? cursorOf(rows[0]) : START;
    handledUpTo = at;
    while (!stopped) {
      woken = false;
      let passed = 0;
      const { events, last, full } = await readLog(client, store.upcasts, at, {
        limit: batchSize,
        types,
      });
      if (last) {
        if (transactional && events.length > 0) await client.query('begin');
        if (events.length > 0) await handle(events, client);
        await client.query(
          prepared('update checkpoints set tx = $2, position = $3 where name = $1', [
            name,
            String(last.tx),
            String(last.position),
          ]),
        );
        if (transactional && events.length > 0) await client.query('commit');
        if (events.length > 0) handled?.();
        passed = Number(last.position - at.position);
        at = last;
      }
      handledUpTo = at;
      pause = 50;
      waiters.forEach((check) => check());
      if (full) continue;
      // Pauses so that events are handled in batches under load. After a quiet time, the first event is handled
      // immediately.
      if (last) await sleep(pauseAfter(passed), false);
      await sleep(IDLE_MS, true);
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      const client = new Client({
        connectionString: store.url,
        ...connection(ENDED_WHEN_IDLE),
        connectionTimeoutMillis: 3_000,
        query_timeout: 12_000,
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
        } else pause = Math.min(pause, STANDBY_MS);
      } catch (error) {
        if (!stopped) store.warn(error, `following the log (${name}) failed and restarts`);
      }
      await client.end().catch(() => undefined);
      if (!stopped) await sleep(pause, false);
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
    }
  }

  /** Reads the end of the log and the leader's checkpoint. */
  async function progress(): Promise<{ end: Cursor; checkpoint: Cursor }> {
    const { rows } = await store.pool.query<{ what: 'end' | 'checkpoint'; tx: string; position: string }>(
      prepared(
        `(select 'end' as what, tx, position from events order by tx desc, position desc limit 1)
         union all select 'checkpoint', tx, position from checkpoints where name = $1`,
        [name],
      ),
    );
    const of = (what: string) => rows.filter((row) => row.what === what).map(cursorOf)[0] ?? START;
    return { end: of('end'), checkpoint: of('checkpoint') };
  }

  /** Resolves when this instance has handled a batch, or after `POLL_MS`. */
  const moved = () =>
    new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        waiters.delete(done);
        resolve();
      };
      const timer = setTimeout(done, POLL_MS);
      waiters.add(done);
    });

  const running = run();
  const follower: Follower = {
    name,
    caughtUp: async () => {
      let { end: target, checkpoint } = await progress();
      while (!stopped && isBehind(handledUpTo, target) && isBehind(checkpoint, target)) {
        rouse();
        await moved();
        const now = await progress();
        checkpoint = now.checkpoint;
        // The end of the log never moves back, except when `adoptRestored` renumbers the log's events.
        if (isBehind(now.end, target)) target = now.end;
      }
    },
    lag: async () => {
      const behind = `events where (tx, position) > (at.tx, at.position)`;
      const { rows } = await store.pool.query<{ events: number; seconds: number }>(
        prepared(
          `select (select count(*)::int from (select from ${behind} limit ${MAX_COUNTED}) few) as events,
             coalesce((select greatest(extract(epoch from clock_timestamp() - occurred_at), 0)::float8 from ${behind} order by tx, position limit 1), 0) as seconds
           from (select coalesce(c.tx, '0') as tx, coalesce(c.position, 0) as position from (select) one left join checkpoints c on c.name = $1) at`,
          [name],
        ),
      );
      return rows[0]!;
    },
    stop: async () => {
      stopped = true;
      active.delete(follower);
      unsubscribe();
      rouse();
      await running;
      waiters.forEach((done) => done());
    },
  };
  active.add(follower);
  return follower;
}
