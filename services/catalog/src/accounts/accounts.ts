import type { Queryable } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';

/** An account's public data. */
export interface Account {
  userId: number;
  name: string;
}

/** Stores the name from an account's token when the account first acts in the catalog. */
export const noteAccount = (db: Queryable, account: Account) =>
  kysely(db)
    .insertInto('accounts')
    .values(account)
    .onConflict((conflict) => conflict.column('userId').doNothing())
    .execute();
