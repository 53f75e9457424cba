import type { Pool } from 'pg';
import { texts, uuids } from '@beltway/event-store';
import { batchLoader, batchLoaderByKey } from '@beltway/kit/batch-loader';
import type { Queryable } from '@beltway/kit/postgres';

/** An order as the routes need it: what the log made of it, and who checks out. */
export interface OrderRow {
  orderId: string;
  eventId: number;
  buyerId: number | null;
  quantity: number;
  priceCents: number;
  status: 'held' | 'fulfilled' | 'refunding' | 'released' | 'expired';
  heldAt: Date;
  holdUntil: Date;
  extended: boolean;
  paymentId: string | null;
  holderName: string | null;
  holderEmail: string | null;
  ticketType: string | null;
  refundedAt: Date | null;
  /** When money that a lost dispute had taken came again; null once it has gone back. */
  reinstatedAt: Date | null;
  /** How often its link was revoked. */
  linkGeneration: number;
  /** What people call it by (`number.ts`), as the database has it; null before somebody checks out. */
  number: string | null;
  /** Of its event, as the catalog says; null when ticketing has not heard of it. */
  organiserId: number | null;
  eventTitle: string | null;
}

const SELECT = `select o.order_id as "orderId", o.event_id as "eventId", o.buyer_id as "buyerId", o.quantity, o.price_cents as "priceCents", o.status,
    o.held_at as "heldAt", o.hold_until as "holdUntil", o.extended, coalesce(o.payment_id, c.payment_id) as "paymentId",
    c.holder_name as "holderName", c.holder_email as "holderEmail", c.ticket_type as "ticketType", c.refunded_at as "refundedAt", c.reinstated_at as "reinstatedAt", o.link_generation as "linkGeneration", c.number,
    l.owner_id as "organiserId", l.title as "eventTitle"
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

/** An order whose hold has run out. */
export type LapsedHold = Pick<
  OrderRow,
  'orderId' | 'eventId' | 'quantity' | 'priceCents' | 'buyerId' | 'paymentId' | 'holdUntil'
>;

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
    text: `select o.order_id as "orderId", o.event_id as "eventId", o.quantity, o.price_cents as "priceCents", o.buyer_id as "buyerId",
             coalesce(o.payment_id, c.payment_id) as "paymentId", o.hold_until as "holdUntil"
           from orders o left join checkouts c using (order_id)
           where o.status = 'held' and o.hold_until <= $1 and (o.hold_until, o.order_id) > ($3, $4)
             and (coalesce(o.payment_id, c.payment_id) is not null) = $5
           order by o.hold_until, o.order_id limit $2`,
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
  ticketType: string;
  paymentId: string;
}

/** A random number that is taken already: one in a million at a million orders. Then all of them are drawn anew. */
const NUMBER_TRIES = 3;
const isNumberTaken = (error: unknown): boolean =>
  (error as { code?: string; constraint?: string }).code === '23505' &&
  (error as { constraint?: string }).constraint === 'checkouts_number';

/** Writes who checks out and by which payment. A new order gets its number. */
export const saveCheckout = batchLoader(async (pool: Pool, checkouts: Checkout[]) => {
  for (let tries = 1; ; tries++)
    try {
      return await writeCheckouts(pool, checkouts);
    } catch (error) {
      if (!isNumberTaken(error) || tries === NUMBER_TRIES) throw error;
    }
});

async function writeCheckouts(pool: Pool, checkouts: Checkout[]): Promise<undefined[]> {
  // Of two for the same order the later one counts; in order of their ids, so that two instances do not wait for each other.
  const last = [...new Map(checkouts.map((checkout) => [checkout.orderId, checkout])).values()];
  await pool.query({
    name: 'save-checkouts',
    text: `insert into checkouts (order_id, holder_name, holder_email, ticket_type, payment_id)
           select o, n, e, t, p from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[]) r (o, n, e, t, p) order by o
           on conflict (order_id) do update set holder_name = excluded.holder_name, holder_email = excluded.holder_email,
             ticket_type = excluded.ticket_type, payment_id = excluded.payment_id`,
    values: [
      uuids(last.map(({ orderId }) => orderId)),
      texts(last.map(({ name }) => name)),
      texts(last.map(({ email }) => email)),
      texts(last.map(({ ticketType }) => ticketType)),
      texts(last.map(({ paymentId }) => paymentId)),
    ],
  });
  return checkouts.map(() => undefined);
}
