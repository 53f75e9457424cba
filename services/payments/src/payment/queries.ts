import type { PaymentStatus } from '@beltway/contracts/payments';
import type { Queryable } from '@beltway/kit/postgres';

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

export async function paymentById(db: Queryable, id: string): Promise<PaymentRow | undefined> {
  const { rows } = await db.query<PaymentRow>({
    name: 'payment-by-id',
    text: `${SELECT} where id = $1`,
    values: [id],
  });
  return rows[0];
}

/** By the provider's intent. */
export async function paymentByIntent(db: Queryable, paymentId: string): Promise<PaymentRow | undefined> {
  const { rows } = await db.query<PaymentRow>({
    name: 'payment-by-intent',
    text: `${SELECT} where stripe_payment_intent_id = $1`,
    values: [paymentId],
  });
  return rows[0];
}
