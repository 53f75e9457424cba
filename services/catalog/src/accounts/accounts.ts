import type { Queryable } from '@beltway/kit/postgres';

/** An account as it shows itself to everybody. */
export interface Account {
  userId: number;
  name: string;
}

/**
 * Keeps the name of an account, as identity's older messages say it. Done again it changes nothing; of an account that was erased nothing is
 * kept, however late its message comes.
 */
export const keepAccount = (db: Queryable, { userId, name }: Account) =>
  db.query({
    name: 'keep-account',
    text: `insert into accounts (user_id, name) select $1::integer, $2::text where not exists (select from erasures where user_id = $1)
      on conflict (user_id) do update set name = excluded.name where accounts.name <> excluded.name`,
    values: [userId, name],
  });

/** The name that an account's own token says, for who is quicker than identity's message. What the message said stands. */
export const noteAccount = (db: Queryable, { userId, name }: Account) =>
  db.query({
    name: 'note-account',
    text: 'insert into accounts (user_id, name) values ($1, $2) on conflict (user_id) do nothing',
    values: [userId, name],
  });
