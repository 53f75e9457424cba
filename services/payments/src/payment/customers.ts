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
 * The provider's customer for a signed-in buyer, created once and stored. Two instances use the same idempotency key,
 * so they get the same customer. Returns undefined when the provider caches a fault under this buyer's key, because a
 * payment can be made without a customer. Throws other faults, so that the retry requests the payment with the same
 * parameters.
 */
export async function customerOf(deps: CustomerDeps, userId: number): Promise<string | undefined> {
  const known = await keptCustomer(deps.pool, userId);
  if (known) return known.id;
  // The provider refuses a second call while a call with the same idempotency key is in progress. Concurrent orders of
  // one buyer therefore share one call.
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
    log.warn({ err: error, userId }, 'the provider created no customer; the buyer pays without one');
    return undefined;
  }
}
