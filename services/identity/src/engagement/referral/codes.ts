import { randomInt } from 'node:crypto';
import type { Pool } from 'pg';
import { REFERRAL_ALPHABET, REFERRAL_CODE_LENGTH, referralCodeFrom } from '@beltway/contracts/identity/referrals';
import { sql } from 'kysely';
import { kysely } from '../../db.ts';

/** 30^8, some 650 thousand million: a guess finds nobody, and what it would find is no secret. */
const newCode = () =>
  Array.from({ length: REFERRAL_CODE_LENGTH }, () => REFERRAL_ALPHABET[randomInt(REFERRAL_ALPHABET.length)]).join('');

/** The code of an account, made when it is first asked for. Null: there is no such account. */
export async function codeOf(pool: Pool, userId: number): Promise<string | null> {
  // Another account may have drawn the same code, or another request may have made one.
  for (let tries = 0; tries < 5; tries++) {
    const known = await kysely(pool)
      .selectFrom('referralCodes')
      .select('code')
      .where('userId', '=', userId)
      .executeTakeFirst();
    if (known) return known.code;
    // The account's row is locked, so that a concurrent erasure deletes the code too.
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
/** Whose code it is. Undefined: it is none, or of an account that is no more or is suspended. */
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
