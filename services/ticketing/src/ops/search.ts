import type { Pool } from 'pg';
import { z } from 'zod';
import type { FoundOrder, FoundOrders } from '@beltway/contracts/ops/timelines';
import type { RowOf } from '@beltway/kit/columns';
import { cursorOf, fromMicros, Micros, readCursor, toMicros } from '@beltway/kit/cursor';
import { checkouts, listings, orders } from '../columns.ts';
import { orderNumber, readOrderNumber } from '../order/number.ts';

const OF_ORDER = ['orderId', 'eventId', 'quantity', 'totalCents', 'status', 'heldAt'] as const;
type Row = Pick<RowOf<typeof orders>, (typeof OF_ORDER)[number]> &
  Pick<RowOf<typeof checkouts>, 'number'> & {
    title: string | null;
    /** In microseconds, for the cursor. */
    held: string;
  };

const PAGE = 20;
const SELECT = `select ${orders.select(OF_ORDER, 'o')}, ${toMicros('o.held_at')} as held, ${checkouts.select(['number'], 'c')}, ${listings.select(['title'], 'l')}
  from orders o left join checkouts c using (order_id) left join listings l on l.event_id = o.event_id`;
const NEWEST = `order by o.held_at desc, o.order_id desc limit ${PAGE + 1}`;

const toFound = ({ orderId, eventId, title, quantity, totalCents, status, heldAt, number }: Row): FoundOrder => ({
  ...{ orderId, eventId, eventTitle: title, quantity, status },
  orderNumber: orderNumber(number),
  amountCents: totalCents,
  heldAt: heldAt.toISOString(),
});

/** When it was held, and the order's id. */
const Cursor = z.tuple([Micros, z.uuid()]);

const INTENT = /^pi_\w{6,200}$/;
/** As typed, with its hyphens or without. */
const TICKET_CODE = /^[0-9A-HJKMNP-TV-Z]{12}$/;
const asCode = (letters: string) => `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`;
/** `%` and `_` of a text are themselves in `like`. */
const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** Ids of the orders that a text names by an id, a code, a payment or a number; undefined: it is an address, or nothing of ours. */
function namedBy(q: string): { text: string; values: unknown[] } | undefined {
  if (z.uuid().safeParse(q).success)
    return {
      text: `select order_id from orders where order_id = $1::uuid union select order_id from tickets where id = $1::uuid
             union select order_id from order_refunds where refund_id = $1::uuid`,
      values: [q],
    };
  if (INTENT.test(q))
    // An order that was paid by another intent than the last one has it in its log alone; payments knows that one.
    return { text: 'select order_id from checkouts where payment_id = $1', values: [q] };
  const letters = q.toUpperCase().replace(/[\s-]/g, '');
  if (TICKET_CODE.test(letters))
    return { text: 'select order_id from tickets where code = $1', values: [asCode(letters)] };
  const number = readOrderNumber(q);
  if (number !== null) return { text: 'select order_id from checkouts where number = $1', values: [number] };
  return undefined;
}

/**
 * The orders that a text names: an order's id or number, a ticket's id or code, a refund's id, the provider's intent, or a buyer's address,
 * all of it. Newest first. 400 `bad-cursor`.
 */
export async function findOrders(pool: Pool, q: string, cursor: string | undefined): Promise<FoundOrders> {
  const named = namedBy(q);
  if (!named && !q.includes('@')) return { orders: [], nextCursor: null };
  const [heldAt, orderId] = cursor === undefined ? [null, null] : readCursor(cursor, Cursor);
  // The index finds a part of name and address; of these the address must be the same.
  const { rows } = named
    ? await pool.query<Row>(`${SELECT} where o.order_id in (${named.text}) ${NEWEST}`, named.values)
    : await pool.query<Row>(
        `${SELECT} where lower(c.holder_name || E'\\n' || c.holder_email) like $1 and lower(c.holder_email) = $2
           and ($3::bigint is null or (o.held_at, o.order_id) < (${fromMicros('$3')}, $4::uuid)) ${NEWEST}`,
        [`%${literally(q.toLowerCase())}`, q.toLowerCase(), heldAt, orderId],
      );
  const page = rows.slice(0, PAGE);
  const last = page.at(-1);
  return {
    orders: page.map(toFound),
    nextCursor: rows.length > PAGE && last ? cursorOf([last.held, last.orderId]) : null,
  };
}
