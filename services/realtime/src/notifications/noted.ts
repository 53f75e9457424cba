import type { EventCanceledV1, EventState } from '@beltway/contracts/catalog/events';
import type {
  OrderClaimedV1,
  OrderValidityChangedV1,
  RefundRequestedV1,
  TicketPurchasedV1,
} from '@beltway/contracts/ticketing/tickets';
import type { RowOf } from '@beltway/kit/columns';
import { excluded } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import type { ExpressionBuilder } from 'kysely';
import { kysely } from '../db.ts';
import type { notedEvents, Tables } from '../generated/tables.ts';

/** Our copy of an event. `eventDate` and `eventLastDate` are midnight in New York of their days. */
export type NotedEvent = Omit<RowOf<typeof notedEvents>, 'isAnnounced' | 'status'> & {
  status: 'published' | 'postponed' | 'canceled';
};

const ABOUT = [
  'ownerId',
  'title',
  'location',
  'eventDate',
  'eventLastDate',
  'eventStartTime',
  'eventEndTime',
  'status',
  'isSuspended',
  'version',
] as const;
/** Columns to select from `notedEvents as e`, except the event's id. */
export const ABOUT_EVENT = ABOUT.map((field) => `e.${field}` as const);

const events = (db: Queryable) =>
  kysely(db)
    .selectFrom('notedEvents as e')
    .select(['e.eventId', ...ABOUT_EVENT])
    .$narrowType<Pick<NotedEvent, 'status'>>();

/** Undefined until the catalog's message about the event has arrived. */
export const notedEvent = (db: Queryable, eventId: number): Promise<NotedEvent | undefined> =>
  events(db).where('e.eventId', '=', eventId).executeTakeFirst();

/** The kind of a change that buyers are notified of; null if the change is not relevant for their plans. */
export type Change = 'time' | 'place' | 'time-and-place' | 'postponed' | 'rescheduled' | 'suspended' | 'resumed';

const isoOf = (date: Date | string | null | undefined) => (date ? new Date(date).toISOString() : null);

export function changeOf(before: NotedEvent, after: EventState): Change | null {
  if (before.status === 'canceled') return null;
  const isSuspended = after.isSuspended === true;
  if (isSuspended !== before.isSuspended) return isSuspended ? 'suspended' : 'resumed';
  const isElsewhere = before.location !== after.location;
  if (after.isPostponed) return before.status === 'postponed' ? (isElsewhere ? 'place' : null) : 'postponed';
  if (before.status === 'postponed') return 'rescheduled';
  const isAnotherTime =
    before.eventDate.toISOString() !== new Date(after.eventDate).toISOString() ||
    isoOf(before.eventLastDate) !== isoOf(after.eventLastDate) ||
    before.eventStartTime !== after.eventStartTime ||
    before.eventEndTime !== after.eventEndTime;
  if (isAnotherTime) return isElsewhere ? 'time-and-place' : 'time';
  return isElsewhere ? 'place' : null;
}

/**
 * Saves the catalog's state of an event, unless a newer state is stored. Returns the previous state (undefined if there
 * was none), or null if nothing was saved.
 */
export async function noteEvent(tx: Queryable, state: EventState): Promise<NotedEvent | undefined | null> {
  const before = await events(tx).where('e.eventId', '=', state.eventId).forUpdate().executeTakeFirst();
  if (before && before.version >= state.version) return null;
  const status = before?.status === 'canceled' ? 'canceled' : state.isPostponed ? 'postponed' : 'published';
  const { eventId, ownerId, title, location, eventDate, eventLastDate, eventStartTime, eventEndTime, version } = state;
  const hours = { eventDate, eventLastDate, eventStartTime, eventEndTime };
  const isSuspended = state.isSuspended === true;
  await kysely(tx)
    .insertInto('notedEvents')
    .values({ eventId, ownerId, title, location, ...hours, status, isSuspended, version })
    .onConflict((conflict) => conflict.column('eventId').doUpdateSet((eb) => excluded(eb, ABOUT)))
    .execute();
  return before;
}

/**
 * Throws while the event is unknown here. The message is then parked as a dead letter, and replayed after the message
 * that publishes the event.
 */
export async function noteCanceled(tx: Queryable, { eventId, version }: EventCanceledV1['data']): Promise<void> {
  const { numUpdatedRows: known } = await kysely(tx)
    .updateTable('notedEvents')
    .set(({ fn, ref, val }) => ({
      status: 'canceled',
      version: fn<number>('greatest', [ref('version'), val(version)]),
    }))
    .where('eventId', '=', eventId)
    .executeTakeFirst();
  if (known === 0n) throw new Error(`event ${eventId} was canceled and is not known here`);
}

/**
 * Returns true once for each event, when the organizer's followers must be notified. Returns false for a canceled
 * event.
 */
export async function announce(tx: Queryable, eventId: number): Promise<boolean> {
  const { numUpdatedRows: announced } = await kysely(tx)
    .updateTable('notedEvents')
    .set({ isAnnounced: true })
    .where('eventId', '=', eventId)
    .where('isAnnounced', '=', false)
    .where('status', '<>', 'canceled')
    .executeTakeFirst();
  return announced === 1n;
}

/** For the tickets of an order, takes the larger of the stored and the new number. */
const greatest = ({
  fn,
  ref,
}: ExpressionBuilder<Tables & { excluded: Tables['notedOrders'] }, 'notedOrders' | 'excluded'>) =>
  fn<number>('greatest', [ref('notedOrders.quantity'), ref('excluded.quantity')]);

/**
 * Returns true once for each order, and only if the order has valid tickets. The return of the tickets may arrive
 * before the purchase.
 */
export async function notePurchase(tx: Queryable, order: TicketPurchasedV1['data']): Promise<boolean> {
  const { orderId, eventId, buyerId, quantity } = order;
  const noted = await kysely(tx)
    .insertInto('notedOrders')
    .values({ orderId, eventId, buyerId, quantity, isBought: true })
    .onConflict((conflict) =>
      conflict
        .column('orderId')
        .doUpdateSet((eb) => ({
          buyerId: eb.fn.coalesce('notedOrders.buyerId', 'excluded.buyerId'),
          quantity: greatest(eb),
          isBought: true,
        }))
        .where('notedOrders.isBought', '=', false),
    )
    .returning(({ eb, ref }) => eb('quantity', '>', ref('returned')).$castTo<boolean>().as('stands'))
    .executeTakeFirst();
  return noted?.stands ?? false;
}

/** Records that a guest's order was saved to an account. */
export const noteClaim = (tx: Queryable, { orderId, eventId, quantity, buyerId }: OrderClaimedV1['data']) =>
  kysely(tx)
    .insertInto('notedOrders')
    .values({ orderId, eventId, buyerId, quantity })
    .onConflict((conflict) =>
      conflict.column('orderId').doUpdateSet((eb) => ({ ...excluded(eb, ['buyerId']), quantity: greatest(eb) })),
    )
    .execute();

/** Records that some or all tickets of an order were returned. */
export function noteReturn(tx: Queryable, { data }: RefundRequestedV1) {
  const { orderId, eventId, reason: endedBy } = data;
  const returned = data.requestId === null ? ALL_TICKETS : data.quantity;
  return kysely(tx)
    .insertInto('notedOrders')
    .values({ orderId, eventId, quantity: 0, returned, endedBy })
    .onConflict((conflict) =>
      conflict
        .column('orderId')
        .doUpdateSet((eb) => ({ ...excluded(eb, ['endedBy']), returned: eb('notedOrders.returned', '+', returned) })),
    )
    .execute();
}

/** Records that a lost dispute voided tickets, or that a won dispute made them valid again. The newest message wins. */
export const noteValidity = (tx: Queryable, { orderId, eventId, isVoid, version }: OrderValidityChangedV1['data']) =>
  kysely(tx)
    .insertInto('notedOrders')
    .values({ orderId, eventId, quantity: 0, isVoid, validityVersion: version })
    .onConflict((conflict) =>
      conflict
        .column('orderId')
        .doUpdateSet((eb) => excluded(eb, ['isVoid', 'validityVersion']))
        .whereRef('notedOrders.validityVersion', '<', 'excluded.validityVersion'),
    )
    .execute();

/** More tickets than an order can have. */
const ALL_TICKETS = 1_000_000;

/** The buyer of an order; undefined until ticketing's message arrives, null for a guest's order. */
export async function buyerOf(db: Queryable, orderId: string): Promise<number | null | undefined> {
  const order = await kysely(db)
    .selectFrom('notedOrders')
    .select('buyerId')
    .where('orderId', '=', orderId)
    .executeTakeFirst();
  return order?.buyerId;
}

/**
 * Accounts with tickets of an event, sorted by id. `also`: includes accounts whose tickets were returned for this
 * reason, because tickets are returned soon after a cancellation.
 */
export async function holdersOf(
  db: Queryable,
  eventId: number,
  { after, limit, also = '' }: { after: number; limit: number; also?: string },
): Promise<number[]> {
  const rows = await kysely(db)
    .selectFrom('notedOrders')
    .select('buyerId')
    .distinct()
    .where('eventId', '=', eventId)
    .where('buyerId', '>', after)
    .where(({ and, eb, or, ref }) =>
      or([and([eb('quantity', '>', ref('returned')), eb('isVoid', '=', false)]), eb('endedBy', '=', also)]),
    )
    .orderBy('buyerId')
    .limit(limit)
    .$narrowType<{ buyerId: number }>()
    .execute();
  return rows.map(({ buyerId }) => buyerId);
}
