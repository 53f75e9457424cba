import type { Pool } from 'pg';
import { keyedText, type Secrets } from '@beltway/kit/secrets';
import { ago, anyOf } from '@beltway/kit/kysely';
import { sql } from 'kysely';
import { kysely } from '../../db.ts';

const PURPOSE = 'network of a registration';
/** One for each secret that is accepted: the first is written, all are compared. */
const keysOf = (secret: Secrets, address: string): string[] =>
  (typeof secret === 'string' ? [secret] : secret).map((one) => keyedText(one, PURPOSE, address));

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
  await sql`insert into signup_networks (user_id, network_key, noted_at)
    select id, ${keys[0]}, ${now} from (select id from users where id = ${userId} for key share) u on conflict do nothing`.execute(
    kysely(pool),
  );
  // The referral in the log counts, not the one in this request.
  await sql`insert into referral_hints (referred_id, referrer_id, same_network, same_device, noted_at)
    select h.referred_id, h.referrer_id, h.same_network, h.same_device, ${now} from (
      select r.referred_id, r.referrer_id, r.referrer_id is not distinct from ${knownTo ?? null}::integer as same_device, exists (
        select from signup_networks n left join referrals o on o.referred_id = n.user_id
        where n.network_key = ${anyOf(keys)} and n.user_id <> r.referred_id and r.referrer_id in (n.user_id, o.referrer_id)
      ) as same_network from referrals r where r.referred_id = ${userId}
    ) h where h.same_network or h.same_device on conflict do nothing`.execute(kysely(pool));
}

/** Networks and hints are kept for 90 days. */
export async function sweepSignups(pool: Pool): Promise<void> {
  await kysely(pool).deleteFrom('signupNetworks').where('notedAt', '<', ago('90 days')).execute();
  await kysely(pool).deleteFrom('referralHints').where('notedAt', '<', ago('90 days')).execute();
}
