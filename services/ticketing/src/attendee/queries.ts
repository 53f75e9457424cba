import type { Pool } from 'pg';
import { z } from 'zod';
import { centsToDollars } from '@beltway/contracts/common/basics';
import type { Attendee, AttendeePage, EventSales } from '@beltway/contracts/ticketing/tickets';
import { cursorOf, Micros, PlainText, readCursor } from '@beltway/kit/cursor';
import { fromMicros, toMicros } from '@beltway/kit/kysely';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import type { Listing } from '../listing/listings.ts';
import { orderNumber, readOrderNumber } from '../order/number.ts';
import { IN_PAID_STATES, ticketStatusOf } from '../order/status.ts';
import { patternsOf } from '../order/search-words.ts';

/** The cursor: the order's status, the time of its hold, and the order's id. */
const Cursor = z.tuple([PlainText, Micros, z.guid()]);

/**
 * The quantity and amount of an order. If the whole order was refunded, counts all of its tickets; otherwise only those
 * that were not returned.
 */
const shown = ({ status, quantity, totalCents, returned, returnedCents }: Purchase) =>
  status === 'refunding'
    ? { quantity, amount: centsToDollars(totalCents) }
    : { quantity: quantity - returned, amount: centsToDollars(totalCents - returnedCents) };

type Purchase = Record<'quantity' | 'totalCents' | 'returned' | 'returnedCents', number> & { status: string };

/**
 * Matches names in the same way as the search of customers. Uses no index, because an event has few enough orders to
 * read them all.
 */
function nameMatches(search: string) {
  const { whole, each } = patternsOf(search);
  const name = sql`fold_text(' ' || c.holder_name)`;
  const words = each.map((pattern) => sql`${name} like ${pattern}`);
  return words.length === 0
    ? sql<boolean>`${name} like ${whole}`
    : sql<boolean>`(${name} like ${whole} or (${sql.join(words, sql` and `)}))`;
}

/**
 * A part of the list of the event's orders that got tickets, after the cursor `after`. Orders that still have tickets
 * come first; then the list is sorted by the time of the hold. `search`: a part of a name, or an order number. Throws
 * 400 `bad-cursor`.
 */
export async function attendeesOf(
  pool: Pool,
  event: Pick<Listing, 'eventId' | 'status'>,
  { limit, after, search = '' }: { limit: number; after?: string | undefined; search?: string | undefined },
): Promise<AttendeePage> {
  const [status, held, orderId] = after === undefined ? [] : readCursor(after, Cursor, ['after', 'next']);
  const rows = await kysely(pool)
    .selectFrom('orders as o')
    .leftJoin('checkouts as c', 'c.orderId', 'o.orderId')
    .select(['o.orderId', 'o.status', 'o.heldAt', 'o.quantity', 'o.totalCents', 'o.returned', 'o.returnedCents'])
    .select(['o.frozen', 'o.isVoid', 'c.holderName', 'c.refundedAt', 'c.reinstatedAt', 'c.number'])
    .select(toMicros('o.heldAt').as('held'))
    .where('o.eventId', '=', event.eventId)
    .where('o.status', 'in', IN_PAID_STATES)
    .$if(status !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('o.status', 'o.heldAt', 'o.orderId'), '>', eb.tuple(status!, fromMicros(held), orderId!)),
      ),
    )
    .$if(search !== '', (query) =>
      query.where((eb) =>
        eb.or([nameMatches(search), eb('c.number', '=', sql<string>`${readOrderNumber(search)}::bigint`)]),
      ),
    )
    .where((eb) =>
      eb.or([
        eb('o.status', '=', sql.lit('fulfilled')),
        eb.exists(eb.selectFrom('tickets as t').select('t.id').whereRef('t.orderId', '=', 'o.orderId')),
      ]),
    )
    .orderBy('o.status')
    .orderBy('o.heldAt')
    .orderBy('o.orderId')
    .limit(limit + 1)
    .execute();
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

/** Sales of this organizer's events. The fee is rounded per order, as in payments. */
export async function salesOfOrganizer(pool: Pool, organizerId: number): Promise<EventSales[]> {
  const rows = await kysely(pool)
    .selectFrom('listings as l')
    .innerJoin('orders as o', 'o.eventId', 'l.eventId')
    .select(({ fn }) => [
      'o.eventId',
      fn.countAll<string>().as('orders'),
      sql<string>`sum(o.quantity - o.returned)`.as('tickets'),
      sql<string>`sum(o.total_cents - o.returned_cents)`.as('taken'),
      fn.sum<string>('o.feeCents').as('fee'),
    ])
    .where('o.status', '=', sql.lit('fulfilled'))
    .where('o.isVoid', '=', sql.lit(false))
    .where('l.organizerId', '=', organizerId)
    .groupBy('o.eventId')
    .orderBy('o.eventId')
    .execute();
  return rows.map(({ eventId, orders, tickets, taken, fee }) => ({
    eventId,
    orders: Number(orders),
    tickets: Number(tickets),
    revenue: centsToDollars(Number(taken)),
    fee: centsToDollars(Number(fee)),
    share: centsToDollars(Number(taken) - Number(fee)),
  }));
}
