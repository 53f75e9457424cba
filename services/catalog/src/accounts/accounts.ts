import type { Queryable } from '@beltway/kit/postgres';

/** An account as it shows itself to everybody. */
export interface Account {
  userId: number;
  name: string;
}

const INSERT = 'insert into accounts (user_id, name) values ($1, $2) on conflict (user_id) do';

/** Keeps the name of an account, as identity's messages say it. Done again it changes nothing. */
export const keepAccount = (db: Queryable, { userId, name }: Account) =>
  db.query({
    name: 'keep-account',
    text: `${INSERT} update set name = excluded.name where accounts.name <> excluded.name`,
    values: [userId, name],
  });

/** The name that an account's own token says, for who is quicker than identity's message. What the message said stands. */
export const noteAccount = (db: Queryable, { userId, name }: Account) =>
  db.query({ name: 'note-account', text: `${INSERT} nothing`, values: [userId, name] });
