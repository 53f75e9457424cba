import type { EventCancelledV1, EventState } from '@beltway/contracts/catalog/events';
import type {
  OrderClaimedV1,
  OrderValidityChangedV1,
  RefundRequestedV1,
  TicketPurchasedV1,
} from '@beltway/contracts/ticketing/tickets';
import type { Queryable } from '@beltway/kit/postgres';

/** What is noted of an event; `eventDate` is the midnight of its day in New York. */
export interface NotedEvent {
  eventId: number;
  ownerId: number;
  title: string;
  location: string;
  eventDate: Date;
  eventStartTime: string;
  eventEndTime: string | null;
  status: 'published' | 'postponed' | 'cancelled';
  version: number;
}

/** To be selected from `noted_events e`. */
export const EVENT_COLUMNS = `e.event_id as "eventId", e.owner_id as "ownerId", e.title, e.location, e.event_date as "eventDate",
  e.event_start_time as "eventStartTime", e.event_end_time as "eventEndTime", e.status, e.version`;

/** Undefined while the catalog has not said it here. */
export async function notedEvent(db: Queryable, eventId: number): Promise<NotedEvent | undefined> {
  const { rows } = await db.query<NotedEvent>({
    name: 'noted-event',
    text: `select ${EVENT_COLUMNS} from noted_events e where event_id = $1`,
    values: [eventId],
  });
  return rows[0];
}

/** How a change of an event is told; null: nothing of it that its buyers planned by. */
export type Change = 'time' | 'place' | 'time-and-place' | 'postponed' | 'rescheduled';

export function changeOf(before: NotedEvent, after: EventState): Change | null {
  if (before.status === 'cancelled') return null;
  const isElsewhere = before.location !== after.location;
  if (after.isPostponed) return before.status === 'postponed' ? (isElsewhere ? 'place' : null) : 'postponed';
  if (before.status === 'postponed') return 'rescheduled';
  const isAnotherTime =
    before.eventDate.toISOString() !== new Date(after.eventDate).toISOString() ||
    before.eventStartTime !== after.eventStartTime ||
    before.eventEndTime !== after.eventEndTime;
  if (isAnotherTime) return isElsewhere ? 'time-and-place' : 'time';
  return isElsewhere ? 'place' : null;
}

/**
 * Keeps what the catalog says of an event, unless something newer is known. Gives what was known before (undefined: nothing), or null
 * when nothing was kept.
 */
export async function noteEvent(tx: Queryable, state: EventState): Promise<NotedEvent | undefined | null> {
  const { rows } = await tx.query<NotedEvent>(
    `select ${EVENT_COLUMNS} from noted_events e where event_id = $1 for update`,
    [state.eventId],
  );
  const [before] = rows;
  if (before && before.version >= state.version) return null;
  const status = before?.status === 'cancelled' ? 'cancelled' : state.isPostponed ? 'postponed' : 'published';
  await tx.query(
    `insert into noted_events (event_id, owner_id, title, location, event_date, event_start_time, event_end_time, status, version)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (event_id) do update set owner_id = excluded.owner_id, title = excluded.title, location = excluded.location,
       event_date = excluded.event_date, event_start_time = excluded.event_start_time, event_end_time = excluded.event_end_time,
       status = excluded.status, version = excluded.version`,
    [
      state.eventId,
      state.ownerId,
      state.title,
      state.location,
      state.eventDate,
      state.eventStartTime,
      state.eventEndTime,
      status,
      state.version,
    ],
  );
  return before;
}

/** Throws while the event is not known here: its message waits as a dead letter, and is replayed after the other. */
export async function noteCancelled(tx: Queryable, { eventId, version }: EventCancelledV1['data']): Promise<void> {
  const { rowCount } = await tx.query(
    `update noted_events set status = 'cancelled', version = greatest(version, $2) where event_id = $1`,
    [eventId, version],
  );
  if (rowCount === 0) throw new Error(`event ${eventId} was cancelled and is not known here`);
}

/** True once for each event: its followers are to be told of it. False also for one that is cancelled. */
export async function announce(tx: Queryable, eventId: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update noted_events set is_announced = true where event_id = $1 and not is_announced and status <> 'cancelled'`,
    [eventId],
  );
  return rowCount === 1;
}

/** True once for each order, and only where tickets of it still stand: its end may have been heard of first. */
export async function notePurchase(tx: Queryable, order: TicketPurchasedV1['data']): Promise<boolean> {
  const { rows } = await tx.query<{ stands: boolean }>(
    `insert into noted_orders (order_id, event_id, buyer_id, quantity, is_bought) values ($1, $2, $3, $4, true)
     on conflict (order_id) do update set buyer_id = coalesce(noted_orders.buyer_id, excluded.buyer_id),
       quantity = greatest(noted_orders.quantity, excluded.quantity), is_bought = true where not noted_orders.is_bought
     returning quantity > returned as stands`,
    [order.orderId, order.eventId, order.buyerId, order.quantity],
  );
  return rows[0]?.stands ?? false;
}

/** A guest's order belongs to an account from now on. */
export const noteClaim = (tx: Queryable, { orderId, eventId, quantity, buyerId }: OrderClaimedV1['data']) =>
  tx.query(
    `insert into noted_orders (order_id, event_id, buyer_id, quantity) values ($1, $2, $3, $4)
     on conflict (order_id) do update set buyer_id = excluded.buyer_id,
       quantity = greatest(noted_orders.quantity, excluded.quantity)`,
    [orderId, eventId, buyerId, quantity],
  );

/** Some tickets of an order, or all, were returned. */
export const noteReturn = (tx: Queryable, { data }: RefundRequestedV1) =>
  tx.query(
    `insert into noted_orders (order_id, event_id, quantity, returned, ended_by) values ($1, $2, 0, $4, $3)
     on conflict (order_id) do update set returned = noted_orders.returned + $4, ended_by = excluded.ended_by`,
    [data.orderId, data.eventId, data.reason, data.requestId === null ? ALL_TICKETS : data.quantity],
  );

/** A lost dispute makes tickets void, a won one valid again: the newest message counts. */
export const noteValidity = (tx: Queryable, { orderId, eventId, isVoid, version }: OrderValidityChangedV1['data']) =>
  tx.query(
    `insert into noted_orders (order_id, event_id, quantity, is_void, validity_version) values ($1, $2, 0, $3, $4)
     on conflict (order_id) do update set is_void = excluded.is_void, validity_version = excluded.validity_version
     where noted_orders.validity_version < excluded.validity_version`,
    [orderId, eventId, isVoid, version],
  );

/** More than an order has. */
const ALL_TICKETS = 1_000_000;

/** Undefined: ticketing has not said it here; null: a guest's. */
export async function buyerOf(db: Queryable, orderId: string): Promise<number | null | undefined> {
  const { rows } = await db.query<{ buyerId: number | null }>({
    name: 'noted-buyer',
    text: 'select buyer_id as "buyerId" from noted_orders where order_id = $1',
    values: [orderId],
  });
  return rows[0]?.buyerId;
}

const HOLDERS = `select distinct buyer_id as "userId" from noted_orders
  where event_id = $1 and buyer_id > $2 and (quantity > returned and not is_void or ended_by = $3) order by buyer_id limit $4`;

/**
 * Accounts with tickets of an event, in the order of their numbers. `also`: those too whose tickets ended by this, as they do soon after
 * a cancellation.
 */
export async function holdersOf(
  db: Queryable,
  eventId: number,
  { after, limit, also = '' }: { after: number; limit: number; also?: string },
): Promise<number[]> {
  const { rows } = await db.query<{ userId: number }>(HOLDERS, [eventId, after, also, limit]);
  return rows.map(({ userId }) => userId);
}
