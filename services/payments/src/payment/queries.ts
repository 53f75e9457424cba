import type { Pool } from 'pg';
import type { PaymentStatus } from '@beltway/contracts/payments';
import { texts, uuids } from '@beltway/event-store';
import { gatherByKey } from '@beltway/kit/gather';

/** A payment as the routes need it. Prepared and not through Prisma: each purchase asks twice. */
export interface PaymentRow {
  id: string;
  orderId: string;
  eventId: number;
  organiserId: number;
  buyerId: number | null;
  paymentId: string;
  amountCents: number;
  status: PaymentStatus;
  /** Sealed. */
  clientSecret: string | null;
}

const SELECT = `select id, coalesce(order_id, id) as "orderId", event_id as "eventId", organiser_id as "organiserId", user_id as "buyerId",
    stripe_payment_intent_id as "paymentId", amount as "amountCents", status, client_secret as "clientSecret" from payments`;

/** The payment of this id: that of its order. */
export const paymentById = gatherByKey(
  async (pool: Pool, ids: string[]) =>
    (
      await pool.query<PaymentRow>({
        name: 'payments-by-id',
        text: `${SELECT} where id = any($1)`,
        values: [uuids(ids)],
      })
    ).rows,
  ({ id }) => id,
);

/** Those of these that we know, by the provider's intents. */
export async function paymentsByIntent(pool: Pool, paymentIds: string[]): Promise<PaymentRow[]> {
  const { rows } = await pool.query<PaymentRow>({
    name: 'payments-by-intent',
    text: `${SELECT} where stripe_payment_intent_id = any($1)`,
    values: [texts(paymentIds)],
  });
  return rows;
}

/** By the provider's intent. */
export const paymentByIntent = gatherByKey(paymentsByIntent, ({ paymentId }) => paymentId);
