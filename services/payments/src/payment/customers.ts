import { anyOf, excluded } from '@beltway/kit/kysely';
import type { Pool } from 'pg';
import { batchLoaderByKey } from '@beltway/kit/batch-loader';
import type { Logger } from '@beltway/kit/logger';
import { kysely } from '../db.ts';
import { isKept } from '../provider/faults.ts';
import type { ConnectProvider } from '../provider/connect.ts';

const keptCustomer = batchLoaderByKey(
  async (pool: Pool, userIds: number[]) =>
    kysely(pool)
      .selectFrom('customers')
      .select(['userId', 'stripeCustomerId as id'])
      .where('userId', '=', anyOf(userIds))
      .execute(),
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
    const kept = await kysely(pool)
      .insertInto('customers')
      .values({ userId, stripeCustomerId: id })
      .onConflict((conflict) => conflict.column('userId').doUpdateSet((eb) => excluded(eb, ['userId'])))
      .returning('stripeCustomerId as id')
      .executeTakeFirst();
    return kept?.id;
  } catch (error) {
    if (!isKept(error)) throw error;
    log.warn({ err: error, userId }, 'the provider made no customer for a buyer, who pays without one');
    return undefined;
  }
}
