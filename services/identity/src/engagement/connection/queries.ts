import type { Pool } from 'pg';
import { z } from 'zod';
import { BlocksAmong } from '@beltway/contracts/realtime/community';
import type {
  Connection,
  ConnectionPage,
  ConnectionsQuery,
  ConnectionState,
  PeopleMetQuery,
} from '@beltway/contracts/identity/connections';
import { cursorOf, Micros, readCursor } from '@beltway/kit/cursor';
import { behind, toMicros } from '@beltway/kit/kysely';
import type { InternalClient } from '@beltway/kit/internal';
import { sql, type Expression } from 'kysely';
import { kysely } from '../../db.ts';

const MAX_INT = 2_147_483_647;

/** SQL: the first event that both accounts attended. The result is the same for both. */
export const sharedEvent = (one: number, other: Expression<unknown>) =>
  sql`select f.event_id, f.day, e.title from counted_facts f
    join counted_facts g on g.user_id = ${other} and g.kind = 'attended' and g.subject_id = f.subject_id
    left join engagement_events e on e.event_id = f.event_id
    where f.user_id = ${one} and f.kind = 'attended' order by f.day, f.event_id limit 1`;
const isSuspended = (now: Date) =>
  sql`(u.suspended_at is not null and coalesce(u.suspended_until, 'infinity') > ${now}::timestamptz)`;
/**
 * An account is shown if it chose to be visible. A connection request also makes its sender visible to the recipient.
 */
const IS_SHOWN = sql`(coalesce(t.wants, false) or coalesce(p.is_visible, false))`;
const STATE = sql`case when m.wants and t.wants then 'connected' when m.wants then 'asked' when t.wants then 'asks-you' else 'none' end`;
const COLUMNS = sql`u.id as "userId", u.name, coalesce(p.is_visible, false) as "isVisible", ${STATE} as state, s.event_id as "eventId", coalesce(s.title, '') as "eventTitle", s.day::text`;
/**
 * Joins a user `u` with the connection requests between the user and the reader in both directions, and with the first
 * event that both attended.
 */
const said = (readerId: number) => sql`left join engagement_profiles p on p.user_id = u.id
  left join connection_wishes m on m.user_id = ${readerId} and m.other_id = u.id
  left join connection_wishes t on t.user_id = u.id and t.other_id = ${readerId}
  cross join lateral (${sharedEvent(readerId, sql.ref('u.id'))}) s`;

interface Row extends Omit<Connection, 'at'> {
  state: ConnectionState;
  at: Date | null;
}
const asConnection = ({ userId, name, isVisible, state, eventId, eventTitle, day, at }: Row): Connection => ({
  ...{ userId, name, isVisible, state, eventId, eventTitle, day },
  at: at && at.toISOString(),
});

/** Returns which of the other accounts block this account or are blocked by it. Asks realtime. */
export type Blocked = (userId: number, others: readonly number[]) => Promise<Set<number>>;

export const askBlocks =
  (realtime: Pick<InternalClient, 'get'>): Blocked =>
  async (userId, others) => {
    if (others.length === 0) return new Set();
    const answer = await realtime.get(`/internal/blocks/${userId}?others=${others.join(',')}`);
    return new Set(BlocksAmong.parse(answer).accounts);
  };

export interface Reader {
  pool: Pool;
  blocked: Blocked;
  userId: number;
  now: Date;
}

async function withoutBlocked({ blocked, userId }: Reader, rows: Row[]): Promise<Connection[]> {
  const hidden = await blocked(
    userId,
    rows.map((row) => row.userId),
  );
  return rows.filter((row) => !hidden.has(row.userId)).map(asConnection);
}

/**
 * The connection state between the reader and another account. Undefined: they did not attend the same event, or the
 * reader may not see the other account.
 */
export async function connectionWith(reader: Reader, otherId: number): Promise<Connection | undefined> {
  const { pool, userId, now } = reader;
  const { rows } = await sql<Row>`select ${COLUMNS},
      greatest(case when m.wants then m.said_at end, case when t.wants then t.said_at end) as at
    from users u ${said(userId)}
    where u.id = ${otherId} and u.id <> ${userId} and ${IS_SHOWN} and not ${isSuspended(now)}`.execute(kysely(pool));
  return (await withoutBlocked(reader, rows))[0];
}

const AfterSaid = z.tuple([Micros, z.int().min(0).max(MAX_INT)]);

/** Connections and requests, sorted by latest change. 400 `bad-cursor`. */
export async function connectionsOf(
  reader: Reader,
  { state, cursor, limit }: ConnectionsQuery,
): Promise<ConnectionPage> {
  const { pool, userId, now } = reader;
  const place = cursor === undefined ? undefined : readCursor(cursor, AfterSaid);
  const after = (moment: string, id: string) => (place ? behind([moment, id], place) : sql`true`);
  const wanted = state ?? null;
  // For each pair, the later request is listed. Each half of the query reads in index order, so a page reads few rows
  // beyond its own. A join within a half would read all rows. So would a bare filter on `state`, because PostgreSQL
  // would estimate matches as rare: it expects a filter with `coalesce` to pass half of the rows. A declined request is
  // listed again when it is repeated.
  const { rows } = await sql<Row & { exact: string }>`select ${COLUMNS}, w.at, ${toMicros('w.at')} as exact from (
      (select m.other_id as id, m.said_at as at from connection_wishes m
        where m.user_id = ${userId} and m.wants and ${after('m.said_at', 'm.other_id')} and ${wanted}::text is distinct from 'asks-you'
        and (select t.said_at > m.said_at from connection_wishes t
          where t.user_id = m.other_id and t.other_id = ${userId} and t.wants) is not true
        order by m.said_at desc, m.other_id desc)
      union all
      (select t.user_id, t.said_at from connection_wishes t
        where t.other_id = ${userId} and t.wants and ${after('t.said_at', 't.user_id')} and ${wanted}::text is distinct from 'asked'
        and (select m.said_at >= t.said_at from connection_wishes m
          where m.user_id = ${userId} and m.other_id = t.user_id) is not true
        order by t.said_at desc, t.user_id desc)
    ) w join users u on u.id = w.id ${said(userId)}
    where ${IS_SHOWN} and not ${isSuspended(now)} and coalesce(${STATE} = ${wanted}::text, true)
    order by w.at desc, w.id desc limit ${limit + 1}`.execute(kysely(pool));
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: await withoutBlocked(reader, page),
    nextCursor: rows.length > limit && last ? cursorOf([last.exact, last.userId]) : null,
  };
}

/**
 * Visible accounts that attended one of the reader's events. Leaves out accounts with a connection or request between
 * them and the reader.
 */
export async function peopleMet(reader: Reader, { cursor, limit }: PeopleMetQuery): Promise<ConnectionPage> {
  const { pool, userId, now } = reader;
  // Each event adds at most one page of accounts. So the query does not read all the people that a frequent visitor
  // met.
  const { rows } = await sql<Row>`with met as (
      select distinct a.user_id as id from counted_facts f cross join lateral (
        select g.user_id from counted_facts g
        join engagement_profiles p on p.user_id = g.user_id and p.is_visible
        join users u on u.id = g.user_id and not ${isSuspended(now)}
        where g.kind = 'attended' and g.subject_id = f.subject_id and g.user_id <> ${userId} and g.user_id < ${cursor ?? MAX_INT}
          and not exists (select from connection_wishes m where m.user_id = ${userId} and m.other_id = g.user_id and m.wants)
          and not exists (select from connection_wishes t where t.user_id = g.user_id and t.other_id = ${userId} and t.wants)
        order by g.user_id desc limit ${limit + 1}) a
      where f.user_id = ${userId} and f.kind = 'attended' order by id desc limit ${limit + 1})
    select u.id as "userId", u.name, true as "isVisible", 'none' as state, s.event_id as "eventId",
      coalesce(s.title, '') as "eventTitle", s.day::text, null as at
    from met join users u using (id) cross join lateral (${sharedEvent(userId, sql.ref('u.id'))}) s
    order by u.id desc`.execute(kysely(pool));
  const page = rows.slice(0, limit);
  return {
    items: await withoutBlocked(reader, page),
    nextCursor: rows.length > limit ? String(page.at(-1)!.userId) : null,
  };
}

/** Whether there is a request that the account can withdraw or decline. */
export async function hasToTakeBack(pool: Pool, userId: number, otherId: number): Promise<boolean> {
  const { rows } = await sql<{ isThere: boolean }>`
    select exists (select from connection_wishes m where m.user_id = ${userId} and m.other_id = ${otherId} and m.wants)
      or exists (select from connection_wishes t left join connection_wishes m on m.user_id = ${userId} and m.other_id = ${otherId}
        where t.user_id = ${otherId} and t.other_id = ${userId} and t.wants
          and (m.said_at is null or m.said_at < t.said_at)) as "isThere"`.execute(kysely(pool));
  return rows[0]!.isThere;
}
