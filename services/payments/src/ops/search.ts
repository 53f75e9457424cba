import type { Pool } from 'pg';
import { z } from 'zod';
import { PROVIDER_ID, type FoundPayment } from '@beltway/contracts/ops/timelines';
import type { RowOf } from '@beltway/kit/columns';
import { payments } from '../payment/columns.ts';

const FIELDS = ['id', 'paymentId', 'purpose', 'status', 'amountCents', 'createdAt'] as const;
const SELECT = `select ${payments.select(FIELDS)} from payments`;

/** As the index `events_of_provider` has them. */
const OF_PROVIDER_OBJECT = `select substr(stream, 9)::uuid from events where coalesce(data->>'disputeId', data->>'refundId') = $1
  and type in ('RefundFailed', 'PaymentRefunded', 'PaymentPartlyRefunded', 'RefundReversed', 'DisputeOpened', 'DisputeLost', 'DisputeWon')
  and stream like 'payment-%'`;

/** A statement with the text as its value; undefined: it is no id of ours or of the provider's. */
function statementFor(q: string): string | undefined {
  if (z.uuid().safeParse(q).success)
    return `${SELECT} where id in (select $1::uuid union select payment_id from part_refunds where request_id = $1::uuid)`;
  if (!PROVIDER_ID.test(q)) return undefined;
  return q.startsWith('pi_')
    ? `${SELECT} where stripe_payment_intent_id = $1`
    : `${SELECT} where id in (${OF_PROVIDER_OBJECT})`;
}

/**
 * The payment that a text names: its id (of tickets the order's), the id of a refund that was asked for, or the provider's id of its intent, of
 * a refund or of a dispute.
 */
export async function findPayments(pool: Pool, q: string): Promise<FoundPayment[]> {
  const statement = statementFor(q);
  if (statement === undefined) return [];
  const { rows } = await pool.query<Pick<RowOf<typeof payments>, (typeof FIELDS)[number]>>(statement, [q]);
  return rows.map(({ createdAt, ...payment }) => ({ ...payment, createdAt: createdAt.toISOString() }));
}
