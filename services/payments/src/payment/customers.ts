import type { Pool } from 'pg';
import type { Logger } from '@beltway/kit/logger';
import { isKept } from '../provider/faults.ts';
import type { ConnectProvider } from '../provider/connect.ts';

/**
 * The provider's customer of a signed-in buyer, made once and kept. Two instances that ask at once are answered the same by the provider.
 * Undefined when it keeps a fault under this buyer's key: a payment needs none. Other faults are thrown, so that the payment is asked for
 * on the same terms when it is tried again.
 */
export async function customerOf(
  { pool, provider, log }: { pool: Pool; provider: Pick<ConnectProvider, 'openCustomer'>; log: Logger },
  userId: number,
): Promise<string | undefined> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'customer-of',
    text: 'select stripe_customer_id as id from customers where user_id = $1',
    values: [userId],
  });
  if (rows[0]) return rows[0].id;
  try {
    const id = await provider.openCustomer(userId);
    const kept = await pool.query<{ id: string }>(
      `insert into customers (user_id, stripe_customer_id) values ($1, $2)
       on conflict (user_id) do update set user_id = excluded.user_id returning stripe_customer_id as id`,
      [userId, id],
    );
    return kept.rows[0]?.id;
  } catch (error) {
    if (!isKept(error)) throw error;
    log.warn({ err: error, userId }, 'the provider made no customer for a buyer, who pays without one');
    return undefined;
  }
}
