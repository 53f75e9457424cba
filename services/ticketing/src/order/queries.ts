import { sql, type InferResult, type Kysely } from 'kysely';
import type { Pool } from 'pg';
import { prepared, texts, uuids, violated } from '@beltway/event-store';
import { batchLoader, batchLoaderByKey } from '@beltway/kit/batch-loader';
import { anyOf } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import type { Language } from '@beltway/contracts/common/languages';
import type { OrderLine } from '@beltway/contracts/ticketing/order-lines';
import { builtOnce, kysely, type Tables } from '../db.ts';
import { checkouts } from '../generated/tables.ts';
import type { OrderState } from './status.ts';

/** The provider's intent that is attached to the order or paid it, else the last one that was made for its checkout. */
const PAYMENT = sql<string | null>`coalesce(o.payment_id, c.payment_id)`;

const selectOrders = (db: Kysely<Tables>) =>
  db
    .selectFrom('orders as o')
    .leftJoin('checkouts as c', 'c.orderId', 'o.orderId')
    .leftJoin('listings as l', 'l.eventId', 'o.eventId')
    .select(['o.orderId', 'o.eventId', 'o.buyerId', 'o.quantity', 'o.totalCents', 'o.lines', 'o.status', 'o.heldAt'])
    .select(['o.holdUntil', 'o.extended', 'o.linkGeneration', 'o.refundDeadlineHours', 'o.returned', 'o.frozen'])
    .select(['o.isVoid', 'c.holderName', 'c.holderEmail', 'c.language', 'c.refundedAt', 'c.reinstatedAt', 'c.number'])
    .select(['l.organizerId', 'l.title as eventTitle', PAYMENT.as('paymentId')])
    .$narrowType<{ status: OrderState; lines: OrderLine[] }>();

/**
 * An order as the routes need it: what the log made of it, its checkout (null before there is one) and its listing (null before the catalog's
 * message arrives).
 */
export type OrderRow = InferResult<ReturnType<typeof selectOrders>>[number];

const NO_ORDER = '00000000-0000-0000-0000-000000000000';

const ordersByIds = builtOnce((db, ids: Buffer) => selectOrders(db).where('o.orderId', '=', anyOf<string>(ids)));

/** The order of this id, a UUID. */
export const orderById = (pool: Pool, orderId: string): Promise<OrderRow | undefined> =>
  ordersById(pool, orderId.toLowerCase());
const ordersById = batchLoaderByKey(
  (pool: Pool, ids: string[]) => ordersByIds(pool, uuids(ids)),
  ({ orderId }) => orderId,
);

/** The order that somebody names, for support. */
export const orderByNumber = (pool: Pool, number: number): Promise<OrderRow | undefined> =>
  selectOrders(kysely(pool)).where('c.number', '=', String(number)).executeTakeFirst();

const ordersByPayments = builtOnce((db, paymentIds: Buffer) =>
  selectOrders(db).where('c.paymentId', '=', anyOf<string>(paymentIds)).select('c.paymentId as askedFor'),
);

/** The order that this payment, by the provider's id, was asked for. Another may have paid it. */
export const orderByPayment = batchLoaderByKey(
  (pool: Pool, paymentIds: string[]) => ordersByPayments(pool, texts(paymentIds)),
  ({ askedFor }) => askedFor!,
);

// States and other conditions of partial indexes are literals: a plan for any parameter cannot use those.
const lapsed = builtOnce(
  (db, now: Date, limit: number, heldUntil: Date | string, orderId: string, withPayment: boolean) =>
    db
      .selectFrom('orders as o')
      .leftJoin('checkouts as c', 'c.orderId', 'o.orderId')
      .select(['o.orderId', 'o.eventId', 'o.lines', 'o.buyerId', 'o.holdUntil', PAYMENT.as('paymentId')])
      .$narrowType<{ lines: OrderLine[] }>()
      .where('o.status', '=', sql.lit('held'))
      .where('o.holdUntil', '<=', now)
      .where((eb) => eb(eb.refTuple('o.holdUntil', 'o.orderId'), '>', eb.tuple(heldUntil as Date, orderId)))
      .where(sql<boolean>`(${PAYMENT} is not null) = ${withPayment}`)
      .orderBy('o.holdUntil')
      .orderBy('o.orderId')
      .limit(limit),
);
/** An order whose hold has run out. */
export type LapsedHold = Awaited<ReturnType<typeof lapsed>>[number];

/** Orders whose hold has run out, with a payment or without, oldest first, from the one after `after` on. */
export const lapsedHolds = (
  db: Queryable,
  {
    withPayment,
    now,
    limit,
    after,
  }: { withPayment: boolean; now: Date; limit: number; after?: LapsedHold | undefined },
): Promise<LapsedHold[]> =>
  lapsed(db, now, limit, after?.holdUntil ?? '-infinity', after?.orderId ?? NO_ORDER, withPayment);

const toReturn = builtOnce((db, limit: number, after: string) =>
  selectOrders(db)
    .innerJoin('availability as a', 'a.eventId', 'o.eventId')
    .where('o.status', '=', sql.lit('fulfilled'))
    .where('a.closed', '=', sql.lit('canceled'))
    .where('o.orderId', '>', after)
    .orderBy('o.orderId')
    .limit(limit),
);

/** Fulfilled orders of canceled events, whose money goes back, from the one after `after` on. */
export const ordersToReturn = (db: Queryable, limit: number, after?: OrderRow): Promise<OrderRow[]> =>
  toReturn(db, limit, after?.orderId ?? NO_ORDER);

export interface Checkout {
  orderId: string;
  name: string;
  email: string;
  /** What its buyer is written in. */
  language: Language;
  paymentId: string;
}

const BUYER = ['holderName', 'holderEmail', 'language', 'paymentId'] as const;
/** `table()` has the lists of a batch as arrays, which the builder has not. */
const SAVE = checkouts.insertMany(['orderId', ...BUYER], {
  rest: `order by 1 ${checkouts.onConflict(['orderId'], BUYER)}`,
});

/**
 * What ends with another try: a random number that is taken already (one in a million at a million orders) is drawn
 * anew; and the same order, written twice at once by two requests or instances, is there when the second one tries
 * again (`on conflict` minds the order's id, not its payment).
 */
const CHECKOUT_TRIES = 3;
const TRIED_AGAIN = ['checkouts_number', 'checkouts_payment_id_key'];

/** Writes who checks out and by which payment. A new order gets its number. */
export const saveCheckout = batchLoader(async (pool: Pool, all: Checkout[]) => {
  for (let tries = 1; ; tries++)
    try {
      return await writeCheckouts(pool, all);
    } catch (error) {
      if (!TRIED_AGAIN.includes(violated(error) ?? '') || tries === CHECKOUT_TRIES) throw error;
    }
});

async function writeCheckouts(pool: Pool, all: Checkout[]): Promise<undefined[]> {
  // Of two for the same order the later one counts; in order of their ids, so that two instances do not wait for each
  // other.
  const last = [...new Map(all.map((checkout) => [checkout.orderId, checkout])).values()];
  const values = SAVE.values(last, {
    orderId: ({ orderId }) => orderId,
    holderName: ({ name }) => name,
    holderEmail: ({ email }) => email,
    language: ({ language }) => language,
    paymentId: ({ paymentId }) => paymentId,
  });
  await pool.query(prepared(SAVE.text, values));
  return all.map(() => undefined);
}
