import type { Pool } from 'pg';
import { keyedText, type Secrets } from '@beltway/kit/secrets';

const PURPOSE = 'network of a registration';
/** One for each secret that is accepted: the first is written, all are compared. */
const keysOf = (secret: Secrets, address: string): string[] =>
  (typeof secret === 'string' ? [secret] : secret).map((one) => keyedText(one, PURPOSE, address));

const NOTE = `insert into signup_networks (user_id, network_key, noted_at)
  select id, $2, $3 from (select id from users where id = $1 for key share) u on conflict do nothing`;
/** The referral is the one in the log, whatever this request says. */
const HINT = `insert into referral_hints (referred_id, referrer_id, same_network, same_device, noted_at)
  select h.referred_id, h.referrer_id, h.same_network, h.same_device, $4 from (
    select r.referred_id, r.referrer_id, r.referrer_id is not distinct from $3::integer as same_device, exists (
      select from signup_networks n left join referrals o on o.referred_id = n.user_id
      where n.network_key = any($2) and n.user_id <> r.referred_id and r.referrer_id in (n.user_id, o.referrer_id)
    ) as same_network from referrals r where r.referred_id = $1
  ) h where h.same_network or h.same_device on conflict do nothing`;

export interface Signup {
  userId: number;
  /** Where it came from; a whole IPv6 /64 is one. */
  address: string;
  /** Whose browser it was before: the account whose code was given, if this device is known to it. */
  knownTo: number | undefined;
  now: Date;
}

/**
 * Notes the network of a registration, as a keyed digest, and what speaks for who was referred being who referred them: the network
 * that the referrer, or another one by their link, registered from, or a browser that signed in to the referrer's account.
 */
export async function noteSignup(
  pool: Pool,
  secret: Secrets,
  { userId, address, knownTo, now }: Signup,
): Promise<void> {
  const keys = keysOf(secret, address);
  await pool.query(NOTE, [userId, keys[0], now]);
  await pool.query(HINT, [userId, keys, knownTo ?? null, now]);
}

/** Networks and hints are kept for 90 days. */
export async function sweepSignups(pool: Pool): Promise<void> {
  await pool.query(`delete from signup_networks where noted_at < now() - interval '90 days'`);
  await pool.query(`delete from referral_hints where noted_at < now() - interval '90 days'`);
}
