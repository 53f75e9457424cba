import { randomInt } from 'node:crypto';
import type { Pool } from 'pg';
import { REFERRAL_ALPHABET, REFERRAL_CODE_LENGTH, referralCodeFrom } from '@beltway/contracts/identity/referrals';
import { sql } from 'kysely';
import { kysely } from '../../db.ts';

/** There are 30^8 possible codes, about 650 billion, so guessing is not practical. A code is not secret. */
const newCode = () =>
  Array.from({ length: REFERRAL_CODE_LENGTH }, () => REFERRAL_ALPHABET[randomInt(REFERRAL_ALPHABET.length)]).join('');

/** An account's code, created on first use. null: the account does not exist. */
export async function codeOf(pool: Pool, userId: number): Promise<string | null> {
  // Another account may have drawn the same code, or a concurrent request may have created this account's code.
  for (let tries = 0; tries < 5; tries++) {
    const known = await kysely(pool)
      .selectFrom('referralCodes')
      .select('code')
      .where('userId', '=', userId)
      .executeTakeFirst();
    if (known) return known.code;
    // Locks the account's row. A concurrent erasure waits and then deletes the code too.
    await sql`insert into referral_codes (user_id, code)
      select id, ${newCode()} from (select id from users where id = ${userId} for key share) u on conflict do nothing`.execute(
      kysely(pool),
    );
  }
  return null;
}

export interface Referrer {
  id: number;
  email: string;
}
/** The owner of a code. Undefined: the code is unknown, or its owner was erased or is suspended. */
export async function referrerOf(pool: Pool, text: string, now: Date): Promise<Referrer | undefined> {
  const code = referralCodeFrom(text);
  if (code === undefined) return undefined;
  return kysely(pool)
    .selectFrom('referralCodes as c')
    .innerJoin('users as u', 'u.id', 'c.userId')
    .select(['u.id', 'u.email'])
    .where('c.code', '=', code)
    .where((eb) => eb.or([eb('u.suspendedAt', 'is', null), eb('u.suspendedUntil', '<=', now)]))
    .executeTakeFirst();
}
