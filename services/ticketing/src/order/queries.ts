import type { Pool } from 'pg';
import { texts, uuids, violated } from '@beltway/event-store';
import { batchLoader, batchLoaderByKey } from '@beltway/kit/batch-loader';
import type { Joined, RowOf } from '@beltway/kit/columns';
import type { Queryable } from '@beltway/kit/postgres';
import type { Language } from '@beltway/contracts/common/languages';
import type { OrderLine } from '@beltway/contracts/ticketing/order-lines';
import { checkouts, orders } from '../columns.ts';
import type { OrderState } from './status.ts';

const OF_ORDER = [
  ...(['orderId', 'eventId', 'buyerId', 'quantity', 'totalCents', 'lines', 'status', 'heldAt', 'holdUntil'] as const),
  ...(['extended', 'linkGeneration', 'refundDeadlineHours', 'returned', 'frozen', 'isVoid'] as const),
];
const OF_CHECKOUT = [...(['holderName', 'holderEmail', 'language', 'refundedAt', 'reinstatedAt', 'number'] as const)];

/** An order as the routes need it: what the log made of it, and who checks out (null before somebody does). */
export type OrderRow = Pick<RowOf<typeof orders>, (typeof OF_ORDER)[number]> &
  Joined<Pick<RowOf<typeof checkouts>, (typeof OF_CHECKOUT)[number]>> & {
    status: OrderState;
    lines: OrderLine[];
    paymentId: string | null;
    /** Of its event, as the catalog says; null when ticketing has not heard of it. */
    organiserId: number | null;
    eventTitle: string | null;
  };

const PAYMENT = 'coalesce(o.payment_id, c.payment_id)';
const SELECT = `select ${orders.select(OF_ORDER, 'o')}, ${PAYMENT} as "paymentId", ${checkouts.select(OF_CHECKOUT, 'c')},
    l.organiser_id as "organiserId", l.title as "eventTitle"
  from orders o left join checkouts c using (order_id) left join listings l on l.event_id = o.event_id`;

const NO_ORDER = '00000000-0000-0000-0000-000000000000';

const ordersById = batchLoaderByKey(
  async (pool: Pool, ids: string[]) =>
    (
      await pool.query<OrderRow>({
        name: 'orders-by-id',
        text: `${SELECT} where o.order_id = any($1)`,
        values: [uuids(ids)],
      })
    ).rows,
  ({ orderId }) => orderId,
);

/** The order of this id, a UUID. */
export const orderById = (pool: Pool, orderId: string): Promise<OrderRow | undefined> =>
  ordersById(pool, orderId.toLowerCase());

/** The order that somebody names, for support. */
export async function orderByNumber(pool: Pool, number: number): Promise<OrderRow | undefined> {
  const { rows } = await pool.query<OrderRow>(`${SELECT} where c.number = $1`, [number]);
  return rows[0];
}

/** The order that this payment, by the provider's id, was asked for. Another may have paid it. */
export const orderByPayment = batchLoaderByKey(
  async (pool: Pool, paymentIds: string[]) =>
    (
      await pool.query<OrderRow & { askedFor: string }>({
        name: 'orders-by-payment',
        text: `select asked.id as "askedFor", found.* from unnest($1::text[]) asked (id) cross join lateral (${SELECT} where c.payment_id = asked.id) found`,
        values: [texts(paymentIds)],
      })
    ).rows,
  ({ askedFor }) => askedFor,
);

const OF_HOLD = ['orderId', 'eventId', 'lines', 'buyerId', 'holdUntil'] as const;
/** An order whose hold has run out. */
export type LapsedHold = Pick<OrderRow, (typeof OF_HOLD)[number] | 'paymentId'>;
const LAPSED = `select ${orders.select(OF_HOLD, 'o')}, ${PAYMENT} as "paymentId"
  from orders o left join checkouts c using (order_id)
  where o.status = 'held' and o.hold_until <= $1 and (o.hold_until, o.order_id) > ($3, $4)
    and (${PAYMENT} is not null) = $5
  order by o.hold_until, o.order_id limit $2`;

/** Orders whose hold has run out, with a payment or without, oldest first, from the one after `after` on. */
export async function lapsedHolds(
  db: Queryable,
  {
    withPayment,
    now,
    limit,
    after,
  }: { withPayment: boolean; now: Date; limit: number; after?: LapsedHold | undefined },
): Promise<LapsedHold[]> {
  const { rows } = await db.query<LapsedHold>({
    name: 'lapsed-holds',
    text: LAPSED,
    values: [now, limit, after?.holdUntil ?? '-infinity', after?.orderId ?? NO_ORDER, withPayment],
  });
  return rows;
}

/** Fulfilled orders of cancelled events, whose money goes back, from the one after `after` on. */
export async function ordersToReturn(db: Queryable, limit: number, after?: OrderRow): Promise<OrderRow[]> {
  const { rows } = await db.query<OrderRow>({
    name: 'orders-to-return',
    text: `${SELECT} join availability a on a.event_id = o.event_id
           where o.status = 'fulfilled' and a.closed = 'cancelled' and o.order_id > $2 order by o.order_id limit $1`,
    values: [limit, after?.orderId ?? NO_ORDER],
  });
  return rows;
}

export interface Checkout {
  orderId: string;
  name: string;
  email: string;
  /** What its buyer is written in. */
  language: Language;
  paymentId: string;
}

const BUYER = ['holderName', 'holderEmail', 'language', 'paymentId'] as const;
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
  await pool.query({
    name: 'save-checkouts',
    text: SAVE.text,
    values: SAVE.values(last, {
      orderId: ({ orderId }) => orderId,
      holderName: ({ name }) => name,
      holderEmail: ({ email }) => email,
      language: ({ language }) => language,
      paymentId: ({ paymentId }) => paymentId,
    }),
  });
  return all.map(() => undefined);
}
