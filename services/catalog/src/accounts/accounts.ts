import type { Queryable } from '@beltway/kit/postgres';
import { insertIf, notErased } from '@beltway/kit/kysely';
import { kysely } from '../db.ts';
import { accounts } from '../generated/tables.ts';

/** An account as it shows itself to everybody. */
export interface Account {
  userId: number;
  name: string;
}

/** Keeps the name of an account from identity's messages. Idempotent; an erased account is not stored again by a late message. */
export const keepAccount = (db: Queryable, { userId, name }: Account) =>
  insertIf(kysely(db), 'accounts', accounts, { userId, name }, notErased(userId))
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet((eb) => ({ name: eb.ref('excluded.name') }))
        .whereRef('accounts.name', '<>', 'excluded.name'),
    )
    .execute();

/** Stores the name in the account's own token until identity's message arrives. A name from a message stays. */
export const noteAccount = (db: Queryable, account: Account) =>
  kysely(db)
    .insertInto('accounts')
    .values(account)
    .onConflict((conflict) => conflict.column('userId').doNothing())
    .execute();
