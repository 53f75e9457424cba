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

/** Keeps of an event what its photos need: its title, and when it begins. */
export async function saveEvent({ data }: EventPublishedV1 | EventUpdatedV1, tx: Queryable): Promise<void> {
  const { eventId, title, isPostponed, version: catalogVersion } = data;
  const row = { eventId, title, startsAt: startOf(data), status: isPostponed ? 'postponed' : 'published' };
  await kysely(tx)
    .insertInto('galleryEvents')
    .values({ ...row, catalogVersion })
    .onConflict((conflict) =>
      conflict
        .column('eventId')
        .doUpdateSet((eb) => ({
          ...excluded(eb, ['title', 'startsAt', 'catalogVersion']),
          // A canceled event stays canceled, whatever arrives late.
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

/** Of an event that was not heard of before, the rest comes later. */
export async function cancelEvent({ data, occurredAt }: EventCanceledV1, tx: Queryable): Promise<void> {
  const row = { eventId: data.eventId, title: '', startsAt: occurredAt, status: 'canceled', catalogVersion: 0 };
  await kysely(tx)
    .insertInto('galleryEvents')
    .values(row)
    .onConflict((conflict) => conflict.column('eventId').doUpdateSet((eb) => excluded(eb, ['status'])))
    .execute();
}

// What is told of an order may come in any order, from dead letters even years late: each message adds its own part.
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

/** Notes who has tickets of an event. A guest's order has no buyer. */
export async function noteTickets(
  { data: { orderId, eventId, buyerId, quantity } }: TicketPurchasedV1 | OrderClaimedV1,
  tx: Queryable,
): Promise<void> {
  await noteOrder(tx, { orderId, eventId, buyerId, bought: quantity, returned: 0, isReturned: false });
}

/** Notes that some tickets of an order, or all, were returned. To be done once for each message. */
export async function noteReturn({ data }: RefundRequestedV1, tx: Queryable): Promise<void> {
  const { orderId, eventId, quantity, requestId } = data;
  const isReturned = requestId === null;
  await noteOrder(tx, { orderId, eventId, bought: 0, returned: isReturned ? 0 : quantity, isReturned });
}

/** A lost dispute makes tickets void, a won one valid again: the newest message counts. */
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

/** The event as catalog said it last; undefined where nothing was heard of it. */
export const eventById = (db: Queryable, eventId: number): Promise<GalleryEvent | undefined> =>
  kysely(db)
    .selectFrom('galleryEvents')
    .selectAll()
    .where('eventId', '=', eventId)
    .$narrowType<Pick<GalleryEvent, 'status'>>()
    .executeTakeFirst();

/** Whether the event has begun, and was not canceled or put off before it did. */
export const hasBegun = ({ status, startsAt }: Pick<GalleryEvent, 'status' | 'startsAt'>, now: Date): boolean =>
  status === 'published' && startsAt <= now;

/** Tickets of an account that were not refunded and are valid. */
const held = (db: Queryable, userId: number) =>
  kysely(db)
    .selectFrom('ticketOrders as o')
    .where('o.buyerId', '=', userId)
    .where('o.isReturned', '=', false)
    .where('o.isVoid', '=', false)
    .whereRef('o.bought', '>', 'o.returned');

/** Whether the account holds a ticket of the event that was not refunded. */
export async function holdsTicket(db: Queryable, userId: number, eventId: number): Promise<boolean> {
  const order = held(db, userId).select('o.orderId').where('o.eventId', '=', eventId).limit(1);
  return (await order.executeTakeFirst()) !== undefined;
}

/** Events that the account holds a ticket of which was not refunded, latest first. */
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
