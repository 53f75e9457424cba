import type { EventCancelledV1, EventPublishedV1 } from '@beltway/contracts/catalog/events';
import type { PaidLevel, PromotionReturnedV1, PromotionStartedV1 } from '@beltway/contracts/catalog/promotion';
import type { MyTopPicks } from '@beltway/contracts/media/top-picks';
import { badField } from '@beltway/kit/problems';
import type { Queryable } from '@beltway/kit/postgres';

// The right to a clip (services/catalog/PRODUCT.md#promotion). Its messages may arrive in any order.

/** A clip can be uploaded, and is promoted, for so long after it was paid. */
const CLIP_DAYS = 365;
const HAS_CLIP: readonly PaidLevel[] = ['premium', 'livestream'];

const SAVE = `insert into clip_events (event_id, owner_id, is_cancelled) values ($1, $2, $3)
  on conflict (event_id) do update set owner_id = coalesce(excluded.owner_id, clip_events.owner_id),
    is_cancelled = clip_events.is_cancelled or excluded.is_cancelled`;

/** Keeps who organises an event. */
export async function noteOwner({ data: { eventId, ownerId } }: EventPublishedV1, tx: Queryable): Promise<void> {
  await tx.query(SAVE, [eventId, ownerId, false]);
}

/** The rights of a cancelled event end. */
export async function endClips({ data: { eventId } }: EventCancelledV1, tx: Queryable): Promise<void> {
  await tx.query(SAVE, [eventId, null, true]);
}

/** Keeps the right that was paid. */
export async function noteClip({ data, occurredAt }: PromotionStartedV1, tx: Queryable): Promise<void> {
  if (!HAS_CLIP.includes(data.level)) return;
  await tx.query(
    `insert into clip_rights (promotion_id, event_id, until)
     values ($1, $2, $3::timestamptz + interval '${CLIP_DAYS} days') on conflict do nothing`,
    [data.promotionId, data.eventId, occurredAt],
  );
}

/** The right of a promotion that ended before it was over ends with it, whichever of the two messages comes first. */
export async function endClip({ data }: PromotionReturnedV1, tx: Queryable): Promise<void> {
  await tx.query(
    `insert into clip_rights (promotion_id, event_id, until) values ($1, $2, '-infinity')
     on conflict (promotion_id) do update set until = excluded.until`,
    [data.promotionId, data.eventId],
  );
}

/** Rights that stand: their time is not over, and the event was not cancelled. */
export const STANDING_CLIPS = `clip_rights r join clip_events o on o.event_id = r.event_id and not o.is_cancelled
  left join gallery_events e on e.event_id = r.event_id`;

const FREE = `not exists (select from clip_uses u where u.promotion_id = r.promotion_id)`;

/**
 * Takes a right of the account to a clip of this event for a video; the promotion that gave it. The one it has already, when it is asked
 * again. Throws 403 when there is none. In the transaction that gives the video its number: uploads of an account come one after the other.
 */
export async function takeClip(tx: Queryable, userId: number, eventId: number, videoId: number): Promise<string> {
  const { rows: own } = await tx.query<{ id: string }>('select promotion_id as id from clip_uses where video_id = $1', [
    videoId,
  ]);
  if (own[0]) return own[0].id;
  const { rows } = await tx.query<{ id: string }>(
    `insert into clip_uses (promotion_id, video_id, used_at)
     select r.promotion_id, $3, now() from ${STANDING_CLIPS}
     where r.event_id = $2 and o.owner_id = $1 and r.until > now() and ${FREE} order by r.until limit 1
     returning promotion_id as id`,
    [userId, eventId, videoId],
  );
  if (rows[0]) return rows[0].id;
  throw badField('eventId', 'no-clip-right', { status: 403 });
}

/** Gives the right back when the video did not come to be. */
export async function giveClipBack(db: Queryable, videoId: number): Promise<void> {
  await db.query(
    `delete from clip_uses u where video_id = $1
       and not exists (select from items i where i.kind = 'video' and i.id = u.video_id)`,
    [videoId],
  );
}

/** Events with a right of the account that no video has taken. */
export async function freeClips(db: Queryable, userId: number): Promise<MyTopPicks['clips']> {
  const { rows } = await db.query<{ eventId: number; title: string; until: Date }>(
    `select r.event_id as "eventId", coalesce(nullif(e.title, ''), 'Event ' || r.event_id) as title, max(r.until) as until
     from ${STANDING_CLIPS} where o.owner_id = $1 and r.until > now() and ${FREE}
     group by r.event_id, e.title order by max(r.until) desc limit 100`,
    [userId],
  );
  return rows.map((row) => ({ ...row, until: row.until.toISOString() }));
}
