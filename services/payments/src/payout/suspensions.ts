import type { SuspensionChangedV1 } from '@beltway/contracts/identity/accounts';
import { excluded } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';

/** Stores the newest state of an account. An older message changes nothing. */
export const keepSuspension = (db: Queryable, account: SuspensionChangedV1['data']) =>
  kysely(db)
    .insertInto('accountSuspensions')
    .values(account)
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet((eb) => excluded(eb, ['isSuspended', 'version']))
        .whereRef('accountSuspensions.version', '<', 'excluded.version'),
    )
    .execute();

/** Payouts of a suspended account wait (services/payments/PRODUCT.md#payouts). */
export async function isSuspended(db: Queryable, userId: number): Promise<boolean> {
  const account = await kysely(db)
    .selectFrom('accountSuspensions')
    .select('isSuspended')
    .where('userId', '=', userId)
    .executeTakeFirst();
  return account?.isSuspended ?? false;
}
