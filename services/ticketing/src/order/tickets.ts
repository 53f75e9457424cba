import type { Pool } from 'pg';
import { centsToDollars } from '@beltway/contracts/common/basics';
import { admits } from '@beltway/contracts/ticketing/ticket-status';
import { type MyTicket, type Ticket, type TicketEvent } from '@beltway/contracts/ticketing/tickets';
import { int4s, uuids } from '@beltway/event-store';
import { batchLoader } from '@beltway/kit/batch-loader';
import { anyOf, type Of } from '@beltway/kit/kysely';
import { sql, type InferResult, type Kysely } from 'kysely';
import { statement, type Tables } from '../db.ts';
import type { Deps } from '../deps.ts';
import { listingsOf, ticketEvent } from '../listing/listings.ts';
import { orderNumber } from './number.ts';
import { IN_PAID_STATES, ticketStatusOf } from './status.ts';
import type { OrderRow } from './queries.ts';

/** `partRefundedAt` is when this ticket was refunded separately. */
const selectTickets = (db: Kysely<Tables>) =>
  db
    .selectFrom('tickets as t')
    .innerJoin('orders as o', 'o.orderId', 't.orderId')
    .leftJoin('checkouts as c', 'c.orderId', 't.orderId')
    .leftJoin('refundProgress as p', 'p.refundId', 't.refundId')
    .select(['t.id', 't.orderId', 't.eventId', 't.code', 't.type', 't.priceCents', 't.soldAt', 't.refundId'])
    .select(['c.holderName', 'c.holderEmail', 'c.refundedAt', 'c.reinstatedAt', 'c.number'])
    .select(['p.refundedAt as partRefundedAt', 'o.frozen', 'o.isVoid']);

type TicketRow = InferResult<ReturnType<typeof selectTickets>>[number];

/** A ticket as the API returns it; `price` is in dollars. Only tickets that admit get a signature. */
const asTicket = ({ signer }: Pick<Deps, 'signer'>, row: TicketRow, event: TicketEvent): Ticket => {
  const status = ticketStatusOf({ ...row, isReturned: row.refundId !== null }, event);
  return {
    id: row.id,
    orderId: row.orderId,
    orderNumber: orderNumber(row.number),
    eventId: row.eventId,
    purchaseDate: row.soldAt.toISOString(),
    ticketCode: row.code,
    qrCode: admits(status) ? signer.qrText(row) : null,
    ticketHolderName: row.holderName ?? '',
    ticketHolderEmail: row.holderEmail ?? '',
    ticketType: row.type,
    price: centsToDollars(row.priceCents),
    quantity: 1,
    status,
    isCheckedIn: false,
    checkedInAt: null,
  };
};

const ticketsOfOrders = statement((db, of: Of<{ orderIds: Buffer }>) =>
  selectTickets(db)
    .where('t.orderId', '=', anyOf<string>(of('orderIds')))
    .orderBy('t.orderId')
    .orderBy('t.ordinal'),
);

const rowsOfOrders = batchLoader(async (pool: Pool, orderIds: string[]) => {
  const rows = await ticketsOfOrders.rows(pool, { orderIds: uuids([...new Set(orderIds)]) });
  const of = Map.groupBy(rows, ({ orderId }) => orderId);
  return orderIds.map((orderId) => of.get(orderId) ?? []);
});

export async function ticketsOfOrder(
  deps: Pick<Deps, 'pool' | 'signer'>,
  { orderId }: Pick<OrderRow, 'orderId'>,
  event: TicketEvent,
): Promise<Ticket[]> {
  return (await rowsOfOrders(deps.pool, orderId)).map((row) => asTicket(deps, row, event));
}

/**
 * Maximum number of tickets in the list. A ticket with its event takes about 800 bytes, so the response stays below 256
 * KB.
 */
const MAX_OWN_TICKETS = 200;

const ticketsOfBuyers = statement((db, of: Of<{ buyerIds: Buffer }>) =>
  db
    .selectFrom(sql<{ buyerId: number }>`unnest(${of('buyerIds')}::int[])`.as<'b'>(sql.raw('b (buyer_id)')))
    .innerJoinLateral(
      () =>
        selectTickets(db)
          .where('o.buyerId', '=', sql.ref<number>('b.buyerId'))
          .where('o.status', 'in', IN_PAID_STATES)
          .orderBy('t.soldAt', 'desc')
          .orderBy('t.orderId')
          .orderBy('t.ordinal')
          .limit(sql.lit(MAX_OWN_TICKETS))
          .as('bought'),
      (join) => join.onTrue(),
    )
    .selectAll('bought')
    .select('b.buyerId'),
);

const boughtBy = batchLoader(async (pool: Pool, buyerIds: number[]) => {
  const rows = await ticketsOfBuyers.rows(pool, { buyerIds: int4s([...new Set(buyerIds)]) });
  // Each event is loaded once, not once per ticket.
  const listings = await listingsOf(pool, [...new Set(rows.map(({ eventId }) => eventId))]);
  const events = new Map(listings.map((listing) => [listing.eventId, ticketEvent(listing)]));
  const of = Map.groupBy(rows, ({ buyerId }) => buyerId);
  return buyerIds.map((buyerId) => ({ rows: of.get(buyerId) ?? [], events }));
});

/** The tickets that a user bought, newest purchase first. */
export async function ticketsOfBuyer(deps: Pick<Deps, 'pool' | 'signer'>, buyerId: number): Promise<MyTicket[]> {
  const { rows, events } = await boughtBy(deps.pool, buyerId);
  return rows.flatMap((row) => {
    const event = events.get(row.eventId);
    return event ? [{ ticket: asTicket(deps, row, event), event }] : [];
  });
}
