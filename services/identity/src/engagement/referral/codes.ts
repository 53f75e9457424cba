import { randomInt } from 'node:crypto';
import type { Pool } from 'pg';
import { REFERRAL_ALPHABET, REFERRAL_CODE_LENGTH, referralCodeFrom } from '@beltway/contracts/identity/referrals';

/** 30^8, some 650 thousand million: a guess finds nobody, and what it would find is no secret. */
const newCode = () =>
  Array.from({ length: REFERRAL_CODE_LENGTH }, () => REFERRAL_ALPHABET[randomInt(REFERRAL_ALPHABET.length)]).join('');

const CODE = 'select code from referral_codes where user_id = $1';
// The account's row is held: one that is erased meanwhile takes its code with it.
const MAKE = `insert into referral_codes (user_id, code)
  select id, $2 from (select id from users where id = $1 for key share) u on conflict do nothing`;

/** The code of an account, made when it is first asked for. Null: there is no such account. */
export async function codeOf(pool: Pool, userId: number): Promise<string | null> {
  // Another account may have drawn the same code, or another request may have made one.
  for (let tries = 0; tries < 5; tries++) {
    const { rows } = await pool.query<{ code: string }>(CODE, [userId]);
    if (rows[0]) return rows[0].code;
    await pool.query(MAKE, [userId, newCode()]);
  }
  return null;
}

export interface Referrer {
  id: number;
  email: string;
}
const REFERRER = `select u.id, u.email from referral_codes c join users u on u.id = c.user_id
  where c.code = $1 and (u.suspended_at is null or u.suspended_until <= $2)`;

/** Whose code it is. Undefined: it is none, or of an account that is no more or is suspended. */
export async function referrerOf(pool: Pool, text: string, now: Date): Promise<Referrer | undefined> {
  const code = referralCodeFrom(text);
  if (code === undefined) return undefined;
  return (await pool.query<Referrer>(REFERRER, [code, now])).rows[0];
}
