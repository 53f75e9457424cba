import type { Pool } from 'pg';
import { centsToDollars } from '@beltway/contracts/common/basics';
import { admits } from '@beltway/contracts/ticketing/ticket-status';
import { type MyTicket, type Ticket, type TicketEvent } from '@beltway/contracts/ticketing/tickets';
import { int4s, uuids } from '@beltway/event-store';
import { batchLoader } from '@beltway/kit/batch-loader';
import type { Joined, RowOf } from '@beltway/kit/columns';
import { checkouts, orders, refundProgress, tickets } from '../columns.ts';
import type { Deps } from '../deps.ts';
import { listingsOf, ticketEvent } from '../listing/listings.ts';
import { orderNumber } from './number.ts';
import { PAID_STATES, ticketStatusOf } from './status.ts';
import type { OrderRow } from './queries.ts';

const OF_TICKET = ['id', 'orderId', 'eventId', 'code', 'type', 'priceCents', 'soldAt', 'refundId'] as const;
const OF_CHECKOUT = ['holderName', 'holderEmail', 'refundedAt', 'reinstatedAt', 'number'] as const;

type TicketRow = Pick<RowOf<typeof tickets>, (typeof OF_TICKET)[number]> &
  Joined<Pick<RowOf<typeof checkouts>, (typeof OF_CHECKOUT)[number]>> & {
    /** When the money of this ticket alone went back. */
    partRefundedAt: Date | null;
  } & Pick<OrderRow, 'frozen' | 'isVoid'>;

const COLUMNS = `${tickets.select(OF_TICKET, 't')}, ${checkouts.select(OF_CHECKOUT, 'c')},
  p.${refundProgress.column('refundedAt')} as "partRefundedAt", o.frozen, o.${orders.column('isVoid')} as "isVoid"`;
const BESIDE = 'left join checkouts c using (order_id) left join refund_progress p on p.refund_id = t.refund_id';

/** A ticket as the API answers it; `price` in dollars. Only what admits is signed. */
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

const rowsOfOrders = batchLoader(async (pool: Pool, orderIds: string[]) => {
  const { rows } = await pool.query<TicketRow>({
    name: 'tickets-of-orders',
    text: `select ${COLUMNS} from tickets t join orders o using (order_id) ${BESIDE} where t.order_id = any($1) order by t.order_id, t.ordinal`,
    values: [uuids([...new Set(orderIds)])],
  });
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

/** Each with its event is some 800 bytes: a list stays under 256 KB. */
const MAX_OWN_TICKETS = 200;

const boughtBy = batchLoader(async (pool: Pool, buyerIds: number[]) => {
  const { rows } = await pool.query<TicketRow & { buyerId: number }>({
    name: 'tickets-of-buyers',
    text: `select buyer as "buyerId", bought.* from unnest($1::int[]) buyer cross join lateral (
             select ${COLUMNS} from orders o join tickets t using (order_id) ${BESIDE}
             where o.buyer_id = buyer and o.status in ${PAID_STATES} order by t.sold_at desc, t.order_id, t.ordinal limit ${MAX_OWN_TICKETS}
           ) bought`,
    values: [int4s([...new Set(buyerIds)])],
  });
  // An event stands once, not once for each of its tickets.
  const listings = await listingsOf(pool, [...new Set(rows.map(({ eventId }) => eventId))]);
  const events = new Map(listings.map((listing) => [listing.eventId, ticketEvent(listing)]));
  const of = Map.groupBy(rows, ({ buyerId }) => buyerId);
  return buyerIds.map((buyerId) => ({ rows: of.get(buyerId) ?? [], events }));
});

/** The tickets a user bought, newest purchase first. */
export async function ticketsOfBuyer(deps: Pick<Deps, 'pool' | 'signer'>, buyerId: number): Promise<MyTicket[]> {
  const { rows, events } = await boughtBy(deps.pool, buyerId);
  return rows.flatMap((row) => {
    const event = events.get(row.eventId);
    return event ? [{ ticket: asTicket(deps, row, event), event }] : [];
  });
}
