import { centsToDollars } from '@beltway/contracts/common/basics';
import type { OrderLine } from '@beltway/contracts/ticketing/order-lines';
import type { Customer, CustomerFilter, CustomerPage } from '@beltway/contracts/ticketing/customers';
import type { Joined, RowOf } from '@beltway/kit/columns';
import type { Queryable } from '@beltway/kit/postgres';
import { fromMicros, toMicros, cursorOf, Micros, readCursor as read } from '@beltway/kit/cursor';
import { z } from 'zod';
import { checkouts, listings, orders } from '../generated/tables.ts';
import { orderNumber, readOrderNumber } from '../order/number.ts';
import { isPaid, ORDER_STATES, PAID_STATES, refundStateOf, type OrderState } from '../order/status.ts';

/** Whose purchases: of one organizer's events, or all. */
export interface Scope {
  organizerId: number | null;
}

/** Orders that were paid: with tickets, or with the money on its way back. As the partial indexes have it. */
const PAID = `o.status in ${PAID_STATES}`;
/** Somebody is at the checkout. Holds without one are nobody's yet. */
const PENDING = `o.status = 'held'`;

/** As the index `checkouts_text` has it. */
const BUYER_TEXT = `lower(c.holder_name || E'\\n' || c.holder_email)`;

/** A purchase's place in the list. `$1`: how many; `$2`, `$3`: after which place. */
const KEY = 'o.order_id, o.held_at';
const AFTER = `(o.held_at, o.order_id) < (${fromMicros('$2')}, $3::uuid)`;
const NEWEST = 'order by held_at desc, order_id desc limit $1';

/** At most so many orders and events that a text names are looked at one by one; what names more is common, and found on the way. */
const MAX_NAMED_ORDERS = 2_000;
const MAX_NAMED_EVENTS = 500;
/** A part of a word that trigrams can find. */
const MIN_INDEXED = 3;

/** A text as `like` finds it anywhere: `%` and `_` are themselves. */
const anywhere = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;

/** What a text is looked for by. */
interface Search {
  pattern: string;
  number: number | null;
  /** The few purchases and events that it names; undefined: all are looked through, the newest first. */
  named?: { orderIds: string[]; eventIds: number[] };
}

/** Prepares the search for a text, once for all pages; undefined where nothing is looked for. */
export async function prepareSearch(
  db: Queryable,
  { organizerId }: Scope,
  q: string | undefined,
): Promise<Search | undefined> {
  if (!q) return undefined;
  const search: Search = { pattern: anywhere(q), number: readOrderNumber(q) };
  if ([...q].length < MIN_INDEXED) return search;
  const [found, events] = await Promise.all([
    db.query<{ orderId: string }>(
      `(select c.order_id as "orderId" from checkouts c where ${BUYER_TEXT} like $1 limit ${MAX_NAMED_ORDERS + 1})
       union all select c.order_id from checkouts c where c.number = $2`,
      [search.pattern, search.number],
    ),
    db.query<{ eventId: number }>(
      `select event_id as "eventId" from listings where lower(title) like $1 and ($2::int is null or organizer_id = $2)
       limit ${MAX_NAMED_EVENTS + 1}`,
      [search.pattern, organizerId],
    ),
  ]);
  if (found.rows.length > MAX_NAMED_ORDERS || events.rows.length > MAX_NAMED_EVENTS) return search;
  const orderIds = [...new Set(found.rows.map(({ orderId }) => orderId))];
  return { ...search, named: { orderIds, eventIds: events.rows.map(({ eventId }) => eventId) } };
}

/** The statement that finds the places of a page, and its values from `$4` on. */
function placesOf({ organizerId }: Scope, status: CustomerFilter['status'], search: Search | undefined) {
  const values: unknown[] = [];
  const value = (of: unknown): string => `$${values.push(of) + 3}`;
  const wanted = [...(status === 'pending' ? [] : [PAID]), ...(status === 'paid' ? [] : [PENDING])];
  const own = organizerId === null ? '' : `and l.organizer_id = ${value(organizerId)}`;
  const branch = (from: string, where: string) => `(select ${KEY} from ${from} where ${AFTER} and ${where} ${NEWEST})`;
  /** The newest of each of these events, by the index that has them so: as few rows as there can be. */
  const ofEach = (events: string, matches = '') =>
    branch(
      `${events} cross join unnest(array[${ORDER_STATES.filter(isPaid).map((state) => `'${state}'`)}]) paid (status) cross join lateral (
         select ${KEY} from orders o where o.event_id = e.event_id and o.status = paid.status and ${PAID} and ${AFTER} ${matches} ${NEWEST}
       ) o`,
      'true',
    );

  if (search?.named) {
    const { orderIds, eventIds } = search.named;
    const named = value(orderIds);
    const events = eventIds.length > 0 && `${value(eventIds)}::int[]`;
    const texts = [
      branch(
        `orders o join checkouts c using (order_id) join listings l using (event_id)`,
        `o.order_id = any(${named}::uuid[]) ${own} and (${wanted.join(' or ')})`,
      ),
    ];
    if (events && status !== 'pending') texts.push(ofEach(`unnest(${events}) e (event_id)`));
    if (events && status !== 'paid')
      texts.push(branch('orders o join checkouts c using (order_id)', `${PENDING} and o.event_id = any(${events})`));
    return { text: texts.join(' union '), values };
  }

  // Subqueries, not joins: so the list is walked in its order until the page is full, however common the text is.
  const buyer = (condition: string) => `(select ${condition} from checkouts c where c.order_id = o.order_id)`;
  const matches = search
    ? `and (${buyer(`${BUYER_TEXT} like ${value(search.pattern)} or c.number = ${value(search.number)}::bigint`)}
         or (select lower(m.title) like ${value(search.pattern)} from listings m where m.event_id = o.event_id))`
    : '';
  const texts: string[] = [];
  if (status !== 'pending')
    texts.push(
      organizerId === null
        ? branch('orders o', `${PAID} ${matches}`)
        : ofEach(`(select l.event_id from listings l where true ${own}) e`, matches),
    );
  if (status !== 'paid')
    texts.push(
      branch(
        'orders o join checkouts c using (order_id) join listings l using (event_id)',
        `${PENDING} ${own} ${matches}`,
      ),
    );
  return { text: texts.join(' union all '), values };
}

const OF_ORDER = ['orderId', 'status', 'heldAt', 'quantity', 'returned', 'isVoid', 'lines', 'totalCents'] as const;
const OF_CHECKOUT = ['holderName', 'holderEmail', 'refundedAt', 'reinstatedAt', 'number'] as const;
const OF_LISTING = ['title', 'location', 'eventDate'] as const;

type Row = Pick<RowOf<typeof orders>, (typeof OF_ORDER)[number]> &
  Joined<Pick<RowOf<typeof checkouts>, (typeof OF_CHECKOUT)[number]>> &
  Pick<RowOf<typeof listings>, (typeof OF_LISTING)[number]> & {
    status: OrderState;
    lines: OrderLine[];
    heldMicros: string;
    ticketId: string | null;
  };

const ROWS = `select ${orders.select(OF_ORDER, 'o')}, ${checkouts.select(OF_CHECKOUT, 'c')}, ${listings.select(OF_LISTING, 'l')},
    t.id as "ticketId", ${toMicros('o.held_at')} as "heldMicros"
  from places join orders o using (order_id) join listings l on l.event_id = o.event_id
    left join checkouts c on c.order_id = o.order_id left join tickets t on t.order_id = o.order_id and t.ordinal = 1
  order by o.held_at desc, o.order_id desc`;

const customerOf = (row: Row): Customer => ({
  id: row.orderId,
  orderNumber: orderNumber(row.number),
  customerName: row.holderName ?? '',
  customerEmail: row.holderEmail ?? '',
  eventTitle: row.title,
  ticketPrice: centsToDollars(row.lines[0]!.priceCents),
  quantity: row.quantity,
  totalAmount: centsToDollars(row.totalCents),
  purchaseDate: row.heldAt.toISOString(),
  paymentStatus: row.status === 'held' ? 'pending' : 'completed',
  returnedTickets: row.returned,
  refund: refundStateOf(row),
  ticketId: row.ticketId,
  eventDate: row.eventDate.toISOString(),
  eventLocation: row.location,
});

/** A page of purchases, the newest first, from the one after `cursor` on. Throws 400 `bad-cursor`. */
export async function customersOf(
  db: Queryable,
  scope: Scope,
  {
    search,
    status,
    cursor,
    limit,
  }: {
    search?: Search | undefined;
    status: CustomerFilter['status'];
    cursor?: string | undefined;
    limit: number;
  },
): Promise<CustomerPage> {
  const { heldMicros, orderId } = cursor === undefined ? START : readCursor(cursor);
  const places = placesOf(scope, status, search);
  const { rows } = await db.query<Row>(
    `with places as (select order_id, held_at from (${places.text}) found ${NEWEST}) ${ROWS}`,
    [limit + 1, heldMicros, orderId, ...places.values],
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { items: page.map(customerOf), nextCursor: rows.length > limit && last ? toCursor(last) : null };
}

/** A place in the list, which goes from the newest order to the oldest. */
export interface Place {
  /** When it was held. */
  heldMicros: string;
  orderId: string;
}

/** Before the first page: later than any purchase, and still a number of microseconds that PostgreSQL accepts. */
export const START: Place = { heldMicros: '99999999999999999', orderId: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

const Cursor = z.tuple([Micros, z.guid()]);

export const toCursor = ({ heldMicros, orderId }: Place): string => cursorOf([heldMicros, orderId]);

/** Throws 400 `bad-cursor` for a cursor that no page returned. */
export function readCursor(text: string): Place {
  const [heldMicros, orderId] = read(text, Cursor);
  return { heldMicros, orderId };
}
