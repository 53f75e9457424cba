import type { Pool } from 'pg';
import type { RefundableOfEvent } from '@beltway/contracts/catalog/events';
import type { PaymentStatus, Purpose } from '@beltway/contracts/payments/payments';
import type { PaidLevel } from '@beltway/contracts/catalog/promotion';
import { texts, uuids } from '@beltway/event-store';
import { batchLoaderByKey } from '@beltway/kit/batch-loader';
import type { RowOf } from '@beltway/kit/columns';
import { payments } from './columns.ts';

const FIELDS = [
  ...(['id', 'eventId', 'organiserId', 'buyerId', 'paymentId', 'amountCents', 'returnedCents'] as const),
  ...(['purpose', 'promotionType', 'livestream', 'packageId', 'status', 'clientSecret'] as const),
];

/** A payment as the routes need it. Prepared and not through Prisma: each purchase asks twice. */
export type PaymentRow = Pick<RowOf<typeof payments>, (typeof FIELDS)[number]> & {
  purpose: Purpose;
  status: PaymentStatus;
};

const SELECT = `select ${payments.select(FIELDS)} from payments`;

export interface KnownPayment {
  id: string;
  /** Undefined: no payment of this id was recorded. */
  payment: PaymentRow | undefined;
  /** How many faults the provider keeps under the idempotency keys of this payment. */
  attempt: number;
}

/** A payment by its id, of tickets the order's, and which idempotency key the next call for it carries; undefined when there is nothing of either. */
export const paymentById = batchLoaderByKey(
  async (pool: Pool, ids: string[]): Promise<KnownPayment[]> => {
    const { rows } = await pool.query<PaymentRow & { asked: string; attempt: number; known: boolean }>({
      name: 'payments-of-orders',
      text: `select asked.id as asked, coalesce(a.attempt, 0) as attempt, found.id is not null as known, found.*
             from unnest($1::uuid[]) asked (id) left join intent_attempts a on a.order_id = asked.id
             left join lateral (${SELECT} where payments.id = asked.id) found on true
             where found.id is not null or a.order_id is not null`,
      values: [uuids(ids)],
    });
    return rows.map(({ asked, attempt, known, ...row }) => ({
      id: asked,
      attempt,
      payment: known ? row : undefined,
    }));
  },
  ({ id }) => id,
);

/** The provider keeps a fault under the key of this attempt: the next call carries another. */
export const keyIsSpent = (pool: Pool, orderId: string, attempt: number) =>
  pool.query(
    `insert into intent_attempts as a (order_id, attempt, failed_at) values ($1, $2, now())
     on conflict (order_id) do update set attempt = greatest(a.attempt, excluded.attempt), failed_at = excluded.failed_at`,
    [orderId, attempt + 1],
  );

/** The latest payment of one buyer for one level of an event. */
export async function latestPromotion(
  pool: Pool,
  eventId: number,
  buyerId: number,
  level: PaidLevel,
): Promise<PaymentRow | undefined> {
  const { rows } = await pool.query<PaymentRow>(
    `${SELECT} where event_id = $1 and user_id = $2 and promotion_type = $3 order by created_at desc, id limit 1`,
    [eventId, buyerId, level],
  );
  return rows[0];
}

/** Those of these that we know, by the provider's intents. */
export async function paymentsByIntent(pool: Pool, paymentIds: string[]): Promise<PaymentRow[]> {
  const { rows } = await pool.query<PaymentRow>({
    name: 'payments-by-intent',
    text: `${SELECT} where stripe_payment_intent_id = any($1)`,
    values: [texts(paymentIds)],
  });
  return rows;
}

/** What a cancelled event would give back: what was paid for its tickets and has not gone back, or been asked to. */
export async function refundableOf(pool: Pool, eventId: number, organiserId: number): Promise<RefundableOfEvent> {
  const { rows } = await pool.query<{ orders: number; refundCents: string }>(
    `select count(*)::int as orders, coalesce(sum(left_cents), 0) as "refundCents" from (
       select p.amount - p.returned_cents
         - coalesce((select sum(cents) from part_refunds r where r.payment_id = p.id and r.status = 'due'), 0) as left_cents
       from payments p where p.organiser_id = $2 and p.event_id = $1 and p.purpose = 'tickets' and p.status = 'succeeded'
         and not exists (select from refunds r where r.id = p.id)
     ) payment where left_cents > 0`,
    [eventId, organiserId],
  );
  const { orders, refundCents } = rows[0]!;
  return { orders, refundCents: Number(refundCents) };
}

/** By the provider's intent. */
export const paymentByIntent = batchLoaderByKey(paymentsByIntent, ({ paymentId }) => paymentId);
