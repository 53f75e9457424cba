import type { EventCancelledV1, EventPublishedV1, EventUpdatedV1 } from '@beltway/contracts/catalog/events';
import type {
  OrderClaimedV1,
  OrderValidityChangedV1,
  RefundRequestedV1,
  TicketPurchasedV1,
} from '@beltway/contracts/ticketing/tickets';
import { startOf } from '@beltway/contracts/common/times';
import type { RowOf } from '@beltway/kit/columns';
import type { Queryable } from '@beltway/kit/postgres';
import { galleryEvents } from './columns.ts';

export type GalleryEvent = Omit<RowOf<typeof galleryEvents>, 'status'> & {
  status: 'published' | 'postponed' | 'cancelled';
};

// What is cancelled stays so, whatever is heard late.
const SAVE = galleryEvents.insert(
  ['eventId', 'title', 'startsAt', 'status', 'catalogVersion'],
  `${galleryEvents.onConflict(['eventId'], ['title', 'startsAt', 'catalogVersion'])},
     status = case gallery_events.status when 'cancelled' then gallery_events.status else excluded.status end
   where gallery_events.catalog_version <= excluded.catalog_version`,
);
const CANCEL = galleryEvents.insert(
  ['eventId', 'title', 'startsAt', 'status', 'catalogVersion'],
  galleryEvents.onConflict(['eventId'], ['status']),
);

/** Keeps of an event what its photos need: its title, and when it begins. */
export async function saveEvent({ data }: EventPublishedV1 | EventUpdatedV1, tx: Queryable): Promise<void> {
  const { eventId, title, isPostponed, version: catalogVersion } = data;
  const row = { eventId, title, startsAt: startOf(data), status: isPostponed ? 'postponed' : 'published' };
  await tx.query(SAVE.text, SAVE.values({ ...row, catalogVersion }));
}

/** Of an event that was not heard of before, the rest comes later. */
export async function cancelEvent({ data, occurredAt }: EventCancelledV1, tx: Queryable): Promise<void> {
  const row = { eventId: data.eventId, title: '', startsAt: occurredAt, status: 'cancelled', catalogVersion: 0 };
  await tx.query(CANCEL.text, CANCEL.values(row));
}

// What is told of an order may come in any order, from dead letters even years late: each message adds its own part.
const ORDER = `insert into ticket_orders (order_id, event_id, buyer_id, bought, returned, is_returned)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (order_id) do update set buyer_id = coalesce(ticket_orders.buyer_id, excluded.buyer_id),
    bought = greatest(ticket_orders.bought, excluded.bought), returned = ticket_orders.returned + excluded.returned,
    is_returned = ticket_orders.is_returned or excluded.is_returned`;

/** Notes who has tickets of an event. A guest's order has no buyer. */
export async function noteTickets(
  { data: { orderId, eventId, buyerId, quantity } }: TicketPurchasedV1 | OrderClaimedV1,
  tx: Queryable,
): Promise<void> {
  await tx.query(ORDER, [orderId, eventId, buyerId, quantity, 0, false]);
}

/** Notes that some tickets of an order, or all, were returned. To be done once for each message. */
export async function noteReturn({ data }: RefundRequestedV1, tx: Queryable): Promise<void> {
  const { orderId, eventId, quantity, requestId } = data;
  const isWhole = requestId === null;
  await tx.query(ORDER, [orderId, eventId, null, 0, isWhole ? 0 : quantity, isWhole]);
}

const VALIDITY = `insert into ticket_orders (order_id, event_id, bought, returned, is_returned, is_void, validity_version)
  values ($1, $2, 0, 0, false, $3, $4)
  on conflict (order_id) do update set is_void = excluded.is_void, validity_version = excluded.validity_version
    where ticket_orders.validity_version < excluded.validity_version`;

/** A lost dispute makes tickets void, a won one valid again: the newest message counts. */
export async function noteValidity({ data }: OrderValidityChangedV1, tx: Queryable): Promise<void> {
  await tx.query(VALIDITY, [data.orderId, data.eventId, data.isVoid, data.version]);
}

const EVENT = `select ${galleryEvents.select()} from gallery_events where event_id = $1`;
const HELD = `select 1 from ticket_orders where buyer_id = $1 and event_id = $2 and not is_returned and not is_void and bought > returned limit 1`;

/** The event as catalog said it last; undefined where nothing was heard of it. */
export async function eventById(db: Queryable, eventId: number): Promise<GalleryEvent | undefined> {
  const { rows } = await db.query<GalleryEvent>(EVENT, [eventId]);
  return rows[0];
}

/** Whether the event has begun, and was not cancelled or put off before it did. */
export const hasBegun = ({ status, startsAt }: Pick<GalleryEvent, 'status' | 'startsAt'>, now: Date): boolean =>
  status === 'published' && startsAt <= now;

/** Whether the account holds a ticket of the event that was not refunded. */
export async function holdsTicket(db: Queryable, userId: number, eventId: number): Promise<boolean> {
  const { rowCount } = await db.query(HELD, [userId, eventId]);
  return rowCount === 1;
}

const EVENTS_HELD = `select distinct on (e.starts_at, e.event_id) ${galleryEvents.select(undefined, 'e')}
  from ticket_orders o join gallery_events e using (event_id)
  where o.buyer_id = $1 and not o.is_returned and not o.is_void and o.bought > o.returned and e.status = 'published'
  order by e.starts_at desc, e.event_id desc limit 200`;

/** Events that the account holds a ticket of which was not refunded, latest first. */
export async function eventsHeld(db: Queryable, userId: number): Promise<GalleryEvent[]> {
  const { rows } = await db.query<GalleryEvent>(EVENTS_HELD, [userId]);
  return rows;
}
