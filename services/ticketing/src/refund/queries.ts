import type { Pool } from 'pg';
import type { OrderRefund, RefundCause } from '@beltway/contracts/refunds';
import { uuids } from '@beltway/event-store';
import { batchLoader } from '@beltway/kit/batch-loader';
import type { RowOf } from '@beltway/kit/columns';
import type { Queryable } from '@beltway/kit/postgres';
import { orderRefunds, refundProgress } from '../columns.ts';
import type { OrderRow } from '../order/queries.ts';

const PROGRESS = ['reason', 'refundedAt', 'failedAt'] as const;

type Row = Omit<RowOf<typeof orderRefunds>, 'cause'> &
  Pick<RowOf<typeof refundProgress>, (typeof PROGRESS)[number]> & { cause: RefundCause; ticketIds: string[] };

const SELECT = `select ${orderRefunds.select(undefined, 'r')}, ${refundProgress.select(PROGRESS, 'p')},
    coalesce((select array_agg(t.id order by t.ordinal) from tickets t
      where t.order_id = r.order_id and t.refund_id = r.refund_id), '{}') as "ticketIds"
  from order_refunds r left join refund_progress p using (refund_id)`;

const rowsOfOrders = batchLoader(async (pool: Pool, orderIds: string[]) => {
  const { rows } = await pool.query<Row>({
    name: 'refunds-of-orders',
    text: `${SELECT} where r.order_id = any($1) order by r.requested_at, r.refund_id`,
    values: [uuids([...new Set(orderIds)])],
  });
  const of = Map.groupBy(rows, ({ orderId }) => orderId);
  return orderIds.map((orderId) => of.get(orderId) ?? []);
});

/** What went back or is going back for an order, oldest first. */
export async function refundsOfOrder(
  pool: Pool,
  order: Pick<OrderRow, 'orderId' | 'refundedAt' | 'reinstatedAt'>,
): Promise<OrderRefund[]> {
  return (
    (await rowsOfOrders(pool, order.orderId))
      // A bank had taken it, and gave it back to us: people decide.
      .filter(({ cause }) => !(cause === 'refunded-by-provider' && order.reinstatedAt && !order.refundedAt))
      .map((row) => {
        const refundedAt = row.refundedAt ?? order.refundedAt;
        return {
          id: row.refundId,
          cause: row.cause,
          reason: row.reason,
          ticketIds: row.ticketIds,
          amount: row.amountCents,
          state: refundedAt ? 'refunded' : row.failedAt ? 'failed' : 'requested',
          requestedAt: row.requestedAt.toISOString(),
          refundedAt: refundedAt?.toISOString() ?? null,
        };
      })
  );
}

/** Keeps why a refund is asked for, before it is: no crash in between loses it. */
export const keepReason = (db: Queryable, refundId: string, orderId: string, reason: string) =>
  db.query(
    `insert into refund_progress (refund_id, order_id, reason) values ($1, $2, $3) on conflict (refund_id) do nothing`,
    [refundId, orderId, reason],
  );

/** Forgets the reason of a refund that was refused, unless it was made all the same. */
export const forgetReason = (db: Queryable, refundId: string) =>
  db.query(
    `delete from refund_progress p where p.refund_id = $1 and p.refunded_at is null and p.failed_at is null
       and not exists (select from order_refunds r where r.refund_id = p.refund_id)`,
    [refundId],
  );

/** Payments said that this part of the money went back. */
export const partWentBack = (
  db: Queryable,
  { refundId, orderId, at }: { refundId: string; orderId: string; at: string },
) =>
  db.query(
    `insert into refund_progress as p (refund_id, order_id, refunded_at) values ($1, $2, $3)
     on conflict (refund_id) do update set refunded_at = excluded.refunded_at, failed_at = null`,
    [refundId, orderId, at],
  );

/** Payments said that this part came back to us, and is tried again. */
export const partCameBack = (
  db: Queryable,
  { refundId, orderId, at }: { refundId: string; orderId: string; at: string },
) =>
  db.query(
    `insert into refund_progress as p (refund_id, order_id, failed_at) values ($1, $2, $3)
     on conflict (refund_id) do update set refunded_at = null, failed_at = excluded.failed_at`,
    [refundId, orderId, at],
  );

/** The last of the money went back, or came back: so it is with each refund of the order that was not told by itself. */
export const orderWentBack = (db: Queryable, orderId: string) =>
  db.query('update refund_progress set failed_at = null where order_id = $1', [orderId]);
export const orderCameBack = (db: Queryable, orderId: string, at: string) =>
  db.query(
    `insert into refund_progress as p (refund_id, order_id, failed_at)
     select refund_id, order_id, $2 from order_refunds where order_id = $1
     on conflict (refund_id) do update set failed_at = excluded.failed_at where p.refunded_at is null`,
    [orderId, at],
  );
