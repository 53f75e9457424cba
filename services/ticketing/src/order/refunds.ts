import type { Pool } from 'pg';
import type { OrderRefund, RefundCause } from '@beltway/contracts/ticketing/refunds';
import { batchLoader } from '@beltway/kit/batch-loader';
import type { Queryable } from '@beltway/kit/postgres';
import type { OrderRow } from './queries.ts';
import { anyOf } from '@beltway/kit/kysely';
import { sql } from 'kysely';
import { kysely } from '../db.ts';

const rowsOfOrders = batchLoader(async (pool: Pool, orderIds: string[]) => {
  const rows = await kysely(pool)
    .selectFrom('orderRefunds as r')
    .leftJoin('refundProgress as p', 'p.refundId', 'r.refundId')
    .selectAll('r')
    .select(['p.reason', 'p.refundedAt', 'p.failedAt'])
    .select(
      sql<string[]>`coalesce((select array_agg(t.id order by t.ordinal) from tickets t
        where t.order_id = r.order_id and t.refund_id = r.refund_id), '{}')`.as('ticketIds'),
    )
    .where('r.orderId', '=', anyOf([...new Set(orderIds)]))
    .orderBy('r.requestedAt')
    .orderBy('r.refundId')
    .$narrowType<{ cause: RefundCause }>()
    .execute();
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
  kysely(db)
    .insertInto('refundProgress')
    .values({ refundId, orderId, reason })
    .onConflict((conflict) => conflict.column('refundId').doNothing())
    .execute();

/** Forgets the reason of a refund that was refused, unless it was made all the same. */
export const forgetReason = (db: Queryable, refundId: string) =>
  kysely(db)
    .deleteFrom('refundProgress as p')
    .where('p.refundId', '=', refundId)
    .where('p.refundedAt', 'is', null)
    .where('p.failedAt', 'is', null)
    .where(sql<boolean>`not exists (select from order_refunds r where r.refund_id = p.refund_id)`)
    .execute();

interface OfRefund {
  /** Ours, of `order_refunds`. */
  refundId: string;
  orderId: string;
}

/** Payments said that this part of the money went back. */
export const partWentBack = (db: Queryable, { refundId, orderId, at }: OfRefund & { at: string }) =>
  kysely(db)
    .insertInto('refundProgress')
    .values({ refundId, orderId, refundedAt: at })
    .onConflict((conflict) =>
      conflict.column('refundId').doUpdateSet({ refundedAt: at, failedAt: null, wentWith: null }),
    )
    .execute();

/** Payments said that this part came back to us, and is tried again. With the others of the order it stays as it was. */
export async function partCameBack(db: Queryable, { refundId, orderId, at }: OfRefund & { at: string }): Promise<void> {
  // Where the order alone said that they had gone back, they say it themselves from now on.
  await sql`insert into refund_progress as p (refund_id, order_id, refunded_at, went_with)
    select r.refund_id, r.order_id, c.refunded_at, '' from order_refunds r join checkouts c using (order_id)
      where r.order_id = ${orderId} and r.refund_id <> ${refundId} and c.refunded_at is not null
    on conflict (refund_id) do update set refunded_at = excluded.refunded_at, went_with = '' where p.refunded_at is null`.execute(
    kysely(db),
  );
  await kysely(db)
    .insertInto('refundProgress')
    .values({ refundId, orderId, failedAt: at })
    .onConflict((conflict) =>
      conflict.column('refundId').doUpdateSet({ refundedAt: null, failedAt: at, wentWith: null }),
    )
    .execute();
}

/** The last of an order's money, or what a reversal says, by the provider's refund. */
interface OfOrder {
  orderId: string;
  by: string;
  at: string;
}

/** The last of the money went back: so did each refund of the order that had not. */
export const orderWentBack = (db: Queryable, { orderId, by, at }: OfOrder) =>
  sql`insert into refund_progress as p (refund_id, order_id, refunded_at, went_with)
    select refund_id, order_id, ${at}::timestamptz, ${by} from order_refunds where order_id = ${orderId}
    on conflict (refund_id) do update
      set refunded_at = excluded.refunded_at, failed_at = null, went_with = excluded.went_with
      where p.refunded_at is null`.execute(kysely(db));

/**
 * This refund of the provider came back to us, and is tried again: so do those that went with it. Where none did, it may have been of any
 * that no part was asked for.
 */
export const orderCameBack = (db: Queryable, { orderId, by, at }: OfOrder) =>
  sql`insert into refund_progress as p (refund_id, order_id, failed_at)
    select refund_id, order_id, ${at}::timestamptz from order_refunds where order_id = ${orderId}
    on conflict (refund_id) do update set failed_at = excluded.failed_at, refunded_at = null, went_with = null
      where p.refunded_at is null or p.went_with in ('', ${by})
        or p.went_with is not null and not exists
          (select from refund_progress other where other.order_id = ${orderId} and other.went_with = ${by})`.execute(
    kysely(db),
  );

/**
 * Payments said that a refund which it owes was refused, and is tried again: this one, or (null) each of the order that has not gone
 * back. What went back since stays so.
 */
export const refused = (
  db: Queryable,
  { refundId, orderId, at }: { refundId: string | null; orderId: string; at: string },
) =>
  sql`insert into refund_progress as p (refund_id, order_id, failed_at)
    select r.refund_id, r.order_id, ${at}::timestamptz from order_refunds r join checkouts c using (order_id)
      where r.order_id = ${orderId} and (${refundId}::uuid is null or r.refund_id = ${refundId}) and c.refunded_at is null
    on conflict (refund_id) do update set failed_at = excluded.failed_at where p.refunded_at is null`.execute(
    kysely(db),
  );
