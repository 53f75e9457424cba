import type { Pool } from 'pg';
import type { RefundableOfEvent } from '@beltway/contracts/catalog/events';
import type { PaymentStatus, Purpose } from '@beltway/contracts/payments/payments';
import type { PaidLevel } from '@beltway/contracts/catalog/promotion';
import { prepared, uuids } from '@beltway/event-store';
import { batchLoaderByKey } from '@beltway/kit/batch-loader';
import type { RowOf } from '@beltway/kit/columns';
import { anyOf, excluded } from '@beltway/kit/kysely';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import { payments } from '../generated/tables.ts';

const FIELDS = [
  ...(['id', 'eventId', 'organizerId', 'returnedCents'] as const),
  ...(['purpose', 'promotionType', 'livestream', 'packageId', 'status', 'clientSecret'] as const),
];
/** Columns renamed to the specification's names. */
const RENAMED = ['userId as buyerId', 'stripePaymentIntentId as paymentId', 'amount as amountCents'] as const;

/** A payment for the routes. */
export type PaymentRow = Pick<RowOf<typeof payments>, (typeof FIELDS)[number]> & {
  buyerId: number | null;
  /** The provider's intent. */
  paymentId: string;
  amountCents: number;
  purpose: Purpose;
  status: PaymentStatus;
};

const selectPayments = (pool: Pool) =>
  kysely(pool)
    .selectFrom('payments')
    .select([...FIELDS, ...RENAMED])
    .$castTo<PaymentRow>();

export interface KnownPayment {
  id: string;
  /** Undefined if no payment with this id was recorded. */
  payment: PaymentRow | undefined;
  /** The number of this payment's idempotency keys under which the provider cached a fault. */
  attempt: number;
}

/** SQL text instead of the query builder, because each purchase runs this query twice. */
const BY_ID = `select asked.id as asked, coalesce(a.attempt, 0) as attempt, payments.id is not null as known, ${payments.select(FIELDS)},
    payments.user_id as "buyerId", payments.stripe_payment_intent_id as "paymentId", payments.amount as "amountCents"
  from unnest($1::uuid[]) asked (id) left join intent_attempts a on a.order_id = asked.id left join payments on payments.id = asked.id
  where payments.id is not null or a.order_id is not null`;

/**
 * A payment by its id (for tickets, the order's id), and the attempt number for the next idempotency key. Undefined
 * when neither a payment nor an attempt is recorded.
 */
export const paymentById = batchLoaderByKey(
  async (pool: Pool, ids: string[]): Promise<KnownPayment[]> => {
    const { rows } = await pool.query<PaymentRow & { asked: string; attempt: number; known: boolean }>(
      prepared(BY_ID, [uuids(ids)]),
    );
    return rows.map(({ asked, attempt, known, ...row }) => ({
      id: asked,
      attempt,
      payment: known ? row : undefined,
    }));
  },
  ({ id }) => id,
);

/** The provider cached a fault under the idempotency key of this attempt, so the next call uses another key. */
export const keyIsSpent = (pool: Pool, orderId: string, attempt: number) =>
  kysely(pool)
    .insertInto('intentAttempts')
    .values({ orderId, attempt: attempt + 1, failedAt: sql`now()` })
    .onConflict((conflict) =>
      conflict.column('orderId').doUpdateSet((eb) => ({
        ...excluded(eb, ['failedAt']),
        attempt: sql<number>`greatest(intent_attempts.attempt, excluded.attempt)`,
      })),
    )
    .execute();

/** The latest payment of one buyer for one level of an event. */
export const latestPromotion = (
  pool: Pool,
  eventId: number,
  buyerId: number,
  level: PaidLevel,
): Promise<PaymentRow | undefined> =>
  selectPayments(pool)
    .where('eventId', '=', eventId)
    .where('userId', '=', buyerId)
    .where('promotionType', '=', level)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

/** The recorded payments for these intents. */
export const paymentsByIntent = (pool: Pool, paymentIds: string[]): Promise<PaymentRow[]> =>
  selectPayments(pool).where('stripePaymentIntentId', '=', anyOf(paymentIds)).execute();

/**
 * The refunds that a cancellation of the event would cause: paid ticket orders for which no refund is requested or
 * made.
 */
export async function refundableOf(pool: Pool, eventId: number, organizerId: number): Promise<RefundableOfEvent> {
  const { rows } = await sql<{ orders: number; refundCents: string }>`
    select count(*)::int as orders, coalesce(sum(left_cents), 0) as "refundCents" from (
      select p.amount - p.returned_cents
        - coalesce((select sum(cents) from part_refunds r where r.payment_id = p.id and r.status = 'due'), 0) as left_cents
      from payments p where p.organizer_id = ${organizerId} and p.event_id = ${eventId}
        and p.purpose = 'tickets' and p.status = 'succeeded' and not exists (select from refunds r where r.id = p.id)
    ) payment where left_cents > 0`.execute(kysely(pool));
  const { orders, refundCents } = rows[0]!;
  return { orders, refundCents: Number(refundCents) };
}

/** A payment by the id of its intent at the provider. */
export const paymentByIntent = batchLoaderByKey(paymentsByIntent, ({ paymentId }) => paymentId);
