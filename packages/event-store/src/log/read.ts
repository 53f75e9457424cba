import { escapeLiteral } from 'pg';
import { isTracing } from '@beltway/tracing';
import { prepared } from '../pg/prepared.ts';
import type { Fact, Place, Queries, Upcasts } from '../types.ts';
import { idOf, upcastEvent } from './upcast.ts';

/**
 * A position in the log's order. `position` alone does not define the order, because an event with a lower position can
 * commit after an event with a higher position.
 */
export interface Cursor {
  /** The transaction that appended the event (xid8). */
  tx: bigint;
  position: bigint;
}

/** An event of the log. */
export type Logged = Fact & Place;

/** The cursor before the first event. */
export const START: Cursor = { tx: 0n, position: 0n };

export const cursorOf = ({ tx, position }: { tx: string | number; position: string | number }): Cursor => ({
  tx: BigInt(tx),
  position: BigInt(position),
});

export interface Reading {
  limit: number;
  /** Returns only events stored under these types. Default: all. */
  types?: readonly string[] | undefined;
}

/** One page of the log. */
export interface LogBatch {
  events: Logged[];
  /** The cursor at the end of the page; undefined if the page is empty. */
  last: Cursor | undefined;
  /** True if there may be more events. */
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
  /** Read only while tracing is on. */
  traceparents?: Array<string | null>;
}

const COLUMNS = 'stream, version, type, data, user_id, correlation_id, causation_id, occurred_at, traceparent';

const AFTER = '(tx, position) > ($1::xid8, $2::bigint) and tx < pg_snapshot_xmin(pg_current_snapshot())';
const ANSWER = `json_agg(stream) as streams, json_agg(version) as versions, json_agg(type) as types, json_agg(data) as data, json_agg(user_id) as users,
  json_agg(correlation_id) as correlations, json_agg(causation_id) as causations, json_agg(occurred_at) as times`;
const TRACED_ANSWER = `${ANSWER}, json_agg(traceparent) as traceparents`;

/** `$1` and `$2`: the cursor; `$3`: the limit. */
const every = (answer: string): string => `with page as materialized (
    select tx, position, ${COLUMNS} from events where ${AFTER} order by tx, position limit $3
  )
  select (select count(*) = $3 from page) as full,
    (select json_build_array(tx, max(position)) from page where tx = (select max(tx) from page) group by tx) as last, ${answer}
  from page`;
const EVERY = every(ANSWER);
const EVERY_TRACED = every(TRACED_ANSWER);

/**
 * Reads only events of the given types. Most events usually have other types, so the page is not scanned: it ends at
 * the end of the log. The page's end is found by counting only if positions show that the log's end may be more than
 * `$3` events away. The types are literals in the statement, so that PostgreSQL can use an index on only these types.
 */
const ofTypes = (types: readonly string[], answer: string): string =>
  `with log as materialized (
      select tx, position from events where tx < pg_snapshot_xmin(pg_current_snapshot()) order by tx desc, position desc limit 1
    ), run as materialized (
      select coalesce(part.tx, log.tx) as tx, coalesce(part.position, log.position) as position, part.tx is not null as full
      from log left join lateral (
        select tx, position from events where log.position - $2::bigint >= $3 and ${AFTER} order by tx, position offset $3 - 1 limit 1
      ) part on true
      where (log.tx, log.position) > ($1::xid8, $2::bigint)
    )
    select coalesce((select run.full from run), false) as full, (select json_build_array(tx, position) from run) as last, ${answer}
    from (
      select events.* from events, run
      where (events.tx, events.position) > ($1::xid8, $2::bigint) and (events.tx, events.position) <= (run.tx, run.position)
        and type in (${types.map((type) => escapeLiteral(type)).join(', ')})
      order by events.tx, events.position
    ) event`;

/**
 * The next events after a cursor, ordered by (transaction, position). Reads only events of transactions below the
 * oldest open transaction (`pg_snapshot_xmin`): all of these events are visible, and no event can be inserted among
 * them later. Returns one JSON text per column, because parsing rows value by value took most of a replay's time.
 */
export async function readLog(db: Queries, upcasts: Upcasts, after: Cursor, reading: Reading): Promise<LogBatch> {
  const { limit, types } = reading;
  const { rows } = await db.query<
    { full: boolean; last: [string, number] | null } & { [Name in keyof Columns]: Columns[Name] | null }
  >(prepared(statementFor(types), [String(after.tx), String(after.position), limit]));
  const { full, last, streams, ...columns } = rows[0]!;
  const { versions, types: kinds, data, users, correlations, causations, times, traceparents } = columns as Columns;
  return {
    events: (streams ?? []).map((stream, at) =>
      upcastEvent(upcasts, {
        stream,
        id: idOf(stream),
        version: versions[at]!,
        type: kinds[at]!,
        data: data[at],
        userId: users[at]!,
        correlationId: correlations[at]!,
        causationId: causations[at]!,
        occurredAt: new Date(times[at]!),
        ...(traceparents?.[at] && { traceparent: traceparents[at] }),
      }),
    ),
    last: last ? cursorOf({ tx: last[0], position: last[1] }) : undefined,
    full,
  };
}

function statementFor(types: readonly string[] | undefined): string {
  if (types) return ofTypes(types, isTracing() ? TRACED_ANSWER : ANSWER);
  return isTracing() ? EVERY_TRACED : EVERY;
}

/** One event by its stream and version. */
export async function readEvent(
  db: Queries,
  upcasts: Upcasts,
  stream: string,
  version: number,
): Promise<Logged | undefined> {
  const { rows } = await db.query<Omit<Logged, 'id'>>(
    `select stream, version::int, type, data, user_id as "userId", correlation_id as "correlationId", causation_id as "causationId",
       occurred_at as "occurredAt"
     from events where stream = $1 and version = $2`,
    [stream, version],
  );
  return rows[0] && upcastEvent(upcasts, { ...rows[0], id: idOf(stream) });
}
