import type { Pool } from 'pg';
import { z } from 'zod';
import { centsToDollars } from '@beltway/contracts/common/basics';
import type { Attendee, AttendeePage, EventSales } from '@beltway/contracts/ticketing/tickets';
import type { Joined, RowOf } from '@beltway/kit/columns';
import { cursorOf, fromMicros, Micros, PlainText, readCursor, toMicros } from '@beltway/kit/cursor';
import { checkouts, orders } from '../columns.ts';
import type { Listing } from '../listing/listings.ts';
import { orderNumber, readOrderNumber } from '../order/number.ts';
import { PAID_STATES, ticketStatusOf } from '../order/status.ts';

const OF_ORDER = [
  ...(['orderId', 'status', 'heldAt', 'quantity', 'totalCents', 'returned', 'returnedCents'] as const),
  ...(['frozen', 'isVoid'] as const),
];
const OF_CHECKOUT = ['holderName', 'refundedAt', 'reinstatedAt', 'number'] as const;

type Row = Pick<RowOf<typeof orders>, (typeof OF_ORDER)[number]> &
  Joined<Pick<RowOf<typeof checkouts>, (typeof OF_CHECKOUT)[number]>> & {
    status: 'fulfilled' | 'refunding';
    /** `heldAt` with microseconds, for the cursor. */
    held: string;
  };

/** Status, when it was held, and the order's id. */
const Cursor = z.tuple([PlainText, Micros, z.guid()]);

/** Of an order that was refunded as a whole all of its tickets are shown, of another those that stand. */
const shown = ({ status, quantity, totalCents, returned, returnedCents }: Row) =>
  status === 'refunding'
    ? { quantity, amount: centsToDollars(totalCents) }
    : { quantity: quantity - returned, amount: centsToDollars(totalCents - returnedCents) };

/**
 * Orders of the event that got tickets, those with valid ones first, each in the order of their purchases; from the one
 * after `after` on. `search` is a part of a name, or an order number. Throws 400 `bad-cursor`.
 */
export async function attendeesOf(
  pool: Pool,
  event: Pick<Listing, 'eventId' | 'status'>,
  { limit, after, search = '' }: { limit: number; after?: string | undefined; search?: string | undefined },
): Promise<AttendeePage> {
  const [status, held, orderId] = after === undefined ? [] : readCursor(after, Cursor, ['after', 'next']);
  const { rows } = await pool.query<Row>(
    `select ${orders.select(OF_ORDER, 'o')}, ${toMicros('o.held_at')} as held, ${checkouts.select(OF_CHECKOUT, 'c')}
     from orders o left join checkouts c using (order_id)
     where o.event_id = $1 and o.status in ${PAID_STATES}
       and ($3::text is null or (o.status, o.held_at, o.order_id) > ($3, ${fromMicros('$4')}, $5::uuid))
       and ($6 = '' or position(lower($6) in lower(c.holder_name)) > 0 or c.number = $7)
       and (o.status = 'fulfilled' or exists (select from tickets t where t.order_id = o.order_id))
     order by o.status, o.held_at, o.order_id limit $2`,
    [event.eventId, limit + 1, status ?? null, held ?? null, orderId ?? null, search, readOrderNumber(search)],
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    attendees: page.map((row): Attendee => ({
      orderId: row.orderId,
      orderNumber: orderNumber(row.number),
      name: row.holderName ?? '',
      ...shown(row),
      status: ticketStatusOf({ ...row, isReturned: row.status === 'refunding' }, event),
      orderedAt: row.heldAt.toISOString(),
    })),
    next: rows.length > limit && last ? cursorOf([last.status, last.held, last.orderId]) : null,
  };
}

/** What the events of this organizer have sold; the fee is rounded for each order, as payments books it. */
export async function salesOfOrganiser(pool: Pool, organiserId: number): Promise<EventSales[]> {
  const { rows } = await pool.query<{ eventId: number; orders: string; tickets: string; taken: string; fee: string }>(
    `select o.event_id as "eventId", count(*) as orders, sum(o.quantity - o.returned) as tickets,
       sum(o.total_cents - o.returned_cents) as taken, sum(o.fee_cents) as fee
     from listings l join orders o on o.event_id = l.event_id and o.status = 'fulfilled' and not o.is_void
     where l.organiser_id = $1 group by o.event_id order by o.event_id`,
    [organiserId],
  );
  return rows.map(({ eventId, orders, tickets, taken, fee }) => ({
    eventId,
    orders: Number(orders),
    tickets: Number(tickets),
    revenue: centsToDollars(Number(taken)),
    fee: centsToDollars(Number(fee)),
    share: centsToDollars(Number(taken) - Number(fee)),
  }));
}
