import {
  MAX_UNREAD_SHOWN,
  type Notification,
  type NotificationKind,
  type NotificationPage,
} from '@beltway/contracts/realtime/notifications';
import type { Language } from '@beltway/contracts/common/languages';
import { notFound } from '@beltway/kit/problems';
import { anyOf, countRows } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import { ABOUT_EVENT, type NotedEvent } from './noted.ts';
import { wordsOf } from './texts.ts';

/** How many of an account's newest notifications are kept, and for how many days. */
export const MAX_KEPT = 500;
export const KEPT_DAYS = 180;

/** An account's notifications with their events. An event is missing if its message has not arrived. */
const notifications = (db: Queryable, userId: number) =>
  kysely(db)
    .selectFrom('notifications as n')
    .leftJoin('notedEvents as e', 'e.eventId', 'n.eventId')
    .select(['n.id', 'n.kind', 'n.eventId', 'n.subjectId', 'n.count', 'n.detail', 'n.at', 'n.readAt', ...ABOUT_EVENT])
    .select(({ cast }) => cast<number | null>('n.amountCents', 'float8').as('amountCents'))
    .where('n.userId', '=', userId)
    .$narrowType<{ kind: NotificationKind }>();
type Row = Awaited<ReturnType<ReturnType<typeof notifications>['execute']>>[number];

function shownOf(row: Row, language: Language): Notification {
  const event = row.ownerId === null ? null : (row as NotedEvent);
  return {
    id: Number(row.id),
    kind: row.kind,
    ...wordsOf(row, event, language),
    at: row.at.toISOString(),
    isRead: row.readAt !== null,
  };
}

interface Place {
  at: Date;
  id: number;
}
const cursorOf = ({ at, id }: Row): string => `${at.getTime()}_${id}`;

/** Parses the cursor of a list. */
export function placeOf(cursor: string): Place {
  const [at, id] = cursor.split('_').map(Number);
  return { at: new Date(at!), id: id! };
}

/** One part of an account's notifications, latest first. `after`: the last notification of the previous part. */
export async function notificationsOf(
  db: Queryable,
  userId: number,
  { after, limit, language }: { after: Place | undefined; limit: number; language: Language },
): Promise<NotificationPage> {
  const rows = await notifications(db, userId)
    .where('n.onPage', '=', true)
    .$if(after !== undefined, (page) =>
      page.where(({ eb, refTuple, tuple }) => eb(refTuple('n.at', 'n.id'), '<', tuple(after!.at, String(after!.id)))),
    )
    .orderBy('n.at', 'desc')
    .orderBy('n.id', 'desc')
    .limit(limit + 1)
    .execute();
  const shown = rows.slice(0, limit);
  return {
    items: shown.map((row) => shownOf(row, language)),
    nextCursor: rows.length > limit ? cursorOf(shown.at(-1)!) : null,
  };
}

/** One notification, or the first `limit` of a time span. */
export type Which = { id: number } | { since: Date; until: Date; limit: number };

/** An account's notifications that may still be mailed or pushed: unread, and of these kinds. */
export async function stillUnread(
  db: Queryable,
  userId: number,
  kinds: readonly string[],
  which: Which,
  language: Language,
): Promise<Notification[]> {
  const unread = notifications(db, userId).where('n.readAt', 'is', null).where('n.kind', '=', anyOf(kinds));
  const rows = await (
    'id' in which
      ? unread.where('n.id', '=', String(which.id))
      : unread
          .where('n.at', '>', which.since)
          .where('n.at', '<=', which.until)
          .orderBy('n.at')
          .orderBy('n.id')
          .limit(which.limit)
  ).execute();
  return rows.map((row) => shownOf(row, language));
}

/** The number of unread notifications, at most `MAX_UNREAD_SHOWN` plus one. */
export async function unreadOf(db: Queryable, userId: number): Promise<number> {
  const unread = kysely(db)
    .selectFrom('notifications')
    .select('id')
    .where('userId', '=', userId)
    .where('readAt', 'is', null)
    .where('onPage', '=', true)
    .limit(MAX_UNREAD_SHOWN + 1);
  const { count } = await kysely(db).selectFrom(unread.as('counted')).select(countRows).executeTakeFirstOrThrow();
  return count;
}

/** Marks a notification as read; a repeat changes nothing. Throws 404 for another account's notification. */
export async function markRead(db: Queryable, userId: number, id: number): Promise<void> {
  const { numUpdatedRows: marked } = await kysely(db)
    .updateTable('notifications')
    .set(({ fn }) => ({ readAt: fn.coalesce('readAt', fn<Date>('now')) }))
    .where('id', '=', String(id))
    .where('userId', '=', userId)
    .executeTakeFirst();
  if (marked === 0n) throw notFound('notification');
}

/** Marks all notifications up to `until` as read. */
export const markAllRead = (db: Queryable, userId: number, until: Date) =>
  kysely(db)
    .updateTable('notifications')
    .set(({ fn }) => ({ readAt: fn<Date>('now') }))
    .where('userId', '=', userId)
    .where('readAt', 'is', null)
    .where('onPage', '=', true)
    .where('at', '<=', until)
    .execute();

const DAY_MS = 24 * 3_600_000;
const MAX_DROPPED = 10_000;

/** Deletes old notifications in bounded batches. Returns true while there may be more. */
export async function dropOld(db: Queryable, now: Date): Promise<boolean> {
  const kept = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
  const old = kysely(db).selectFrom('notifications').select('id').where('at', '<', kept).limit(MAX_DROPPED);
  const { numDeletedRows: outdated } = await kysely(db)
    .deleteFrom('notifications')
    .where('id', 'in', old)
    .executeTakeFirst();
  // SQL text, because a window over accounts is shorter than in the query builder.
  const { numAffectedRows: surplus = 0n } = await sql`delete from notifications where id in (
    select id from (
      select id, row_number() over (partition by user_id order by at desc, id desc) as place from notifications
      where user_id in (select user_id from notifications group by user_id having count(*) > ${sql.lit(MAX_KEPT)})
    ) placed where place > ${sql.lit(MAX_KEPT)} limit ${sql.lit(MAX_DROPPED)})`.execute(kysely(db));
  // Deletes old keys of mails and pushes. SQL text, because jobs are a table of the kit.
  await sql`delete from jobs where (queue, key) in (select queue, key from jobs where status = 'done'
    and ended_at < ${now}::timestamptz - interval '30 days' limit ${sql.lit(MAX_DROPPED)})`.execute(kysely(db));
  return outdated + surplus >= BigInt(MAX_DROPPED);
}
