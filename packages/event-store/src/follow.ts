import { Client } from 'pg';
import { prepared } from './prepared.ts';
import { adoptRestored } from './restored.ts';
import type { Store } from './store.ts';
import type { Fact, Place, Queries } from './types.ts';

/** A place in the log's order. Positions alone are no order: a lower one can commit after a higher one. */
export interface Cursor {
  /** The transaction that appended it (xid8). */
  tx: bigint;
  position: bigint;
}

/** An event as the log holds it. */
export type Logged = Fact & Place;

export interface FollowOptions {
  /** Checkpoint and lock go by this name: `relay`, `projection:my-table`. */
  name: string;
  /** Gets events of all streams in the log's order. The checkpoint moves after it returns; if it throws, the same events come again after a pause. */
  handle: (events: Logged[], db: Queries) => Promise<void>;
  /** Events of these types alone are handed over. Default: all. */
  types?: readonly string[];
  /** With `types`: the last event of each stream in the run is handed over too, whatever its type. It tells that the stream moved, and how far. */
  lastOfStreams?: boolean;
  /** True: rows written through `db` and the checkpoint commit in one transaction (async projections). */
  transactional?: boolean;
  batchSize?: number;
}

export interface Follower {
  /** Resolves when everything appended before the call has been handled. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

/** Before the first event. */
export const START: Cursor = { tx: 0n, position: 0n };

const cursorOf = ({ tx, position }: { tx: string | number; position: string | number }): Cursor => ({
  tx: BigInt(tx),
  position: BigInt(position),
});

export interface Reading {
  limit: number;
  /** Only events of these types are answered; the others are passed over. Default: all. */
  types?: readonly string[] | undefined;
  /** Of each stream also the last event of the run. */
  lastOfStreams?: boolean | undefined;
  /** The caller has locked the table against appends: nothing can come in between, so there is nothing to wait for. */
  appendsLocked?: boolean;
}

/** A run of the log. */
export interface Page {
  events: Logged[];
  /** Where it ends; undefined when there was nothing. */
  last: Cursor | undefined;
  /** There may be more. */
  full: boolean;
}

/** One list per column, in the log's order. */
interface Columns {
  streams: string[];
  versions: number[];
  types: string[];
  data: unknown[];
  users: Array<number | null>;
  correlations: string[];
  causations: string[];
  times: string[];
}

const COLUMNS = ['stream', 'version', 'type', 'data', 'user_id', 'correlation_id', 'causation_id', 'occurred_at'];

/** `$1` and `$2`: the place; `$3`: how many; `$4`: which types. */
function readingOf({ types, lastOfStreams, appendsLocked }: Reading): string {
  const wanted = `select stream, version from page where type = any($4::text[])
    ${lastOfStreams ? 'union select stream, max(version) from page group by stream' : ''}`;
  return `with page as materialized (
      select tx, position, ${(types ? COLUMNS.slice(0, 3) : COLUMNS).join(', ')} from events
      where (tx, position) > ($1::xid8, $2::bigint) ${appendsLocked ? '' : 'and tx < pg_snapshot_xmin(pg_current_snapshot())'}
      order by tx, position limit $3
    )
    select (select count(*)::int from page) as seen,
      (select json_build_array(tx, max(position)) from page where tx = (select max(tx) from page) group by tx) as last,
      json_agg(stream) as streams, json_agg(version) as versions, json_agg(type) as types, json_agg(data) as data, json_agg(user_id) as users,
      json_agg(correlation_id) as correlations, json_agg(causation_id) as causations, json_agg(occurred_at) as times
    from (${
      types
        ? // Whole events are fetched one by one, and only these: the page passes over far more in a rush.
          `select e.* from (${wanted}) w cross join lateral (
             select * from events where stream = w.stream and version = w.version offset 0
           ) e order by e.tx, e.position`
        : 'select * from page where $4::text[] is null'
    }) wanted`;
}

/**
 * The next events after a place, in the order (transaction, position). It stays below the oldest transaction still open
 * (`pg_snapshot_xmin`): all that comes before that is there, and nothing can come in between any more. They come as one JSON text
 * per column: taken apart row by row and value by value, a replay spent most of its time in that.
 */
export async function readLog(db: Queries, after: Cursor, reading: Reading): Promise<Page> {
  const { limit, types } = reading;
  const { rows } = await db.query<
    { seen: number; last: [string, number] | null } & { [Name in keyof Columns]: Columns[Name] | null }
  >(prepared(readingOf(reading), [String(after.tx), String(after.position), limit, types ?? null]));
  const { seen, last, streams, ...columns } = rows[0]!;
  const { versions, types: kinds, data, users, correlations, causations, times } = columns as Columns;
  return {
    events: (streams ?? []).map((stream, at) => ({
      stream,
      id: stream.slice(stream.indexOf('-') + 1),
      version: versions[at]!,
      type: kinds[at]!,
      data: data[at],
      userId: users[at]!,
      correlationId: correlations[at]!,
      causationId: causations[at]!,
      occurredAt: new Date(times[at]!),
    })),
    last: last ? cursorOf({ tx: last[0], position: last[1] }) : undefined,
    full: seen === limit,
  };
}

const IDLE_MS = 1_000;
const MAX_PAUSE_MS = 5_000;
const PACE_MS = 200;
/** How often one that does not lead looks whether it may. */
const STANDBY_MS = 1_000;

const isBehind = (a: Cursor, b: Cursor) => a.tx < b.tx || (a.tx === b.tx && a.position < b.position);

/**
 * Reads the log to its end, again and again, from a durable checkpoint. One at a time over all instances: the connection holds an
 * advisory lock, reads and moves the checkpoint, so who loses the connection has lost the lead.
 */
export function follow(
  store: Store,
  { name, handle, types, lastOfStreams, transactional = false, batchSize = 4_000 }: FollowOptions,
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

  /** Appends end the sleep of the one that leads; another, and one whose world is broken, sleeps until its time. */
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
      const { events, last, full } = await readLog(client, at, { limit: batchSize, types, lastOfStreams });
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
        at = last;
      }
      handledUpTo = at;
      pause = 50;
      waiters.forEach((check) => check());
      if (full) continue;
      // The first event after a silence goes out at once; those of a crowd together, or each would cost every reader a transaction.
      if (last) await sleep(PACE_MS, false);
      await sleep(IDLE_MS, true);
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
        } else pause = Math.min(pause, STANDBY_MS);
      } catch (error) {
        if (!stopped) store.warn(error, `following the log (${name}) broke off and starts again`);
      }
      await client.end().catch(() => undefined);
      if (!stopped) await sleep(pause, false);
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
    }
  }

  const running = run();
  return {
    caughtUp: async () => {
      const { rows } = await store.pool.query<{ tx: string; position: string }>(
        'select tx, position from events order by tx desc, position desc limit 1',
      );
      const target = rows[0] ? cursorOf(rows[0]) : START;
      if (!isBehind(handledUpTo, target)) return;
      await new Promise<void>((resolve) => {
        const check = () => {
          if (isBehind(handledUpTo, target) && !stopped) return;
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
      waiters.forEach((check) => check());
    },
  };
}
