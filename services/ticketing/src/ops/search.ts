import type { Pool } from 'pg';
import { z } from 'zod';
import type { FoundOrder, FoundOrders } from '@beltway/contracts/ops/timelines';
import { cursorOf, Micros, readCursor } from '@beltway/kit/cursor';
import { behind, newestFirst, toMicros } from '@beltway/kit/kysely';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import { orderNumber, readOrderNumber } from '../order/number.ts';

const PAGE = 20;
const ORDER = ['o.heldAt', 'o.orderId'];

/** The cursor: the time of the order's hold, and the order's id. */
const Cursor = z.tuple([Micros, z.uuid()]);

const INTENT = /^pi_\w{6,200}$/;
/** A ticket code without its hyphens. */
const TICKET_CODE = /^[0-9A-HJKMNP-TV-Z]{12}$/;
const asCode = (letters: string) => `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`;

/**
 * The ids of the orders that match an id, a ticket code, a payment id or an order number. undefined if the text is an
 * email address or matches none of our formats.
 */
function namedBy(pool: Pool, q: string) {
  const db = kysely(pool);
  if (z.uuid().safeParse(q).success)
    return db
      .selectFrom('orders')
      .select('orderId')
      .where('orderId', '=', q)
      .union(db.selectFrom('tickets').select('orderId').where('id', '=', q))
      .union(db.selectFrom('orderRefunds').select('orderId').where('refundId', '=', q));
  const checkouts = db.selectFrom('checkouts').select('orderId');
  // If an earlier intent paid the order, only the log contains that intent. The search in payments finds it.
  if (INTENT.test(q)) return checkouts.where('paymentId', '=', q);
  const letters = q.toUpperCase().replace(/[\s-]/g, '');
  if (TICKET_CODE.test(letters)) return db.selectFrom('tickets').select('orderId').where('code', '=', asCode(letters));
  const number = readOrderNumber(q);
  return number === null ? undefined : checkouts.where('number', '=', String(number));
}

/**
 * Finds orders by an order's id or number, a ticket's id or code, a refund's id, the id of the provider's intent, or a
 * buyer's complete email address. Newest first. 400 `bad-cursor`.
 */
export async function findOrders(pool: Pool, q: string, cursor: string | undefined): Promise<FoundOrders> {
  const named = namedBy(pool, q);
  if (!named && !q.includes('@')) return { orders: [], nextCursor: null };
  const place = cursor === undefined ? undefined : readCursor(cursor, Cursor);
  const address = q.toLowerCase();
  const orders = kysely(pool)
    .selectFrom('orders as o')
    .leftJoin('checkouts as c', 'c.orderId', 'o.orderId')
    .leftJoin('listings as l', 'l.eventId', 'o.eventId')
    .select(['o.orderId', 'o.eventId', 'l.title as eventTitle', 'o.quantity', 'o.status', 'c.number', 'o.heldAt'])
    .select(['o.totalCents as amountCents', toMicros('o.heldAt').as('held')])
    .orderBy(newestFirst(ORDER))
    .limit(PAGE + 1);
  const rows = await (
    named
      ? orders.where('o.orderId', 'in', named)
      : orders
          .where(sql<boolean>`lower(c.holder_email) = ${address}`)
          .$if(place !== undefined, (query) => query.where(behind(ORDER, place!)))
  ).execute();
  const page = rows.slice(0, PAGE);
  const last = page.at(-1);
  return {
    orders: page.map(({ number, heldAt, held: _held, ...order }): FoundOrder => ({
      ...order,
      orderNumber: orderNumber(number),
      heldAt: heldAt.toISOString(),
    })),
    nextCursor: rows.length > PAGE && last ? cursorOf([last.held, last.orderId]) : null,
  };
}
