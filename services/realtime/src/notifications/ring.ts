import type { NotificationKind } from '@beltway/contracts/realtime/notifications';
import type { Queryable } from '@beltway/kit/postgres';

/** What one or many accounts are told. */
export interface Telling {
  kind: NotificationKind;
  /** One notification for each key and account. */
  key: string;
  /**
   * What a key that was rung before does: `once` nothing, `newest` rings again for a higher `version`, `count` rings again and is
   * added up. A caller of `count` makes sure that each fact is told once.
   */
  again: 'once' | 'newest' | 'count';
  eventId?: number;
  subjectId?: number;
  count?: number;
  amountCents?: number;
  version?: number;
  detail?: string;
  /** Of each account its own, in their order; in place of `detail`. */
  details?: readonly string[];
  /** All of this kind that rang within one hour of the clock come in one mail; left out: each key in its own. */
  mailedBy?: 'hour';
}

const AGAIN: Record<Telling['again'], string> = {
  once: 'nothing',
  newest: `update set version = excluded.version, detail = excluded.detail, at = now(), read_at = null, on_page = excluded.on_page
    where notifications.version < excluded.version`,
  count: `update set count = notifications.count + excluded.count, amount_cents = notifications.amount_cents + excluded.amount_cents,
    event_id = excluded.event_id, subject_id = excluded.subject_id, at = now(), read_at = null, on_page = excluded.on_page`,
};

/** A mail goes when the hour is over, so that it has all of what is counted by the hour. */
const MAILED_AT = `date_trunc('hour', now()) + interval '61 minutes'`;

/** Names the mail of a kind and hour. */
const HOUR_KEY = `$2 || ':' || floor(extract(epoch from now()) / 3600)::text`;

// A browser that is being forgotten is waited for, and left out then: told of, it would undo all that is told with it.
const textOf = (again: Telling['again']) => `with chosen as (
    select u as user_id, coalesce(own_detail, $9) as detail,
      not coalesce($2 = any(p.page_off), false) as on_page, coalesce($2 = any(p.mail_on), false) as by_mail,
      coalesce(p.is_daily, false) as is_daily,
      not coalesce($2 = any(p.push_off), false) and exists (select from push_subscriptions s where s.user_id = u) as by_push
    from unnest($1::integer[], $10::text[]) asked (u, own_detail) left join notification_preferences p on p.user_id = u
    where not exists (select from erasures e where e.user_id = u)
  ), told as (
    insert into notifications (user_id, kind, key, event_id, subject_id, count, amount_cents, version, detail, on_page)
    select user_id, $2, $3, $4, $5, $6, $7, $8, detail, on_page from chosen where on_page or by_mail or by_push order by user_id
    on conflict (user_id, key) do ${AGAIN[again]} returning id, user_id, on_page
  ), mailed as (
    insert into notification_mails (user_id, key, notification_id, next_at)
    select user_id, case when $11::boolean then ${HOUR_KEY} else $3 end, id, ${MAILED_AT}
    from told join chosen using (user_id) where by_mail and not is_daily order by user_id
    on conflict (user_id, key) do nothing
  ), pushed as (
    insert into notification_pushes (subscription_id, key, notification_id)
    select s.id, $3 || case when $8 > 0 then ':' || $8 else '' end, told.id
    from told join chosen using (user_id) join push_subscriptions s using (user_id) where by_push order by s.id
    for key share of s
    on conflict (subscription_id, key) do nothing
  )
  select user_id as "userId" from told where on_page`;

const RING = { once: textOf('once'), newest: textOf('newest'), count: textOf('count') };

/** Rings for these accounts as they chose, but not for those that are erased; gives whom something new is told on the page. */
export async function ring(tx: Queryable, userIds: readonly number[], telling: Telling): Promise<number[]> {
  if (userIds.length === 0) return [];
  const { kind, key, again, eventId, subjectId, count = 1, amountCents, version = 0, detail } = telling;
  const { details = [], mailedBy } = telling;
  const { rows } = await tx.query<{ userId: number }>({
    name: `ring-${again}`,
    text: RING[again],
    values: [userIds, kind, key, eventId, subjectId, count, amountCents, version, detail, details, mailedBy === 'hour'],
  });
  return rows.map(({ userId }) => userId);
}

const HOUR_MS = 3_600_000;
/** Many of a kind within one hour of the clock are one notification with a count. */
export const hourOf = (occurredAt: string | Date): number => Math.floor(new Date(occurredAt).getTime() / HOUR_MS);

const LATE_MS = 3 * 24 * HOUR_MS;
/** What is heard so long after it happened (a new group begins with the oldest message) is kept, and rings for nobody. */
export const isLate = (occurredAt: string | Date, now: Date): boolean =>
  now.getTime() - new Date(occurredAt).getTime() > LATE_MS;
