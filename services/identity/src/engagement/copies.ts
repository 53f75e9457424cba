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

// What other services say comes in any order, from dead letters even years late: each message adds its own part, and asks for a look
// at what follows (checks.ts). Nothing is counted here.

const checkHolders = (tx: Queryable, eventId: number) =>
  enqueueKeys(
    tx,
    factChecks,
    sql`select distinct ${factKey(sql.ref('buyer_id'), 'attended', sql.ref('event_id'))} from engagement_orders
      where event_id = ${eventId} and buyer_id is not null`,
  );
const photoKey = factKey(sql.ref('uploader_id'), 'photo', sql.ref('photo_id'));

/** A venue or a neighborhood counts for its town, all of the District for Washington: `Bethesda, MD`. */
function townOf(place: Place): string {
  if (place.state === 'DC') return 'Washington, DC';
  return place.city ? `${place.city}, ${place.state}` : placeLabel(place);
}

/** Until when one may still get a ticket, at most; null: there are none to be had. */
function sellsUntil(data: EventPublishedV1['data']): Date | null {
  if (!data.hasTickets || !data.salesEnabled) return null;
  const [end, salesEnd] = [endOf(data), data.salesEnd && new Date(data.salesEnd)];
  return salesEnd && salesEnd < end ? salesEnd : end;
}

/** Keeps of an event when it is over, and what it counts as. */
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
  // The photo may be known before its event.
  await enqueueKeys(
    tx,
    factChecks,
    sql`select ${photoKey} from engagement_photos where event_id = ${data.eventId} and uploader_id is not null and is_shown
      and ${isOwn(sql.ref('uploader_id'), sql`${data.ownerId}::integer`)}`,
  );
  await lookAtHours(tx, data.eventId);
}

/** Of an event that was not heard of before, the rest comes later. */
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

const checkOne = (tx: Queryable, { userId, kind, subjectId }: FactCheck) =>
  enqueue(tx, factChecks, [{ key: `${userId}/${kind}/${subjectId}`, data: {} }], { again: true });

/** Checks whether the buyer of an order that changed has attended its event. */
async function checkBuyer(
  tx: Queryable,
  eventId: number,
  order: { buyerId: number | null } | undefined,
): Promise<void> {
  if (order && order.buyerId !== null)
    await checkOne(tx, { userId: order.buyerId, kind: 'attended', subjectId: eventId });
}

/** Adds the part of an order that a message contains. */
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
    .returning('buyerId')
    .executeTakeFirst();
  await checkBuyer(tx, order.eventId, noted);
}

/** Notes who has tickets of an event. A guest's order has no buyer. */
export const noteTickets = (
  { data: { orderId, eventId, buyerId, quantity } }: TicketPurchasedV1 | OrderClaimedV1,
  tx: Queryable,
): Promise<void> => noteOrder(tx, { orderId, eventId, buyerId, bought: quantity, returned: 0, isReturned: false });

/** Notes that some tickets of an order, or all, were returned. To be done once for each message. */
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

/** A lost dispute makes tickets void, a won one valid again: the newest message counts. */
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
    .returning('buyerId')
    .executeTakeFirst();
  await checkBuyer(tx, eventId, noted);
}

/** Notes that a photo of the gallery is shown, or is not any more. */
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
        // The latest message counts; at the same moment the one that hides the photo wins.
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
  // Only the first PHOTOS_OF_EVENT photos count, so one more or one less moves another across that limit.
  if (eventId !== null)
    await enqueueKeys(
      tx,
      factChecks,
      sql`select ${photoKey} from engagement_photos where event_id = ${eventId} and uploader_id = ${uploaderId} and is_shown
        order by shown_at, photo_id limit ${PHOTOS_OF_EVENT + 1}`,
    );
}

/** Forgets whose what was. May be done twice. */
export async function forgetPerson(db: Queryable, userId: number): Promise<void> {
  for (const statement of erasuresOf(OF_COPIES)) await db.query(statement, [userId]);
  const prefix = `${userId}/`;
  await sql`delete from jobs where queue = ${factChecks.name} and key >= ${prefix} and key < ${`${prefix}~`}`.execute(
    kysely(db),
  );
}
