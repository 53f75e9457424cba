import type { NotificationKind } from '@beltway/contracts/notifications';
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
}

const AGAIN: Record<Telling['again'], string> = {
  once: 'nothing',
  newest: `update set version = excluded.version, detail = excluded.detail, at = now(), read_at = null
    where notifications.version < excluded.version`,
  count: `update set count = notifications.count + excluded.count, amount_cents = notifications.amount_cents + excluded.amount_cents,
    event_id = excluded.event_id, subject_id = excluded.subject_id, at = now(), read_at = null`,
};

const textOf = (again: Telling['again']) => `insert into notifications
  (user_id, kind, key, event_id, subject_id, count, amount_cents, version, detail)
  select u, $2, $3, $4, $5, $6, $7, $8, $9 from unnest($1::integer[]) u
  where not exists (select from erasures e where e.user_id = u) order by u
  on conflict (user_id, key) do ${AGAIN[again]} returning user_id as "userId"`;

const RING = { once: textOf('once'), newest: textOf('newest'), count: textOf('count') };

/** Rings for these accounts, but those that are erased; gives whom something new is told. */
export async function ring(tx: Queryable, userIds: readonly number[], telling: Telling): Promise<number[]> {
  if (userIds.length === 0) return [];
  const { kind, key, again, eventId, subjectId, count = 1, amountCents, version = 0, detail } = telling;
  const { rows } = await tx.query<{ userId: number }>({
    name: `ring-${again}`,
    text: RING[again],
    values: [userIds, kind, key, eventId, subjectId, count, amountCents, version, detail],
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
