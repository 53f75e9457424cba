import type { EventCanceledV1, EventPublishedV1 } from '@beltway/contracts/catalog/events';
import type { PaidLevel, PromotionReturnedV1, PromotionStartedV1 } from '@beltway/contracts/catalog/promotion';
import type { MyTopPicks } from '@beltway/contracts/media/top-picks';
import { badField } from '@beltway/kit/problems';
import { excluded } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { sql, type Insertable } from 'kysely';
import { kysely } from '../db.ts';
import type { Tables } from '../generated/tables.ts';

// The right to a clip (services/catalog/PRODUCT.md#promotion). The messages about a right may arrive in any order.

/** How long after the payment a clip can be uploaded and is promoted, in ms. */
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

/** Stores the organizer of an event. */
export async function noteOwner({ data: { eventId, ownerId } }: EventPublishedV1, tx: Queryable): Promise<void> {
  await noteEvent(tx, { eventId, ownerId, isCanceled: false });
}

/** Ends the rights of a canceled event. */
export async function endClips({ data: { eventId } }: EventCanceledV1, tx: Queryable): Promise<void> {
  await noteEvent(tx, { eventId, isCanceled: true });
}

/** Stores the paid right. */
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

/** Ends the right of a promotion that ended early. The two messages about the promotion may arrive in any order. */
export async function endClip({ data }: PromotionReturnedV1, tx: Queryable): Promise<void> {
  const { promotionId, eventId } = data;
  await kysely(tx)
    .insertInto('clipRights')
    .values({ promotionId, eventId, until: '-infinity' })
    .onConflict((conflict) => conflict.column('promotionId').doUpdateSet((eb) => excluded(eb, ['until'])))
    .execute();
}

/** Valid rights: not expired, and the event was not canceled. */
export const STANDING_CLIPS = `clip_rights r join clip_events o on o.event_id = r.event_id and not o.is_canceled
  left join gallery_events e on e.event_id = r.event_id`;

/** An account's valid rights that no video uses. */
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
 * Assigns one of the account's unused rights for this event to a video, and returns the promotion of that right. A
 * repeated call returns the same promotion. Throws 403 if the account has no unused right. Must be called in the
 * transaction that reserves the video's id, because that transaction serializes the uploads of an account.
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

/** Frees the right again if the video was not created. */
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

/** Events for which the account has an unused right. */
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
