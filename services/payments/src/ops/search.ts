import type { Pool } from 'pg';
import { z } from 'zod';
import { PROVIDER_ID, type FoundPayment } from '@beltway/contracts/ops/timelines';
import { sql } from 'kysely';
import { kysely } from '../db.ts';

/** This expression must equal the expression of the index `events_of_provider`; otherwise the index is not used. */
const ofProviderObject = (id: string) => sql`select substr(stream, 9)::uuid from events
  where coalesce(data->>'disputeId', data->>'refundId') = ${id} and stream like 'payment-%'
    and type in ('RefundFailed', 'PaymentRefunded', 'PaymentPartlyRefunded', 'RefundReversed', 'DisputeOpened', 'DisputeLost', 'DisputeWon')`;

/**
 * Finds a payment by one of these ids: the payment's own id (for tickets, the order's id), the id of a requested
 * refund, or the provider's id of the intent, a refund or a dispute.
 */
export async function findPayments(pool: Pool, q: string): Promise<FoundPayment[]> {
  const payments = kysely(pool)
    .selectFrom('payments')
    .select(['id', 'stripePaymentIntentId as paymentId', 'purpose', 'status', 'amount as amountCents', 'createdAt']);
  const isOurs = z.uuid().safeParse(q).success;
  if (!isOurs && !PROVIDER_ID.test(q)) return [];
  const found = isOurs
    ? payments.where(
        'id',
        'in',
        sql<string>`(select ${q}::uuid union select payment_id from part_refunds where request_id = ${q}::uuid)`,
      )
    : q.startsWith('pi_')
      ? payments.where('stripePaymentIntentId', '=', q)
      : payments.where('id', 'in', sql<string>`(${ofProviderObject(q)})`);
  return (await found.execute()).map(({ createdAt, ...payment }) => ({
    ...payment,
    createdAt: createdAt.toISOString(),
  }));
}
