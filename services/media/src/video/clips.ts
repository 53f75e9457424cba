import type { EventCanceledV1, EventPublishedV1 } from '@beltway/contracts/catalog/events';
import type { PaidLevel, PromotionReturnedV1, PromotionStartedV1 } from '@beltway/contracts/catalog/promotion';
import type { MyTopPicks } from '@beltway/contracts/media/top-picks';
import { badField } from '@beltway/kit/problems';
import { excluded } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { sql, type Insertable } from 'kysely';
import { kysely } from '../db.ts';
import type { Tables } from '../generated/tables.ts';

// The right to a clip (services/catalog/PRODUCT.md#promotion). Its messages may arrive in any order.

/** A clip can be uploaded, and is promoted, for so long after it was paid. */
const CLIP_MS = 365 * 24 * 3_600_000;
const HAS_CLIP: readonly PaidLevel[] = ['premium', 'livestream'];

const noteEvent = (tx: Queryable, row: Insertable<Tables['clipEvents']>) =>
  kysely(tx)
    .insertInto('clipEvents')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('eventId').doUpdateSet(({ fn, or, ref }) => ({
        ownerId: fn.coalesce('excluded.ownerId', 'clipEvents.ownerId'),
        isCanceled: or([ref('clipEvents.isCanceled'), ref('excluded.isCanceled')]).$castTo<boolean>(),
      })),
    )
    .execute();

/** Keeps who organizes an event. */
export async function noteOwner({ data: { eventId, ownerId } }: EventPublishedV1, tx: Queryable): Promise<void> {
  await noteEvent(tx, { eventId, ownerId, isCanceled: false });
}

/** The rights of a canceled event end. */
export async function endClips({ data: { eventId } }: EventCanceledV1, tx: Queryable): Promise<void> {
  await noteEvent(tx, { eventId, isCanceled: true });
}

/** Keeps the right that was paid. */
export async function noteClip({ data, occurredAt }: PromotionStartedV1, tx: Queryable): Promise<void> {
  if (!HAS_CLIP.includes(data.level)) return;
  const { promotionId, eventId } = data;
  const until = new Date(Date.parse(occurredAt) + CLIP_MS);
  await kysely(tx)
    .insertInto('clipRights')
    .values({ promotionId, eventId, until })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The right of a promotion that ended before it was over ends with it, whichever of the two messages comes first. */
export async function endClip({ data }: PromotionReturnedV1, tx: Queryable): Promise<void> {
  const { promotionId, eventId } = data;
  await kysely(tx)
    .insertInto('clipRights')
    .values({ promotionId, eventId, until: '-infinity' })
    .onConflict((conflict) => conflict.column('promotionId').doUpdateSet((eb) => excluded(eb, ['until'])))
    .execute();
}

/** Rights that stand: their time is not over, and the event was not canceled. */
export const STANDING_CLIPS = `clip_rights r join clip_events o on o.event_id = r.event_id and not o.is_canceled
  left join gallery_events e on e.event_id = r.event_id`;

/** The same, of an account, that no video has taken. */
const free = (db: Queryable, userId: number) =>
  kysely(db)
    .selectFrom('clipRights as r')
    .innerJoin('clipEvents as o', (join) => join.onRef('o.eventId', '=', 'r.eventId').on('o.isCanceled', '=', false))
    .leftJoin('galleryEvents as e', 'e.eventId', 'r.eventId')
    .where('o.ownerId', '=', userId)
    .where('r.until', '>', ({ fn }) => fn<Date>('now'))
    .where(({ exists, not, selectFrom }) =>
      not(exists(selectFrom('clipUses as u').select('u.videoId').whereRef('u.promotionId', '=', 'r.promotionId'))),
    );

/**
 * Takes a right of the account to a clip of this event for a video; the promotion that gave it. The one it has already, when it is asked
 * again. Throws 403 when there is none. In the transaction that gives the video its number: uploads of an account come one after the other.
 */
export async function takeClip(tx: Queryable, userId: number, eventId: number, videoId: number): Promise<string> {
  const db = kysely(tx);
  const own = await db.selectFrom('clipUses').select('promotionId').where('videoId', '=', videoId).executeTakeFirst();
  if (own) return own.promotionId;
  const taken = await db
    .insertInto('clipUses')
    .columns(['promotionId', 'videoId', 'usedAt'])
    .expression(
      free(tx, userId)
        .select(({ cast, fn, val }) => [
          'r.promotionId',
          cast<number>(val(videoId), 'integer').as('videoId'),
          fn<Date>('now').as('usedAt'),
        ])
        .where('r.eventId', '=', eventId)
        .orderBy('r.until')
        .limit(1),
    )
    .returning('promotionId')
    .executeTakeFirst();
  if (taken) return taken.promotionId;
  throw badField('eventId', 'no-clip-right', { status: 403 });
}

/** Gives the right back when the video did not come to be. */
export async function giveClipBack(db: Queryable, videoId: number): Promise<void> {
  await kysely(db)
    .deleteFrom('clipUses as u')
    .where('u.videoId', '=', videoId)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('items as i').select('i.id').where('i.kind', '=', 'video').whereRef('i.id', '=', 'u.videoId'),
        ),
      ),
    )
    .execute();
}

/** Events with a right of the account that no video has taken. */
export async function freeClips(db: Queryable, userId: number): Promise<MyTopPicks['clips']> {
  const rows = await free(db, userId)
    .select(({ fn }) => [
      'r.eventId',
      sql<string>`coalesce(nullif(e.title, ''), 'Event ' || r.event_id)`.as('title'),
      fn.max('r.until').as('until'),
    ])
    .groupBy(['r.eventId', 'e.title'])
    .orderBy(({ fn }) => fn.max('r.until'), 'desc')
    .limit(100)
    .execute();
  return rows.map((row) => ({ ...row, until: row.until.toISOString() }));
}
