import type { Pool } from 'pg';
import { z } from 'zod';
import type { FoundPayment } from '@beltway/contracts/timelines';
import type { RowOf } from '@beltway/kit/columns';
import { payments } from '../payment/columns.ts';

const FIELDS = ['id', 'paymentId', 'purpose', 'status', 'amountCents', 'createdAt'] as const;
const SELECT = `select ${payments.select(FIELDS)} from payments`;

/** The provider's objects: a payment's intent, and a refund of it. */
const INTENT = /^pi_\w{6,200}$/;

/** The payment that a text names: its id (of tickets the order's), the provider's intent, or the id of a refund that was asked for. */
export async function findPayments(pool: Pool, q: string): Promise<FoundPayment[]> {
  const isId = z.uuid().safeParse(q).success;
  if (!isId && !INTENT.test(q)) return [];
  const { rows } = await pool.query<Pick<RowOf<typeof payments>, (typeof FIELDS)[number]>>(
    isId
      ? `${SELECT} where id in (select $1::uuid union select payment_id from part_refunds where request_id = $1::uuid)`
      : `${SELECT} where stripe_payment_intent_id = $1`,
    [q],
  );
  return rows.map(({ createdAt, ...payment }) => ({ ...payment, createdAt: createdAt.toISOString() }));
}
