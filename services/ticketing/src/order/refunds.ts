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

/** Completed and pending refunds of an order, oldest first. */
export async function refundsOfOrder(
  pool: Pool,
  order: Pick<OrderRow, 'orderId' | 'refundedAt' | 'reinstatedAt'>,
): Promise<OrderRefund[]> {
  return (
    (await rowsOfOrders(pool, order.orderId))
      // A bank took the money and later returned it to us. Staff decide what to do.
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

/**
 * Upserts these columns for a list of refunds. If a row exists, it also gets `others`, but it changes only if `where`
 * is true for it (default: not refunded yet).
 */
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

/** Saves the reason before the refund is requested, so that a crash in between does not lose it. */
export const keepReason = (db: Queryable, refundId: string, orderId: string, reason: string) =>
  kysely(db)
    .insertInto('refundProgress')
    .values({ refundId, orderId, reason })
    .onConflict((conflict) => conflict.column('refundId').doNothing())
    .execute();

/** Deletes the reason of a rejected refund, unless the refund was recorded. */
export const forgetReason = (db: Queryable, refundId: string) =>
  kysely(db)
    .deleteFrom('refundProgress as p')
    .where('p.refundId', '=', refundId)
    .where('p.refundedAt', 'is', null)
    .where('p.failedAt', 'is', null)
    .where(sql<boolean>`not exists (select from order_refunds r where r.refund_id = p.refund_id)`)
    .execute();

interface OfRefund {
  /** Our id of the refund, from `order_refunds`. */
  refundId: string;
  orderId: string;
}

/** Records that payments sent this partial refund. */
export const partWentBack = (db: Queryable, { refundId, orderId, at }: OfRefund & { at: string }) =>
  kysely(db)
    .insertInto('refundProgress')
    .values({ refundId, orderId, refundedAt: at })
    .onConflict((conflict) =>
      conflict.column('refundId').doUpdateSet({ refundedAt: at, failedAt: null, wentWith: null }),
    )
    .execute();

/**
 * Records that the money of this partial refund came back to us; payments retries the refund. The order's other refunds
 * keep their state.
 */
export async function partCameBack(db: Queryable, { refundId, orderId, at }: OfRefund & { at: string }): Promise<void> {
  // If the time of the other refunds is only stored with the order, copies the time to the rows of these refunds.
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

/** The provider's refund of the rest of an order's money, or the reversal of such a refund. */
interface OfOrder {
  orderId: string;
  by: string;
  at: string;
}

/**
 * Records that the rest of the order's money was refunded. This completes all refunds of the order that were still
 * open.
 */
export const orderWentBack = (db: Queryable, { orderId, by, at }: OfOrder) => {
  const refunds = refundsOf(db, orderId).select([moment(at).as('refundedAt'), sql.val(by).as('wentWith')]);
  return noteRefunds(db, refunds, ['refundedAt', 'wentWith'], { failedAt: null });
};

/**
 * Records that the money of this provider's refund came back to us, and that payments retries it. This affects all
 * refunds of the order that the provider's refund completed. If it completed none, it affects each refund that has no
 * provider's refund of its own.
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
 * Records that a refund was refused; payments retries it. `refundId` null: all incomplete refunds of the order. Refunds
 * that were completed since then keep their state.
 */
export const refused = (
  db: Queryable,
  { refundId, orderId, at }: { refundId: string | null; orderId: string; at: string },
) => {
  const refunds = refundsWithCheckout(db, orderId).select(moment(at).as('failedAt')).where('c.refundedAt', 'is', null);
  return noteRefunds(db, refundId === null ? refunds : refunds.where('r.refundId', '=', refundId), ['failedAt']);
};
