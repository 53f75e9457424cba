import { categoryOf } from '@beltway/contracts/catalog/categories';
import type { EventCancelledV1, EventPublishedV1, EventUpdatedV1 } from '@beltway/contracts/catalog/events';
import type { PhotoHiddenV1, PhotoVerifiedV1 } from '@beltway/contracts/media/gallery';
import type {
  OrderClaimedV1,
  OrderValidityChangedV1,
  RefundRequestedV1,
  TicketPurchasedV1,
} from '@beltway/contracts/ticketing/tickets';
import { PHOTOS_OF_EVENT } from '@beltway/contracts/identity/point-rules';
import { dayOf, endOf } from '@beltway/contracts/common/times';
import { enqueue, enqueueKeys } from '@beltway/kit/jobs';
import type { Queryable } from '@beltway/kit/postgres';
import { findPlace } from '@beltway/places/find';
import { placeLabel, type Place } from '@beltway/places/gazetteer';
import { lookAtHours } from './challenge/checks.ts';
import { factChecks, factKey, type FactCheck } from './check-queue.ts';
import { IS_OWN } from './own-events.ts';

// What other services say comes in any order, from dead letters even years late: each message adds its own part, and asks for a look
// at what follows (checks.ts). Nothing is counted here.

const HOLDERS = `select distinct ${factKey('buyer_id', 'attended', 'event_id')} from engagement_orders
  where event_id = $1 and buyer_id is not null`;
const checkHolders = (tx: Queryable, eventId: number) => enqueueKeys(tx, factChecks, HOLDERS, [eventId]);

// The photo may be known before its event.
const OWN_PHOTOS = `select ${factKey('uploader_id', 'photo', 'photo_id')} from engagement_photos
  where event_id = $1 and uploader_id is not null and is_shown and ${IS_OWN('uploader_id', '$2::integer')}`;

// What is cancelled stays so, whatever is heard late.
const EVENT = `insert into engagement_events (event_id, title, ends_at, day, category, place, status, version, sells_until, organizer_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict (event_id) do update set title = excluded.title, ends_at = excluded.ends_at, day = excluded.day,
    category = excluded.category, place = excluded.place, version = excluded.version, sells_until = excluded.sells_until,
    organizer_id = excluded.organizer_id,
    status = case engagement_events.status when 'cancelled' then 'cancelled' else excluded.status end
  where engagement_events.version <= excluded.version`;
const CANCELLED = `insert into engagement_events (event_id, title, ends_at, day, status, version)
  values ($1, '', $2::timestamptz, ($2::timestamptz at time zone 'America/New_York')::date, 'cancelled', 0)
  on conflict (event_id) do update set status = 'cancelled'`;

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
  await tx.query(EVENT, [
    ...[data.eventId, data.title, endOf(data), dayOf(data.eventDate), categoryOf(data.tags).name],
    ...[
      found && townOf(found.place),
      data.isPostponed ? 'postponed' : 'published',
      data.version,
      sellsUntil(data),
      data.ownerId,
    ],
  ]);
  await checkHolders(tx, data.eventId);
  await enqueueKeys(tx, factChecks, OWN_PHOTOS, [data.eventId, data.ownerId]);
  await lookAtHours(tx, data.eventId);
}

/** Of an event that was not heard of before, the rest comes later. */
export async function cancelEvent({ data, occurredAt }: EventCancelledV1, tx: Queryable): Promise<void> {
  await tx.query(CANCELLED, [data.eventId, occurredAt]);
  await checkHolders(tx, data.eventId);
}

const ORDER = `insert into engagement_orders (order_id, event_id, buyer_id, bought, returned, is_returned)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (order_id) do update set buyer_id = coalesce(engagement_orders.buyer_id, excluded.buyer_id),
    bought = greatest(engagement_orders.bought, excluded.bought),
    returned = engagement_orders.returned + excluded.returned,
    is_returned = engagement_orders.is_returned or excluded.is_returned
  returning buyer_id as "buyerId"`;
const checkOne = (tx: Queryable, { userId, kind, subjectId }: FactCheck) =>
  enqueue(tx, factChecks, [{ key: `${userId}/${kind}/${subjectId}`, data: {} }], { again: true });

const VALIDITY = `insert into engagement_orders (order_id, event_id, bought, returned, is_returned, is_void, validity_version)
  values ($1, $2, 0, 0, false, $3, $4)
  on conflict (order_id) do update set is_void = excluded.is_void, validity_version = excluded.validity_version
    where engagement_orders.validity_version < excluded.validity_version
  returning buyer_id as "buyerId"`;

async function noteOrder(tx: Queryable, eventId: number, values: unknown[], statement = ORDER): Promise<void> {
  const { rows } = await tx.query<{ buyerId: number | null }>(statement, values);
  const buyerId = rows[0]?.buyerId ?? null;
  if (buyerId !== null) await checkOne(tx, { userId: buyerId, kind: 'attended', subjectId: eventId });
}

/** Notes who has tickets of an event. A guest's order has no buyer. */
export const noteTickets = ({ data }: TicketPurchasedV1 | OrderClaimedV1, tx: Queryable): Promise<void> =>
  noteOrder(tx, data.eventId, [data.orderId, data.eventId, data.buyerId, data.quantity, 0, false]);

/** Notes that some tickets of an order, or all, were returned. To be done once for each message. */
export const noteReturn = ({ data }: RefundRequestedV1, tx: Queryable): Promise<void> =>
  noteOrder(tx, data.eventId, [
    ...[data.orderId, data.eventId, null, 0],
    ...[data.requestId === null ? 0 : data.quantity, data.requestId === null],
  ]);

/** A lost dispute makes tickets void, a won one valid again: the newest message counts. */
export const noteValidity = ({ data }: OrderValidityChangedV1, tx: Queryable): Promise<void> =>
  noteOrder(tx, data.eventId, [data.orderId, data.eventId, data.isVoid, data.version], VALIDITY);

// What was said last counts; of both at one moment that it is hidden.
const PHOTO = `insert into engagement_photos (photo_id, uploader_id, event_id, is_shown, said_at, shown_at)
  values ($1, $2::integer, $3::integer, $4::boolean, $5::timestamptz, case when $4 then $5::timestamptz end)
  on conflict (photo_id) do update set
    uploader_id = coalesce(engagement_photos.uploader_id, excluded.uploader_id),
    event_id = coalesce(engagement_photos.event_id, excluded.event_id),
    shown_at = least(engagement_photos.shown_at, excluded.shown_at),
    is_shown = case when excluded.said_at > engagement_photos.said_at then excluded.is_shown
      when excluded.said_at = engagement_photos.said_at then engagement_photos.is_shown and excluded.is_shown
      else engagement_photos.is_shown end,
    said_at = greatest(engagement_photos.said_at, excluded.said_at)
  returning uploader_id as "uploaderId", event_id as "eventId"`;
// Only the first PHOTOS_OF_EVENT photos count, so one more or one less moves another across that limit.
const FIRST_PHOTOS = `select ${factKey('uploader_id', 'photo', 'photo_id')} from engagement_photos
  where event_id = $1 and uploader_id = $2 and is_shown order by shown_at, photo_id limit ${PHOTOS_OF_EVENT + 1}`;

/** Notes that a photo of the gallery is shown, or is not any more. */
export async function notePhoto(message: PhotoVerifiedV1 | PhotoHiddenV1, tx: Queryable): Promise<void> {
  const { type, data, occurredAt } = message;
  const shown = type === 'media.photo-verified';
  const whose = shown ? [message.data.uploaderId, message.data.eventId] : [null, null];
  const { rows } = await tx.query<{ uploaderId: number | null; eventId: number | null }>(PHOTO, [
    ...[data.photoId, ...whose, shown, occurredAt],
  ]);
  const { uploaderId = null, eventId = null } = rows[0] ?? {};
  if (uploaderId === null) return;
  await checkOne(tx, { userId: uploaderId, kind: 'photo', subjectId: data.photoId });
  if (eventId !== null) await enqueueKeys(tx, factChecks, FIRST_PHOTOS, [eventId, uploaderId]);
}

/** Forgets whose what was. May be done twice. */
export async function forgetPerson(db: Queryable, userId: number): Promise<void> {
  await db.query('update engagement_orders set buyer_id = null where buyer_id = $1', [userId]);
  await db.query('update engagement_photos set uploader_id = null where uploader_id = $1', [userId]);
  await db.query(`delete from jobs where queue = $1 and key >= $2 and key < $2 || '~'`, [
    factChecks.name,
    `${userId}/`,
  ]);
}
