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

/** What is noted of an event; `eventDate` is the midnight of its day in New York. */
export type NotedEvent = Omit<RowOf<typeof notedEvents>, 'isAnnounced' | 'status'> & {
  status: 'published' | 'postponed' | 'canceled';
};

const ABOUT = [
  'ownerId',
  'title',
  'location',
  'eventDate',
  'eventStartTime',
  'eventEndTime',
  'status',
  'version',
] as const;
/** To be selected from `notedEvents as e`, beside the event's number. */
export const ABOUT_EVENT = ABOUT.map((field) => `e.${field}` as const);

const events = (db: Queryable) =>
  kysely(db)
    .selectFrom('notedEvents as e')
    .select(['e.eventId', ...ABOUT_EVENT])
    .$narrowType<Pick<NotedEvent, 'status'>>();

/** Undefined while the catalog has not said it here. */
export const notedEvent = (db: Queryable, eventId: number): Promise<NotedEvent | undefined> =>
  events(db).where('e.eventId', '=', eventId).executeTakeFirst();

/** How a change of an event is told; null: nothing of it that its buyers planned by. */
export type Change = 'time' | 'place' | 'time-and-place' | 'postponed' | 'rescheduled';

export function changeOf(before: NotedEvent, after: EventState): Change | null {
  if (before.status === 'canceled') return null;
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
  const before = await events(tx).where('e.eventId', '=', state.eventId).forUpdate().executeTakeFirst();
  if (before && before.version >= state.version) return null;
  const status = before?.status === 'canceled' ? 'canceled' : state.isPostponed ? 'postponed' : 'published';
  const { eventId, ownerId, title, location, eventDate, eventStartTime, eventEndTime, version } = state;
  await kysely(tx)
    .insertInto('notedEvents')
    .values({ eventId, ownerId, title, location, eventDate, eventStartTime, eventEndTime, status, version })
    .onConflict((conflict) => conflict.column('eventId').doUpdateSet((eb) => excluded(eb, ABOUT)))
    .execute();
  return before;
}

/** Throws while the event is not known here: its message waits as a dead letter, and is replayed after the other. */
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

/** True once for each event: its followers are to be told of it. False also for one that is canceled. */
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

/** An order's tickets: the larger number of the noted one and the new one. */
const greatest = ({
  fn,
  ref,
}: ExpressionBuilder<Tables & { excluded: Tables['notedOrders'] }, 'notedOrders' | 'excluded'>) =>
  fn<number>('greatest', [ref('notedOrders.quantity'), ref('excluded.quantity')]);

/** True once for each order, and only where tickets of it still stand: its end may have been heard of first. */
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

/** A guest's order belongs to an account from now on. */
export const noteClaim = (tx: Queryable, { orderId, eventId, quantity, buyerId }: OrderClaimedV1['data']) =>
  kysely(tx)
    .insertInto('notedOrders')
    .values({ orderId, eventId, buyerId, quantity })
    .onConflict((conflict) =>
      conflict.column('orderId').doUpdateSet((eb) => ({ ...excluded(eb, ['buyerId']), quantity: greatest(eb) })),
    )
    .execute();

/** Some tickets of an order, or all, were returned. */
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

/** A lost dispute makes tickets void, a won one valid again: the newest message counts. */
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

/** More than an order has. */
const ALL_TICKETS = 1_000_000;

/** Undefined: ticketing has not said it here; null: a guest's. */
export async function buyerOf(db: Queryable, orderId: string): Promise<number | null | undefined> {
  const order = await kysely(db)
    .selectFrom('notedOrders')
    .select('buyerId')
    .where('orderId', '=', orderId)
    .executeTakeFirst();
  return order?.buyerId;
}

/**
 * Accounts with tickets of an event, in the order of their numbers. `also`: those too whose tickets ended by this, as they do soon after
 * a cancellation.
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
