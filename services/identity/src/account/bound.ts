import type { Queryable } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';

/** What an account is, as far as links depend on it. */
export interface AccountFacts {
  userId: number;
  email: string;
  credentialId: string;
}

/** An address that is to take the place of an account's. */
export interface EmailChange {
  id: string;
  email: string;
  before: string;
  credentialId: string;
}

/** The link to verify an address ends when the account has another one. */
export const boundOfVerification = ({ email }: AccountFacts): string[] => [email];

/** The link to choose another password ends with each change of password or address: with its own use, too. */
export const boundOfReset = ({ email, credentialId }: AccountFacts): string[] => [email, credentialId];

/** The link to the new address ends with another request, and with a change of the password. */
export const boundOfChange = ({ id, email, before, credentialId }: EmailChange): string[] => [
  ...[id, email, before, credentialId],
];

/** The link to appeal is of one decision: it ends when another one takes its place. */
export const boundOfAppeal = ({ caseId, number }: { caseId: string; number: number }): string[] => [
  caseId,
  String(number),
];

/** The change that was asked for last, also when it was made meanwhile. */
export const lastChange = (db: Pick<Queryable, 'query'>, userId: number): Promise<EmailChange | undefined> =>
  kysely(db)
    .selectFrom('emailChanges')
    .select(['id', 'email', 'before', 'credentialId'])
    .where('userId', '=', userId)
    .executeTakeFirst();

/** The change that waits for its address to be verified. */
export async function pendingChange(
  db: Pick<Queryable, 'query'>,
  { userId, email, credentialId }: AccountFacts,
): Promise<EmailChange | undefined> {
  const change = await lastChange(db, userId);
  return change?.before === email && change.credentialId === credentialId ? change : undefined;
}
