import type { Queryable } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';

/** An account as it shows itself to everybody. */
export interface Account {
  userId: number;
  name: string;
}

/** Keeps the name that an account's own token says, the first time it does something here. */
export const noteAccount = (db: Queryable, account: Account) =>
  kysely(db)
    .insertInto('accounts')
    .values(account)
    .onConflict((conflict) => conflict.column('userId').doNothing())
    .execute();
