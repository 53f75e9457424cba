import type { EventCanceledV1, EventPublishedV1, EventUpdatedV1 } from '@beltway/contracts/catalog/events';
import type {
  OrderClaimedV1,
  OrderValidityChangedV1,
  RefundRequestedV1,
  TicketPurchasedV1,
} from '@beltway/contracts/ticketing/tickets';
import { startOf } from '@beltway/contracts/common/times';
import type { RowOf } from '@beltway/kit/columns';
import { excluded } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import type { Insertable } from 'kysely';
import { kysely } from '../db.ts';
import type { galleryEvents, Tables } from '../generated/tables.ts';

export type GalleryEvent = Omit<RowOf<typeof galleryEvents>, 'status'> & {
  status: 'published' | 'postponed' | 'canceled';
};

/** Stores the title and start of an event, which photos need. */
export async function saveEvent({ data }: EventPublishedV1 | EventUpdatedV1, tx: Queryable): Promise<void> {
  const { eventId, title, isPostponed, isSuspended = false, version: catalogVersion } = data;
  const status = isPostponed ? 'postponed' : 'published';
  const row = { eventId, title, startsAt: startOf(data), status, isSuspended };
  await kysely(tx)
    .insertInto('galleryEvents')
    .values({ ...row, catalogVersion })
    .onConflict((conflict) =>
      conflict
        .column('eventId')
        .doUpdateSet((eb) => ({
          ...excluded(eb, ['title', 'startsAt', 'isSuspended', 'catalogVersion']),
          // A canceled event stays canceled, even if another message arrives late.
          status: eb
            .case('galleryEvents.status')
            .when('canceled')
            .then(eb.ref('galleryEvents.status'))
            .else(eb.ref('excluded.status'))
            .end(),
        }))
        .whereRef('galleryEvents.catalogVersion', '<=', 'excluded.catalogVersion'),
    )
    .execute();
}

/** If the event is still unknown, its `event-published` message adds the other fields later. */
export async function cancelEvent({ data, occurredAt }: EventCanceledV1, tx: Queryable): Promise<void> {
  const row = { eventId: data.eventId, title: '', startsAt: occurredAt, status: 'canceled', catalogVersion: 0 };
  await kysely(tx)
    .insertInto('galleryEvents')
    .values(row)
    .onConflict((conflict) => conflict.column('eventId').doUpdateSet((eb) => excluded(eb, ['status'])))
    .execute();
}

// An order's messages may arrive in any order, and dead letters even years late. Each message writes only its own
// columns.
const noteOrder = (tx: Queryable, row: Insertable<Tables['ticketOrders']>) =>
  kysely(tx)
    .insertInto('ticketOrders')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('orderId').doUpdateSet((eb) => ({
        buyerId: eb.fn.coalesce('ticketOrders.buyerId', 'excluded.buyerId'),
        bought: eb.fn<number>('greatest', ['ticketOrders.bought', 'excluded.bought']),
        returned: eb('ticketOrders.returned', '+', eb.ref('excluded.returned')),
        isReturned: eb.or([eb.ref('ticketOrders.isReturned'), eb.ref('excluded.isReturned')]).$castTo<boolean>(),
      })),
    )
    .execute();

/** Records the tickets of an order. A guest's order has no buyer. */
export async function noteTickets(
  { data: { orderId, eventId, buyerId, quantity } }: TicketPurchasedV1 | OrderClaimedV1,
  tx: Queryable,
): Promise<void> {
  await noteOrder(tx, { orderId, eventId, buyerId, bought: quantity, returned: 0, isReturned: false });
}

/** Records that some or all tickets of an order were returned. Not idempotent, so it must run once per message. */
export async function noteReturn({ data }: RefundRequestedV1, tx: Queryable): Promise<void> {
  const { orderId, eventId, quantity, requestId } = data;
  const isReturned = requestId === null;
  await noteOrder(tx, { orderId, eventId, bought: 0, returned: isReturned ? 0 : quantity, isReturned });
}

/**
 * A lost dispute voids tickets, and a won dispute makes them valid again; the message with the highest version wins.
 */
export async function noteValidity({ data }: OrderValidityChangedV1, tx: Queryable): Promise<void> {
  const { orderId, eventId, isVoid, version: validityVersion } = data;
  await kysely(tx)
    .insertInto('ticketOrders')
    .values({ orderId, eventId, bought: 0, returned: 0, isReturned: false, isVoid, validityVersion })
    .onConflict((conflict) =>
      conflict
        .column('orderId')
        .doUpdateSet((eb) => excluded(eb, ['isVoid', 'validityVersion']))
        .whereRef('ticketOrders.validityVersion', '<', 'excluded.validityVersion'),
    )
    .execute();
}

/** The latest known state of the event; undefined if the event is unknown. */
export const eventById = (db: Queryable, eventId: number): Promise<GalleryEvent | undefined> =>
  kysely(db)
    .selectFrom('galleryEvents')
    .selectAll()
    .where('eventId', '=', eventId)
    .$narrowType<Pick<GalleryEvent, 'status'>>()
    .executeTakeFirst();

/** Whether the event has begun, and was neither canceled nor postponed before. */
export const hasBegun = ({ status, startsAt }: Pick<GalleryEvent, 'status' | 'startsAt'>, now: Date): boolean =>
  status === 'published' && startsAt <= now;

/** An account's valid tickets that were not refunded. */
const held = (db: Queryable, userId: number) =>
  kysely(db)
    .selectFrom('ticketOrders as o')
    .where('o.buyerId', '=', userId)
    .where('o.isReturned', '=', false)
    .where('o.isVoid', '=', false)
    .whereRef('o.bought', '>', 'o.returned');

/** Whether the account holds a valid ticket of the event. */
export async function holdsTicket(db: Queryable, userId: number, eventId: number): Promise<boolean> {
  const order = held(db, userId).select('o.orderId').where('o.eventId', '=', eventId).limit(1);
  return (await order.executeTakeFirst()) !== undefined;
}

/** Events for which the account holds a valid ticket, latest first. */
export const eventsHeld = (db: Queryable, userId: number): Promise<GalleryEvent[]> =>
  held(db, userId)
    .innerJoin('galleryEvents as e', 'e.eventId', 'o.eventId')
    .distinctOn(['e.startsAt', 'e.eventId'])
    .selectAll('e')
    .where('e.status', '=', 'published')
    .orderBy('e.startsAt', 'desc')
    .orderBy('e.eventId', 'desc')
    .limit(200)
    .$narrowType<Pick<GalleryEvent, 'status'>>()
    .execute();
