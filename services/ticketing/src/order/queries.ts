import { sql, type InferResult, type Kysely } from 'kysely';
import type { Pool } from 'pg';
import { prepared, texts, uuids, violated } from '@beltway/event-store';
import { batchLoader, batchLoaderByKey } from '@beltway/kit/batch-loader';
import { anyOf, type Of } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import type { Language } from '@beltway/contracts/common/languages';
import type { OrderLine } from '@beltway/contracts/ticketing/order-lines';
import { kysely, statement, type Tables } from '../db.ts';
import { checkouts } from '../generated/tables.ts';
import type { OrderState } from './status.ts';

/** The intent that is attached to the order or that paid it; otherwise the latest intent requested for its checkout. */
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
 * An order for the routes: its row from the log, its checkout (null until there is one) and its listing (null until the
 * catalog's message arrives).
 */
export type OrderRow = InferResult<ReturnType<typeof selectOrders>>[number];

const NO_ORDER = '00000000-0000-0000-0000-000000000000';

const ordersByIds = statement((db, of: Of<{ ids: Buffer }>) =>
  selectOrders(db).where('o.orderId', '=', anyOf<string>(of('ids'))),
);

/** The order with this id, a UUID. */
export const orderById = (pool: Pool, orderId: string): Promise<OrderRow | undefined> =>
  ordersById(pool, orderId.toLowerCase());
const ordersById = batchLoaderByKey(
  (pool: Pool, ids: string[]) => ordersByIds.rows(pool, { ids: uuids(ids) }),
  ({ orderId }) => orderId,
);

/** An order by its number, for support. */
export const orderByNumber = (pool: Pool, number: number): Promise<OrderRow | undefined> =>
  selectOrders(kysely(pool)).where('c.number', '=', String(number)).executeTakeFirst();

const ordersByPayments = statement((db, of: Of<{ paymentIds: Buffer }>) =>
  selectOrders(db)
    .where('c.paymentId', '=', anyOf<string>(of('paymentIds')))
    .select('c.paymentId as askedFor'),
);

/**
 * The order for which this payment (the provider's id) was requested. The order may have been paid by another payment.
 */
export const orderByPayment = batchLoaderByKey(
  (pool: Pool, paymentIds: string[]) => ordersByPayments.rows(pool, { paymentIds: texts(paymentIds) }),
  ({ askedFor }) => askedFor!,
);

// In these statements, states and other conditions of partial indexes are literals, because a plan with parameters
// cannot use a partial index.
interface LapsedBy {
  now: Date;
  limit: number;
  /** The last hold of the previous part: only holds after it are read. */
  heldUntil: Date | string;
  orderId: string;
  withPayment: boolean;
}
const lapsed = statement((db, of: Of<LapsedBy>) =>
  db
    .selectFrom('orders as o')
    .leftJoin('checkouts as c', 'c.orderId', 'o.orderId')
    .select(['o.orderId', 'o.eventId', 'o.lines', 'o.buyerId', 'o.holdUntil', PAYMENT.as('paymentId')])
    .$narrowType<{ lines: OrderLine[] }>()
    .where('o.status', '=', sql.lit('held'))
    .where('o.holdUntil', '<=', of('now'))
    .where((eb) => eb(eb.refTuple('o.holdUntil', 'o.orderId'), '>', eb.tuple(of('heldUntil') as Date, of('orderId'))))
    .where(sql<boolean>`(${PAYMENT} is not null) = ${of('withPayment')}`)
    .orderBy('o.holdUntil')
    .orderBy('o.orderId')
    .limit(of('limit')),
);
/** An order whose hold has lapsed. */
export type LapsedHold = Awaited<ReturnType<typeof lapsed.rows>>[number];

/** Lapsed holds, either with or without a payment, oldest first, after the hold `after`. */
export const lapsedHolds = (
  db: Queryable,
  {
    withPayment,
    now,
    limit,
    after,
  }: { withPayment: boolean; now: Date; limit: number; after?: LapsedHold | undefined },
): Promise<LapsedHold[]> =>
  lapsed.rows(db, {
    ...{ now, limit, withPayment },
    heldUntil: after?.holdUntil ?? '-infinity',
    orderId: after?.orderId ?? NO_ORDER,
  });

const toReturn = statement((db, of: Of<{ limit: number; after: string }>) =>
  selectOrders(db)
    .innerJoin('availability as a', 'a.eventId', 'o.eventId')
    .where('o.status', '=', sql.lit('fulfilled'))
    .where('a.closed', '=', sql.lit('canceled'))
    .where('o.orderId', '>', of('after'))
    .orderBy('o.orderId')
    .limit(of('limit')),
);

/** Fulfilled orders of canceled events, which must be refunded, after the order `after`. */
export const ordersToReturn = (db: Queryable, limit: number, after?: OrderRow): Promise<OrderRow[]> =>
  toReturn.rows(db, { limit, after: after?.orderId ?? NO_ORDER });

export interface Checkout {
  orderId: string;
  name: string;
  email: string;
  /** Language of mails to the buyer. */
  language: Language;
  paymentId: string;
}

const BUYER = ['holderName', 'holderEmail', 'language', 'paymentId'] as const;
/** Uses `table()`, which passes the columns of a batch as arrays. The query builder does not support this. */
const SAVE = checkouts.insertMany(['orderId', ...BUYER], {
  rest: `order by 1 ${checkouts.onConflict(['orderId'], BUYER)}`,
});

/**
 * The number of tries, because a retry resolves conflicts. If a random number is already used (with a million orders,
 * one in a million is), another number is drawn. If two requests or instances insert the same order concurrently, the
 * second try finds the order. `on conflict` covers only the order's id, not its payment.
 */
const CHECKOUT_TRIES = 3;
const TRIED_AGAIN = ['checkouts_number', 'checkouts_payment_id_key'];

/** Saves the buyer's details and the payment. A new order gets its number. */
export const saveCheckout = batchLoader(async (pool: Pool, all: Checkout[]) => {
  for (let tries = 1; ; tries++)
    try {
      return await writeCheckouts(pool, all);
    } catch (error) {
      if (!TRIED_AGAIN.includes(violated(error) ?? '') || tries === CHECKOUT_TRIES) throw error;
    }
});

async function writeCheckouts(pool: Pool, all: Checkout[]): Promise<undefined[]> {
  // If a batch has two checkouts of an order, the later checkout is stored. The rows are sorted by id, so that two
  // instances do not deadlock.
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
