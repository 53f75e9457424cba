import type { NotificationKind } from '@beltway/contracts/realtime/notifications';
import { enqueue, type NewJob } from '@beltway/kit/jobs';
import type { Queryable } from '@beltway/kit/postgres';
import { notificationMails, type QueuedMail } from './mails.ts';
import { notificationPushes } from './pushes.ts';

/** A notification for one or many accounts. */
export interface Telling {
  kind: NotificationKind;
  /** One notification for each key and account. */
  key: string;
  /**
   * What a repeated key does. `once`: nothing; `newest`: notifies again for a higher `version`; `count`: notifies again
   * and adds to the count. With `count`, the caller must pass each fact only once.
   */
  again: 'once' | 'newest' | 'count';
  eventId?: number;
  subjectId?: number;
  count?: number;
  amountCents?: number;
  version?: number;
  detail?: string;
  /** For each account its own detail, in the order of the accounts. Replaces `detail`. */
  details?: readonly string[];
  /**
   * `hour`: one mail has all notifications of this kind within one clock hour. If missing, each key has its own mail.
   */
  mailedBy?: 'hour';
}

const AGAIN: Record<Telling['again'], string> = {
  once: 'nothing',
  newest: `update set version = excluded.version, detail = excluded.detail, at = now(), read_at = null, on_page = excluded.on_page
    where notifications.version < excluded.version`,
  count: `update set count = notifications.count + excluded.count, amount_cents = notifications.amount_cents + excluded.amount_cents,
    event_id = excluded.event_id, subject_id = excluded.subject_id, at = now(), read_at = null, on_page = excluded.on_page`,
};

/** The mail is sent after the end of the hour, so that it contains everything counted in that hour. */
const MAILED_AT = `date_trunc('hour', now()) + interval '61 minutes'`;

// SQL text: one statement over lists of accounts, rows and subscriptions, prepared under a name at its first use.
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
  )
  select user_id as "userId", told.id::float8 as "notificationId", told.on_page as "isOnPage", by_mail and not is_daily as "isMailed",
    floor(extract(epoch from now()) / 3600)::integer as hour, extract(epoch from ${MAILED_AT} - now())::float8 as "mailedIn",
    array(select s.id from push_subscriptions s where by_push and s.user_id = told.user_id order by s.id) as browsers
  from told join chosen using (user_id) order by user_id`;

const RING = { once: textOf('once'), newest: textOf('newest'), count: textOf('count') };

interface Rung {
  userId: number;
  notificationId: number;
  isOnPage: boolean;
  isMailed: boolean;
  /** Hours since 1970. */
  hour: number;
  /** Seconds until the mail is sent. */
  mailedIn: number;
  /** Ids of subscriptions. */
  browsers: string[];
}

/**
 * Notifies these accounts according to their preferences, except erased accounts, and queues the mails and pushes.
 * Returns the accounts that have a new notification on the page.
 */
export async function ring(tx: Queryable, userIds: readonly number[], telling: Telling): Promise<number[]> {
  if (userIds.length === 0) return [];
  const { kind, key, again, eventId, subjectId, count = 1, amountCents, version = 0, detail } = telling;
  const { details = [], mailedBy } = telling;
  const { rows } = await tx.query<Rung>({
    name: `ring-${again}`,
    text: RING[again],
    values: [userIds, kind, key, eventId, subjectId, count, amountCents, version, detail, details],
  });
  const mails = rows.flatMap(({ userId, notificationId: id, isMailed, hour, mailedIn }): NewJob<QueuedMail>[] => {
    if (!isMailed) return [];
    return mailedBy === 'hour'
      ? [{ key: `${userId}/${kind}:${hour}`, data: { userId, kind, hour }, afterSeconds: mailedIn }]
      : [{ key: `${userId}/${key}`, data: { userId, id }, afterSeconds: mailedIn }];
  });
  const pushed = version > 0 ? `${key}:${version}` : key;
  const pushes = rows.flatMap(({ notificationId, browsers }) =>
    browsers.map((subscriptionId) => ({
      key: `${subscriptionId}/${pushed}`,
      data: { subscriptionId, notificationId },
    })),
  );
  if (mails.length > 0) await enqueue(tx, notificationMails, mails);
  if (pushes.length > 0) await enqueue(tx, notificationPushes, pushes);
  return rows.filter(({ isOnPage }) => isOnPage).map(({ userId }) => userId);
}

const HOUR_MS = 3_600_000;
/**
 * The clock hour of a time. Notifications of a kind within one hour are combined into one notification with a count.
 */
export const hourOf = (occurredAt: string | Date): number => Math.floor(new Date(occurredAt).getTime() / HOUR_MS);

const LATE_MS = 3 * 24 * HOUR_MS;
/**
 * Whether a message arrives too long after its event to notify. Such a message is only recorded. Late messages are
 * common, because a new consumer group begins with the oldest message.
 */
export const isLate = (occurredAt: string | Date, now: Date): boolean =>
  now.getTime() - new Date(occurredAt).getTime() > LATE_MS;
