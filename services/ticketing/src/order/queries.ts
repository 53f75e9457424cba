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
  /** Of its event, as the catalog says; null when ticketing has not heard of it. */
  organiserId: number | null;
  eventTitle: string | null;
}

const SELECT = `select o.order_id as "orderId", o.event_id as "eventId", o.buyer_id as "buyerId", o.quantity, o.price_cents as "priceCents", o.status,
    o.held_at as "heldAt", o.hold_until as "holdUntil", o.extended, coalesce(o.payment_id, c.payment_id) as "paymentId",
    c.holder_name as "holderName", c.holder_email as "holderEmail", c.ticket_type as "ticketType", c.refunded_at as "refundedAt",
    l.owner_id as "organiserId", l.title as "eventTitle"
  from orders o left join checkouts c using (order_id) left join listings l on l.event_id = o.event_id`;

export async function orderById(db: Queryable, orderId: string): Promise<OrderRow | undefined> {
  const { rows } = await db.query<OrderRow>({
    name: 'order-by-id',
    text: `${SELECT} where o.order_id = $1`,
    values: [orderId],
  });
  return rows[0];
}

export async function orderByPayment(db: Queryable, paymentId: string): Promise<OrderRow | undefined> {
  const { rows } = await db.query<OrderRow>({
    name: 'order-by-payment',
    text: `${SELECT} where c.payment_id = $1`,
    values: [paymentId],
  });
  return rows[0];
}

/** Orders whose hold has run out, oldest first, from the one after `after` on. */
export async function expiredHolds(db: Queryable, now: Date, limit: number, after?: OrderRow): Promise<OrderRow[]> {
  const { rows } = await db.query<OrderRow>({
    name: 'expired-holds',
    text: `${SELECT} where o.status = 'held' and o.hold_until <= $1 and (o.hold_until, o.order_id) > ($3, $4) order by o.hold_until, o.order_id limit $2`,
    values: [now, limit, after?.holdUntil ?? '-infinity', after?.orderId ?? '00000000-0000-0000-0000-000000000000'],
  });
  return rows;
}

/** Fulfilled orders of cancelled events: their money goes back. */
export async function ordersToReturn(db: Queryable, limit: number): Promise<OrderRow[]> {
  const { rows } = await db.query<OrderRow>(
    `${SELECT} join availability a on a.event_id = o.event_id where o.status = 'fulfilled' and a.closed = 'cancelled' limit $1`,
    [limit],
  );
  return rows;
}

/** Writes who checks out and by which payment. Answers what the order is then; undefined: there is none. */
export async function saveCheckout(
  db: Queryable,
  checkout: { orderId: string; name: string; email: string; ticketType: string; paymentId: string },
): Promise<OrderRow['status'] | undefined> {
  const { orderId, name, email, ticketType, paymentId } = checkout;
  const { rows } = await db.query<Pick<OrderRow, 'status'>>({
    name: 'save-checkout',
    text: `with saved as (
             insert into checkouts (order_id, holder_name, holder_email, ticket_type, payment_id) values ($1, $2, $3, $4, $5)
             on conflict (order_id) do update set holder_name = excluded.holder_name, holder_email = excluded.holder_email,
               ticket_type = excluded.ticket_type, payment_id = excluded.payment_id
           ) select status from orders where order_id = $1`,
    values: [orderId, name, email, ticketType, paymentId],
  });
  return rows[0]?.status;
}
