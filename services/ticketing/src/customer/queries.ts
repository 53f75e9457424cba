import { centsToDollars } from '@beltway/contracts/common/basics';
import type { OrderLine } from '@beltway/contracts/ticketing/order-lines';
import type { Customer, CustomerFilter, CustomerPage } from '@beltway/contracts/ticketing/customers';
import type { Joined, RowOf } from '@beltway/kit/columns';
import type { Queryable } from '@beltway/kit/postgres';
import { fromMicros, toMicros, cursorOf, Micros, readCursor as read } from '@beltway/kit/cursor';
import { z } from 'zod';
import { checkouts, listings, orders } from '../generated/tables.ts';
import { orderNumber, readOrderNumber } from '../order/number.ts';
import { foldText, matchesPatterns, patternsOf, type WordPatterns } from '../order/search-words.ts';
import { isPaid, ORDER_STATES, PAID_STATES, refundStateOf, type OrderState } from '../order/status.ts';

/** The events whose orders are read: those of one organizer; null: all events. */
export interface Scope {
  organizerId: number | null;
}

/** Paid orders, which have tickets or a refund. The SQL text must be the same as in the partial indexes. */
const PAID = `o.status in ${PAID_STATES}`;
/** Orders in checkout. A hold without a checkout has no known buyer. */
const PENDING = `o.status = 'held'`;

/** These expressions must be the same as in the indexes `checkouts_folded` and `listings_folded`. */
const BUYER_TEXT = `fold_text(' ' || c.holder_name || E'\\n ' || c.holder_email)`;
const titleOf = (listing: string) => `fold_text(' ' || ${listing}.title)`;

/** Keyset pagination. `$1`: page size; `$2`, `$3`: the key of the last row. */
const KEY = 'o.order_id, o.held_at';
const AFTER = `(o.held_at, o.order_id) < (${fromMicros('$2')}, $3::uuid)`;
const NEWEST = 'order by held_at desc, order_id desc limit $1';

/**
 * If a search text matches more orders or events than this, the query scans all orders, beginning with the newest.
 * Matches are then so frequent that they fill the page quickly.
 */
const MAX_NAMED_ORDERS = 2_000;
const MAX_NAMED_EVENTS = 500;
/** The shortest text that a trigram index can find. */
const MIN_INDEXED = 3;

interface Search {
  patterns: WordPatterns;
  number: number | null;
  /** The matching orders and events, if there are few. undefined if all orders must be scanned, newest first. */
  named?: { orderIds: string[]; eventIds: number[] };
}

/** Collects the values of a statement, numbered after `before` earlier ones. */
class Placeholders {
  readonly values: unknown[] = [];
  readonly #before: number;
  constructor(before: number) {
    this.#before = before;
  }
  readonly add = (value: unknown): string => `$${this.values.push(value) + this.#before}`;
}

/** Prepares a search once, for all pages of the list. undefined if there is no search text. */
export async function prepareSearch(
  db: Queryable,
  { organizerId }: Scope,
  q: string | undefined,
): Promise<Search | undefined> {
  if (!q) return undefined;
  const search: Search = { patterns: patternsOf(q), number: readOrderNumber(q) };
  if (
    !foldText(q)
      .split(/\s+/)
      .some((word) => [...word].length >= MIN_INDEXED)
  )
    return search;
  const ofBuyers = new Placeholders(1);
  const ofTitles = new Placeholders(1);
  const [found, events] = await Promise.all([
    db.query<{ orderId: string }>(
      `(select c.order_id as "orderId" from checkouts c where ${matchesPatterns(BUYER_TEXT, search.patterns, ofBuyers.add)} limit ${MAX_NAMED_ORDERS + 1})
       union all select c.order_id from checkouts c where c.number = $1`,
      [search.number, ...ofBuyers.values],
    ),
    db.query<{ eventId: number }>(
      `select event_id as "eventId" from listings l where ${matchesPatterns(titleOf('l'), search.patterns, ofTitles.add)}
         and ($1::int is null or organizer_id = $1)
       limit ${MAX_NAMED_EVENTS + 1}`,
      [organizerId, ...ofTitles.values],
    ),
  ]);
  if (found.rows.length > MAX_NAMED_ORDERS || events.rows.length > MAX_NAMED_EVENTS) return search;
  const orderIds = [...new Set(found.rows.map(({ orderId }) => orderId))];
  return { ...search, named: { orderIds, eventIds: events.rows.map(({ eventId }) => eventId) } };
}

/** The statement that finds the keys of a page, and its values, which begin with `$4`. */
function placesOf({ organizerId }: Scope, status: CustomerFilter['status'], search: Search | undefined) {
  const { values, add: value } = new Placeholders(3);
  const wanted = [...(status === 'pending' ? [] : [PAID]), ...(status === 'paid' ? [] : [PENDING])];
  const own = organizerId === null ? '' : `and l.organizer_id = ${value(organizerId)}`;
  const branch = (from: string, where: string) => `(select ${KEY} from ${from} where ${AFTER} and ${where} ${NEWEST})`;
  /** Selects the newest orders of each of these events, because an index with this order then reads the fewest rows. */
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

  // Uses subqueries instead of joins, so that the scan keeps its order and stops when the page is full, even if the
  // text matches many orders.
  const buyer = (condition: string) => `(select ${condition} from checkouts c where c.order_id = o.order_id)`;
  const matches = search
    ? `and (${buyer(`${matchesPatterns(BUYER_TEXT, search.patterns, value)} or c.number = ${value(search.number)}::bigint`)}
         or (select ${matchesPatterns(titleOf('m'), search.patterns, value)} from listings m where m.event_id = o.event_id))`
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

/** A part of the list of orders, newest first, after `cursor`. Throws 400 `bad-cursor`. */
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

/** A position in the list of orders, newest first. */
export interface Place {
  /** The time of the hold, in microseconds. */
  heldMicros: string;
  orderId: string;
}

/**
 * The position before the first page of the list. Its time is later than any order, but still a number of microseconds
 * that PostgreSQL accepts.
 */
export const START: Place = { heldMicros: '99999999999999999', orderId: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

const Cursor = z.tuple([Micros, z.guid()]);

export const toCursor = ({ heldMicros, orderId }: Place): string => cursorOf([heldMicros, orderId]);

/** Parses a cursor. Throws 400 `bad-cursor` if the text is not a cursor that this list returns. */
export function readCursor(text: string): Place {
  const [heldMicros, orderId] = read(text, Cursor);
  return { heldMicros, orderId };
}
