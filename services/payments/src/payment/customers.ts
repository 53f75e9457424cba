import type { Pool } from 'pg';
import { int4s } from '@beltway/event-store';
import { batchLoaderByKey } from '@beltway/kit/batch-loader';
import type { Logger } from '@beltway/kit/logger';
import { isKept } from '../provider/faults.ts';
import type { ConnectProvider } from '../provider/connect.ts';

const keptCustomer = batchLoaderByKey(
  async (pool: Pool, userIds: number[]) =>
    (
      await pool.query<{ userId: number; id: string }>({
        name: 'customers-of',
        text: `select user_id as "userId", stripe_customer_id as id from customers where user_id = any($1::int4[])`,
        values: [int4s(userIds)],
      })
    ).rows,
  ({ userId }) => userId,
);

interface CustomerDeps {
  pool: Pool;
  provider: Pick<ConnectProvider, 'openCustomer'>;
  log: Logger;
}

/**
 * The provider's customer of a signed-in buyer, made once and kept. Two instances that ask at once are answered the same by the provider.
 * Undefined when it keeps a fault under this buyer's key: a payment needs none. Other faults are thrown, so that the payment is asked for
 * on the same terms when it is tried again.
 */
export async function customerOf(deps: CustomerDeps, userId: number): Promise<string | undefined> {
  const known = await keptCustomer(deps.pool, userId);
  if (known) return known.id;
  // Who asks while the provider works under the same key would be refused: several orders of one buyer ask together.
  const asked = opening.get(userId) ?? openCustomer(deps, userId).finally(() => opening.delete(userId));
  opening.set(userId, asked);
  return asked;
}

const opening = new Map<number, Promise<string | undefined>>();

async function openCustomer({ pool, provider, log }: CustomerDeps, userId: number): Promise<string | undefined> {
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
