import type { Queryable } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';

/** The facts about an account that its mailed links are bound to. */
export interface AccountFacts {
  userId: number;
  email: string;
  credentialId: string;
}

/** A requested change of an account's email address. */
export interface EmailChange {
  id: string;
  email: string;
  before: string;
  credentialId: string;
}

/** The verification link is valid until the account's email address changes. */
export const boundOfVerification = ({ email }: AccountFacts): string[] => [email];

/** The reset link is valid until the password or the email address changes, so it works once. */
export const boundOfReset = ({ email, credentialId }: AccountFacts): string[] => [email, credentialId];

/** The link mailed to the new email address is valid until the next request or a change of the password. */
export const boundOfChange = ({ id, email, before, credentialId }: EmailChange): string[] => [
  ...[id, email, before, credentialId],
];

/** The appeal link belongs to one decision and becomes invalid when a later decision replaces that decision. */
export const boundOfAppeal = ({ caseId, number }: { caseId: string; number: number }): string[] => [
  caseId,
  String(number),
];

/** The latest requested change of the email address, even if it has been applied. */
export const lastChange = (db: Pick<Queryable, 'query'>, userId: number): Promise<EmailChange | undefined> =>
  kysely(db)
    .selectFrom('emailChanges')
    .select(['id', 'email', 'before', 'credentialId'])
    .where('userId', '=', userId)
    .executeTakeFirst();

/** The requested change whose new email address is not verified yet. */
export async function pendingChange(
  db: Pick<Queryable, 'query'>,
  { userId, email, credentialId }: AccountFacts,
): Promise<EmailChange | undefined> {
  const change = await lastChange(db, userId);
  return change?.before === email && change.credentialId === credentialId ? change : undefined;
}
