import type { Pool } from 'pg';
import type { OrderRefund, RefundCause } from '@beltway/contracts/ticketing/refunds';
import { batchLoader } from '@beltway/kit/batch-loader';
import type { Queryable } from '@beltway/kit/postgres';
import type { OrderRow } from './queries.ts';
import { anyOf, excluded } from '@beltway/kit/kysely';
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import { kysely, type Tables } from '../db.ts';

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

const moment = (at: string) => sql<Date>`${at}::timestamptz`;

const refundsOf = (db: Queryable, orderId: string) =>
  kysely(db).selectFrom('orderRefunds as r').select(['r.refundId', 'r.orderId']).where('r.orderId', '=', orderId);
const refundsWithCheckout = (db: Queryable, orderId: string) =>
  refundsOf(db, orderId).innerJoin('checkouts as c', 'c.orderId', 'r.orderId');

/** Notes these columns of a list of refunds. Where there is a row, `others` change too, and only if `where`: it had not gone back. */
const noteRefunds = (
  db: Queryable,
  refunds: Expression<unknown>,
  columns: ReadonlyArray<'refundedAt' | 'failedAt' | 'wentWith'>,
  others: Partial<Record<'refundedAt' | 'failedAt' | 'wentWith', null>> = {},
  where: (eb: ExpressionBuilder<Tables, 'refundProgress'>) => Expression<SqlBool> = (eb) =>
    eb('refundProgress.refundedAt', 'is', null),
) =>
  kysely(db)
    .insertInto('refundProgress')
    .columns(['refundId', 'orderId', ...columns])
    .expression(refunds)
    .onConflict((conflict) =>
      conflict
        .column('refundId')
        .doUpdateSet((eb) => ({ ...excluded(eb, columns), ...others }))
        .where((eb) => where(eb as never)),
    )
    .execute();

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
  const others = refundsWithCheckout(db, orderId)
    .select(['c.refundedAt', sql.lit('').as('wentWith')])
    .where('r.refundId', '<>', refundId)
    .where('c.refundedAt', 'is not', null);
  await noteRefunds(db, others, ['refundedAt', 'wentWith']);
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
export const orderWentBack = (db: Queryable, { orderId, by, at }: OfOrder) => {
  const refunds = refundsOf(db, orderId).select([moment(at).as('refundedAt'), sql.val(by).as('wentWith')]);
  return noteRefunds(db, refunds, ['refundedAt', 'wentWith'], { failedAt: null });
};

/**
 * This refund of the provider came back to us, and is tried again: so do those that went with it. Where none did, it may have been of any
 * that no part was asked for.
 */
export const orderCameBack = (db: Queryable, { orderId, by, at }: OfOrder) => {
  const others = kysely(db)
    .selectFrom('refundProgress as other')
    .select('other.refundId')
    .where('other.orderId', '=', orderId)
    .where('other.wentWith', '=', by);
  const refunds = refundsOf(db, orderId).select(moment(at).as('failedAt'));
  return noteRefunds(db, refunds, ['failedAt'], { refundedAt: null, wentWith: null }, (eb) =>
    eb.or([
      eb('refundProgress.refundedAt', 'is', null),
      eb('refundProgress.wentWith', 'in', ['', by]),
      eb.and([eb('refundProgress.wentWith', 'is not', null), eb.not(eb.exists(others))]),
    ]),
  );
};

/**
 * Payments said that a refund which it owes was refused, and is tried again: this one, or (null) each of the order that has not gone
 * back. What went back since stays so.
 */
export const refused = (
  db: Queryable,
  { refundId, orderId, at }: { refundId: string | null; orderId: string; at: string },
) => {
  const refunds = refundsWithCheckout(db, orderId).select(moment(at).as('failedAt')).where('c.refundedAt', 'is', null);
  return noteRefunds(db, refundId === null ? refunds : refunds.where('r.refundId', '=', refundId), ['failedAt']);
};
