import type { Pool } from 'pg';
import type { Role } from '@beltway/contracts/common/basics';
import { unauthenticated } from '@beltway/kit/problems';
import { kysely } from '../db.ts';
import { isDemo } from '../demo.ts';
import type { UserRow } from '../user/queries.ts';

/**
 * The role in a session's tokens: an admin without codes at sign-in acts as a user (docs/decisions/0113). Demo accounts
 * are exempt, because only this machine may use them. Throws 401 if the session has not proved the account's current
 * codes, so that the admin signs in again.
 */
export async function actingRole(pool: Pool, { email, role }: UserRow, sessionId: string): Promise<Role> {
  if (role !== 'admin' || isDemo(email)) return role as Role;
  const session = await kysely(pool)
    .selectFrom('sessions as s')
    .leftJoin('totpFactors as f', 'f.userId', 's.userId')
    .select(['s.totpSecretId as proved', 'f.secretId as required'])
    .where('s.id', '=', sessionId)
    .executeTakeFirst();
  if (!session?.required) return 'user';
  if (session.proved !== session.required) throw unauthenticated();
  return 'admin';
}

/** The authenticator secret that a session has proved. The session that replaces it inherits the secret. */
export async function secretProvedBy(pool: Pool, sessionId: string): Promise<string | undefined> {
  const session = await kysely(pool)
    .selectFrom('sessions')
    .select('totpSecretId')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return session?.totpSecretId ?? undefined;
}
