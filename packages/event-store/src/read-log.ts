import { prepared } from './prepared.ts';
import type { Fact, Place, Queries } from './types.ts';

/** A place in the log's order. Positions alone are no order: a lower one can commit after a higher one. */
export interface Cursor {
  /** The transaction that appended it (xid8). */
  tx: bigint;
  position: bigint;
}

/** An event as the log holds it. */
export type Logged = Fact & Place;

/** Before the first event. */
export const START: Cursor = { tx: 0n, position: 0n };

export const cursorOf = ({ tx, position }: { tx: string | number; position: string | number }): Cursor => ({
  tx: BigInt(tx),
  position: BigInt(position),
});

export interface Reading {
  limit: number;
  /** Only events of these types are answered; the others are passed over. Default: all. */
  types?: readonly string[] | undefined;
  /** Of each stream also the last event of the run. */
  lastOfStreams?: boolean | undefined;
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
function readingOf({ types, lastOfStreams }: Reading): string {
  const wanted = `select stream, version from page where type = any($4::text[])
    ${lastOfStreams ? 'union select stream, max(version) from page group by stream' : ''}`;
  return `with page as materialized (
      select tx, position, ${(types ? COLUMNS.slice(0, 3) : COLUMNS).join(', ')} from events
      where (tx, position) > ($1::xid8, $2::bigint) and tx < pg_snapshot_xmin(pg_current_snapshot())
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
