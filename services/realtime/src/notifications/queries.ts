import { MAX_UNREAD_SHOWN, type Notification, type NotificationPage } from '@beltway/contracts/realtime/notifications';
import type { Language } from '@beltway/contracts/common/languages';
import { notFound } from '@beltway/kit/problems';
import type { Queryable } from '@beltway/kit/postgres';
import { EVENT_COLUMNS, type NotedEvent } from './noted.ts';
import { wordsOf, type Told } from './texts.ts';

/** The newest that an account keeps, and for how many days. */
export const MAX_KEPT = 500;
export const KEPT_DAYS = 180;

interface Row extends Told {
  id: string;
  at: Date;
  readAt: Date | null;
  event: { eventDate: string } | null;
}

const FIELDS = `n.id, n.kind, n.event_id as "eventId", n.subject_id as "subjectId", n.count, n.amount_cents::float8 as "amountCents",
    n.detail, n.at, n.read_at as "readAt",
    (select row_to_json(noted) from (select ${EVENT_COLUMNS} from noted_events e where e.event_id = n.event_id) noted) as event`;

const PAGE = `select ${FIELDS} from notifications n where n.user_id = $1 and n.on_page and ($2::timestamptz is null or (n.at, n.id) < ($2, $3::bigint))
  order by n.at desc, n.id desc limit $4`;

function shownOf(row: Row, language: Language): Notification {
  const event = row.event && ({ ...row.event, eventDate: new Date(row.event.eventDate) } as NotedEvent);
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

/** What a cursor of a page names. */
export function placeOf(cursor: string): Place {
  const [at, id] = cursor.split('_').map(Number);
  return { at: new Date(at!), id: id! };
}

/** A page of an account's notifications, latest first; `after` is the last one of the page before. */
export async function notificationsOf(
  db: Queryable,
  userId: number,
  { after, limit, language }: { after: Place | undefined; limit: number; language: Language },
): Promise<NotificationPage> {
  const { rows } = await db.query<Row>(PAGE, [userId, after?.at ?? null, after?.id ?? null, limit + 1]);
  const shown = rows.slice(0, limit);
  return {
    items: shown.map((row) => shownOf(row, language)),
    nextCursor: rows.length > limit ? cursorOf(shown.at(-1)!) : null,
  };
}

/** One notification, or the first of a span of time. */
export type Which = { id: number } | { since: Date; until: Date; limit: number };

/** Those of an account that may still be mailed or pushed: unread, and of these kinds. */
export async function stillUnread(
  db: Queryable,
  userId: number,
  kinds: readonly string[],
  which: Which,
  language: Language,
): Promise<Notification[]> {
  const unread = `select ${FIELDS} from notifications n where n.user_id = $1 and n.read_at is null and n.kind = any($2)`;
  const { rows } =
    'id' in which
      ? await db.query<Row>(`${unread} and n.id = $3`, [userId, kinds, which.id])
      : await db.query<Row>(`${unread} and n.at > $3 and n.at <= $4 order by n.at, n.id limit $5`, [
          ...[userId, kinds, which.since, which.until, which.limit],
        ]);
  return rows.map((row) => shownOf(row, language));
}

const UNREAD = `select count(*)::int as unread from
  (select from notifications where user_id = $1 and read_at is null and on_page limit ${MAX_UNREAD_SHOWN + 1}) counted`;

/** At most `MAX_UNREAD_SHOWN` and one. */
export async function unreadOf(db: Queryable, userId: number): Promise<number> {
  const { rows } = await db.query<{ unread: number }>({ name: 'unread', text: UNREAD, values: [userId] });
  return rows[0]!.unread;
}

/** A repeat changes nothing. Throws 404 for one that is not theirs. */
export async function markRead(db: Queryable, userId: number, id: number): Promise<void> {
  const { rowCount } = await db.query(
    'update notifications set read_at = coalesce(read_at, now()) where id = $1 and user_id = $2',
    [id, userId],
  );
  if (rowCount === 0) throw notFound('notification');
}

/** Marks all that rang until then. */
export const markAllRead = (db: Queryable, userId: number, until: Date) =>
  db.query('update notifications set read_at = now() where user_id = $1 and read_at is null and on_page and at <= $2', [
    userId,
    until,
  ]);

/** What of an account is more than is kept, and what is older. */
const SURPLUS = `delete from notifications where id in (
  select id from (
    select id, row_number() over (partition by user_id order by at desc, id desc) as place from notifications
    where user_id in (select user_id from notifications group by user_id having count(*) > ${MAX_KEPT})
  ) placed where place > ${MAX_KEPT} limit 10000)`;
const OLD = `delete from notifications where id in (
  select id from notifications where at < $1::timestamptz - interval '${KEPT_DAYS} days' limit 10000)`;

/** Keys of mails and pushes. */
const OLD_JOBS = `delete from jobs where (queue, key) in (
  select queue, key from jobs where status = 'done' and ended_at < $1::timestamptz - interval '30 days' limit 10000)`;

/** Deletes what is not kept any longer, so many rows at a time; true while there may be more. */
export async function dropOld(db: Queryable, now: Date): Promise<boolean> {
  const [old, surplus] = [await db.query(OLD, [now]), await db.query(SURPLUS)];
  await db.query(OLD_JOBS, [now]);
  return (old.rowCount ?? 0) + (surplus.rowCount ?? 0) >= 10_000;
}
