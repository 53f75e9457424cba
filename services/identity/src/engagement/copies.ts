import { categoryOf } from '@beltway/contracts/catalog/categories';
import type { EventCanceledV1, EventPublishedV1, EventUpdatedV1 } from '@beltway/contracts/catalog/events';
import type { PhotoHiddenV1, PhotoVerifiedV1 } from '@beltway/contracts/media/gallery';
import type {
  OrderClaimedV1,
  OrderValidityChangedV1,
  RefundRequestedV1,
  TicketPurchasedV1,
} from '@beltway/contracts/ticketing/tickets';
import { PHOTOS_OF_EVENT } from '@beltway/contracts/identity/point-rules';
import { dayAt, dayOf, endOf } from '@beltway/contracts/common/times';
import { enqueue, enqueueKeys } from '@beltway/kit/jobs';
import type { Queryable } from '@beltway/kit/postgres';
import { findPlace } from '@beltway/places/find';
import { placeLabel, type Place } from '@beltway/places/gazetteer';
import { lookAtHours } from './challenge/checks.ts';
import { factChecks, factKey, type FactCheck } from './check-queue.ts';
import { isOwn } from './own-events.ts';
import { excluded } from '@beltway/kit/kysely';
import { erasuresOf } from '@beltway/kit/personal-data';
import { sql, type InsertObject } from 'kysely';
import { kysely } from '../db.ts';
import type { Tables } from '../generated/tables.ts';
import { OF_COPIES } from '../person/personal-data.ts';

// Messages of other services arrive in any order, and a replayed dead letter may be years late. Each handler stores its
// message's part and queues a check of the consequences (checks.ts). No points are counted in this file.

const checkHolders = (tx: Queryable, eventId: number) =>
  enqueueKeys(
    tx,
    factChecks,
    sql`select distinct ${factKey(sql.ref('buyer_id'), 'attended', sql.ref('event_id'))} from engagement_orders
      where event_id = ${eventId} and buyer_id is not null`,
  );
const photoKey = factKey(sql.ref('uploader_id'), 'photo', sql.ref('photo_id'));

/**
 * The town that an event counts for, such as `Bethesda, MD`. Venues and neighborhoods count for their town; all parts
 * of Washington count as one town.
 */
function townOf(place: Place): string {
  if (place.state === 'DC') return 'Washington, DC';
  return place.city ? `${place.city}, ${place.state}` : placeLabel(place);
}

/** The last time at which a ticket can be bought. null: the event sells no tickets. */
function sellsUntil(data: EventPublishedV1['data']): Date | null {
  if (!data.hasTickets || !data.salesEnabled) return null;
  const [end, salesEnd] = [endOf(data), data.salesEnd && new Date(data.salesEnd)];
  return salesEnd && salesEnd < end ? salesEnd : end;
}

/** Stores when an event ends, and the attributes that determine which badges and towns the event counts for. */
export async function saveEvent({ data }: EventPublishedV1 | EventUpdatedV1, tx: Queryable): Promise<void> {
  const found = findPlace(data.location);
  await kysely(tx)
    .insertInto('engagementEvents')
    .values({
      ...{ eventId: data.eventId, title: data.title, endsAt: endOf(data), day: dayOf(data.eventDate) },
      ...{ category: categoryOf(data.tags).name, place: found && townOf(found.place), version: data.version },
      ...{ status: data.isPostponed ? 'postponed' : 'published' },
      ...{ sellsUntil: sellsUntil(data), organizerId: data.ownerId },
    })
    .onConflict((conflict) =>
      conflict
        .column('eventId')
        .doUpdateSet((eb) => ({
          ...excluded(eb, ['title', 'endsAt', 'day', 'category', 'place', 'version', 'sellsUntil', 'organizerId']),
          // A canceled event stays canceled, whichever message arrives last.
          status: sql<string>`case engagement_events.status when 'canceled' then 'canceled' else excluded.status end`,
        }))
        .whereRef('engagementEvents.version', '<=', 'excluded.version'),
    )
    .execute();
  await checkHolders(tx, data.eventId);
  // The photo may arrive before its event.
  await enqueueKeys(
    tx,
    factChecks,
    sql`select ${photoKey} from engagement_photos where event_id = ${data.eventId} and uploader_id is not null and is_shown
      and ${isOwn(sql.ref('uploader_id'), sql`${data.ownerId}::integer`)}`,
  );
  await lookAtHours(tx, data.eventId);
}

/** Marks an event as canceled. If the event is still unknown, its published message adds the other fields later. */
export async function cancelEvent({ data, occurredAt }: EventCanceledV1, tx: Queryable): Promise<void> {
  await kysely(tx)
    .insertInto('engagementEvents')
    .values({
      eventId: data.eventId,
      title: '',
      endsAt: occurredAt,
      day: dayAt(new Date(occurredAt)),
      status: 'canceled',
      version: 0,
    })
    .onConflict((conflict) => conflict.column('eventId').doUpdateSet({ status: 'canceled' }))
    .execute();
  await checkHolders(tx, data.eventId);
}

/** Queues a check. A check that is due sooner stays. */
const checkOne = (tx: Queryable, { userId, kind, subjectId }: FactCheck, afterSeconds = 0) =>
  enqueue(tx, factChecks, [{ key: `${userId}/${kind}/${subjectId}`, data: {}, afterSeconds }], {
    again: 'soonest',
  });

/** SQL: seconds until an event is over. 0 if it is over or unknown. */
const endsIn = (eventId: number) =>
  sql<number>`coalesce((select greatest(extract(epoch from e.ends_at - now()), 0)::float8
    from engagement_events e where e.event_id = ${eventId}), 0)`.as('endsIn');

/**
 * Queues a check of whether the buyer of a changed order has attended the order's event. Before the end of the event
 * the answer is no. A check for an erased account is due immediately, because it removes the copies. The lock makes an
 * erasure wait until it finds this order.
 */
async function checkBuyer(
  tx: Queryable,
  eventId: number,
  order: { buyerId: number | null; endsIn: number } | undefined,
): Promise<void> {
  if (!order || order.buyerId === null) return;
  const buyer = await kysely(tx)
    .selectFrom('users')
    .select('id')
    .where('id', '=', order.buyerId)
    .forKeyShare()
    .executeTakeFirst();
  await checkOne(tx, { userId: order.buyerId, kind: 'attended', subjectId: eventId }, buyer ? order.endsIn : 0);
}

/** Stores the part of an order that a message contains. */
async function noteOrder(
  tx: Queryable,
  order: InsertObject<Tables, 'engagementOrders'> & { eventId: number },
): Promise<void> {
  const noted = await kysely(tx)
    .insertInto('engagementOrders')
    .values(order)
    .onConflict((conflict) =>
      conflict.column('orderId').doUpdateSet({
        buyerId: sql`coalesce(engagement_orders.buyer_id, excluded.buyer_id)`,
        bought: sql`greatest(engagement_orders.bought, excluded.bought)`,
        returned: sql`engagement_orders.returned + excluded.returned`,
        isReturned: sql`engagement_orders.is_returned or excluded.is_returned`,
      }),
    )
    .returning(['buyerId', endsIn(order.eventId)])
    .executeTakeFirst();
  await checkBuyer(tx, order.eventId, noted);
}

/** Records the tickets of an order. An order by a guest has no buyer. */
export const noteTickets = (
  { data: { orderId, eventId, buyerId, quantity } }: TicketPurchasedV1 | OrderClaimedV1,
  tx: Queryable,
): Promise<void> => noteOrder(tx, { orderId, eventId, buyerId, bought: quantity, returned: 0, isReturned: false });

/** Records that some or all tickets of an order were returned. Not idempotent, so call it once per message. */
export const noteReturn = (
  { data: { orderId, eventId, requestId, quantity } }: RefundRequestedV1,
  tx: Queryable,
): Promise<void> =>
  noteOrder(tx, {
    orderId,
    eventId,
    bought: 0,
    returned: requestId === null ? 0 : quantity,
    isReturned: requestId === null,
  });

/**
 * Records whether tickets are valid. A lost dispute makes them invalid, and a won dispute makes them valid again. The
 * latest message counts.
 */
export async function noteValidity(
  { data: { orderId, eventId, isVoid, version } }: OrderValidityChangedV1,
  tx: Queryable,
): Promise<void> {
  const noted = await kysely(tx)
    .insertInto('engagementOrders')
    .values({ orderId, eventId, bought: 0, returned: 0, isReturned: false, isVoid, validityVersion: version })
    .onConflict((conflict) =>
      conflict
        .column('orderId')
        .doUpdateSet((eb) => excluded(eb, ['isVoid', 'validityVersion']))
        .whereRef('engagementOrders.validityVersion', '<', 'excluded.validityVersion'),
    )
    .returning(['buyerId', endsIn(eventId)])
    .executeTakeFirst();
  await checkBuyer(tx, eventId, noted);
}

/** Records that a gallery photo is shown or hidden. */
export async function notePhoto(message: PhotoVerifiedV1 | PhotoHiddenV1, tx: Queryable): Promise<void> {
  const { type, data, occurredAt } = message;
  const shown = type === 'media.photo-verified';
  const whose = shown ? { uploaderId: message.data.uploaderId, eventId: message.data.eventId } : {};
  const noted = await kysely(tx)
    .insertInto('engagementPhotos')
    .values({ photoId: data.photoId, ...whose, isShown: shown, saidAt: occurredAt, shownAt: shown ? occurredAt : null })
    .onConflict((conflict) =>
      conflict.column('photoId').doUpdateSet({
        uploaderId: sql`coalesce(engagement_photos.uploader_id, excluded.uploader_id)`,
        eventId: sql`coalesce(engagement_photos.event_id, excluded.event_id)`,
        shownAt: sql`least(engagement_photos.shown_at, excluded.shown_at)`,
        // The latest message counts. If two messages have the same time, the photo is hidden.
        isShown: sql`case when excluded.said_at > engagement_photos.said_at then excluded.is_shown
          when excluded.said_at = engagement_photos.said_at then engagement_photos.is_shown and excluded.is_shown
          else engagement_photos.is_shown end`,
        saidAt: sql`greatest(engagement_photos.said_at, excluded.said_at)`,
      }),
    )
    .returning(['uploaderId', 'eventId'])
    .executeTakeFirst();
  const { uploaderId = null, eventId = null } = noted ?? {};
  if (uploaderId === null) return;
  await checkOne(tx, { userId: uploaderId, kind: 'photo', subjectId: data.photoId });
  // Only the first PHOTOS_OF_EVENT photos of an event count. Adding or removing a photo may change whether another
  // photo counts.
  if (eventId !== null)
    await enqueueKeys(
      tx,
      factChecks,
      sql`select ${photoKey} from engagement_photos where event_id = ${eventId} and uploader_id = ${uploaderId} and is_shown
        order by shown_at, photo_id limit ${PHOTOS_OF_EVENT + 1}`,
    );
}

/** Removes an account from the copies. Idempotent. */
export async function forgetPerson(db: Queryable, userId: number): Promise<void> {
  for (const statement of erasuresOf(OF_COPIES)) await db.query(statement, [userId]);
  const prefix = `${userId}/`;
  await sql`delete from jobs where queue = ${factChecks.name} and key >= ${prefix} and key < ${`${prefix}~`}`.execute(
    kysely(db),
  );
}
