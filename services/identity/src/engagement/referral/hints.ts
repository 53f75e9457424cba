import type { Pool } from 'pg';
import { keyedText, type Secrets } from '@beltway/kit/secrets';
import { ago, anyOf } from '@beltway/kit/kysely';
import { sql } from 'kysely';
import { kysely } from '../../db.ts';

const PURPOSE = 'network of a registration';
/** A digest of the network for each accepted secret. The first digest is stored; all digests are compared. */
const keysOf = (secret: Secrets, address: string): string[] =>
  (typeof secret === 'string' ? [secret] : secret).map((one) => keyedText(one, PURPOSE, address));

export interface Signup {
  userId: number;
  /** The IP address of the request. A whole IPv6 /64 counts as one address. */
  address: string;
  /** The referrer's account id, if this browser has signed in to the referrer's account before. */
  knownTo: number | undefined;
  now: Date;
}

/**
 * Stores the network of a registration as a keyed digest. Also records hints that the referrer and the referred account
 * belong to one person. One hint is that the registration came from the same network as the registration of the
 * referrer or of another account with the same referrer. The other is a browser that had signed in to the referrer's
 * account.
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
  // Uses the referral in the log, not the referral in this request.
  await sql`insert into referral_hints (referred_id, referrer_id, same_network, same_device, noted_at)
    select h.referred_id, h.referrer_id, h.same_network, h.same_device, ${now} from (
      select r.referred_id, r.referrer_id, r.referrer_id is not distinct from ${knownTo ?? null}::integer as same_device, exists (
        select from signup_networks n left join referrals o on o.referred_id = n.user_id
        where n.network_key = ${anyOf(keys)} and n.user_id <> r.referred_id and r.referrer_id in (n.user_id, o.referrer_id)
      ) as same_network from referrals r where r.referred_id = ${userId}
    ) h where h.same_network or h.same_device on conflict do nothing`.execute(kysely(pool));
}

/** Deletes networks and hints after 90 days. */
export async function sweepSignups(pool: Pool): Promise<void> {
  await kysely(pool).deleteFrom('signupNetworks').where('notedAt', '<', ago('90 days')).execute();
  await kysely(pool).deleteFrom('referralHints').where('notedAt', '<', ago('90 days')).execute();
}
