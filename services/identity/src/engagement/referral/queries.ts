import type { Pool } from 'pg';
import { z } from 'zod';
import { POINTS } from '@beltway/contracts/identity/point-rules';
import {
  REFERRALS_A_MONTH,
  type FlaggedReferrals,
  type ReferralStatus,
  type ReferralsPage,
  type ReferralsQuery,
} from '@beltway/contracts/identity/referrals';
import { dayAt } from '@beltway/contracts/common/times';
import { Micros, cursorOf, fromMicros, readCursor, toMicros } from '@beltway/kit/cursor';

const MAX_INT = 2_147_483_647;
const After = z.tuple([Micros, z.int().min(0).max(MAX_INT)]);

/** How a referral stands, of the tables r (referrals) and f (the reward). */
const STATUS = `case when f.subject_id is not null then 'rewarded'
  when exists (select from counted_facts a where a.user_id = r.referred_id and a.kind = 'attended'
    and a.day >= (r.joined_at at time zone 'America/New_York')::date) then 'over-limit'
  else 'pending' end`;
const REWARD = `left join counted_facts f on f.user_id = r.referrer_id and f.kind = 'referral' and f.subject_id = r.referred_id`;

/** Who left without a reward is not listed: nothing can come of it any more. */
const OWN = `select r.referred_id as "referredId", r.joined_at as "joinedAt", ${toMicros('r.joined_at')} as exact,
    ${STATUS} as status, f.points, f.day::text,
    case when e.is_visible and (u.suspended_at is null or u.suspended_until <= $5) then u.name end as name
  from referrals r ${REWARD} left join users u on u.id = r.referred_id
    left join engagement_profiles e on e.user_id = u.id
  where r.referrer_id = $1 and (r.left_at is null or f.subject_id is not null)
    and ($2::bigint is null or (r.joined_at, r.referred_id) < (${fromMicros('$2')}, $3::int))
  order by r.joined_at desc, r.referred_id desc limit $4`;
const THIS_MONTH = `select count(*)::int as count from counted_facts
  where user_id = $1 and kind = 'referral' and day >= date_trunc('month', $2::date) and day < date_trunc('month', $2::date) + interval '1 month'`;

interface OwnRow {
  referredId: number;
  joinedAt: Date;
  exact: string;
  status: ReferralStatus;
  points: number | null;
  day: string | null;
  name: string | null;
}

/** Whom a person referred, who joined last first. 400 `bad-cursor`. */
export async function referralsPage(
  pool: Pool,
  userId: number,
  { cursor, limit }: ReferralsQuery,
  now: Date,
): Promise<Pick<ReferralsPage, 'items' | 'nextCursor' | 'reward' | 'rewardedThisMonth' | 'maxPerMonth'>> {
  const after = cursor === undefined ? [null, null] : readCursor(cursor, After);
  const [{ rows }, { rows: counted }] = await Promise.all([
    pool.query<OwnRow>(OWN, [userId, ...after, limit + 1, now]),
    pool.query<{ count: number }>(THIS_MONTH, [userId, dayAt(now)]),
  ]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    ...{ reward: POINTS.referral, rewardedThisMonth: counted[0]?.count ?? 0, maxPerMonth: REFERRALS_A_MONTH },
    items: page.map(({ referredId, joinedAt, status, points, day, name }) => ({
      person: name === null ? null : { userId: referredId, name },
      ...{ status, rewardEarned: points ?? 0, rewardedOn: day, createdAt: joinedAt.toISOString() },
    })),
    nextCursor: rows.length > limit && last ? cursorOf([last.exact, last.referredId]) : null,
  };
}

const FLAGGED = `select h.referrer_id as "referrerId", a.name as "referrerName", h.referred_id as "referredId",
    b.name as "referredName", h.same_network as "sameNetwork", h.same_device as "sameDevice",
    r.joined_at as "joinedAt", ${toMicros('h.noted_at')} as exact, ${STATUS} as status
  from referral_hints h join referrals r on r.referred_id = h.referred_id ${REWARD}
    join users a on a.id = h.referrer_id join users b on b.id = h.referred_id
  where $1::bigint is null or (h.noted_at, h.referred_id) < (${fromMicros('$1')}, $2::int)
  order by h.noted_at desc, h.referred_id desc limit $3`;

interface FlaggedRow {
  referrerId: number;
  referrerName: string;
  referredId: number;
  referredName: string;
  sameNetwork: boolean;
  sameDevice: boolean;
  joinedAt: Date;
  exact: string;
  status: ReferralStatus;
}

/** Referrals that an admin may want to look at, the latest first. 400 `bad-cursor`. */
export async function flaggedReferrals(pool: Pool, { cursor, limit }: ReferralsQuery): Promise<FlaggedReferrals> {
  const after = cursor === undefined ? [null, null] : readCursor(cursor, After);
  const { rows } = await pool.query<FlaggedRow>(FLAGGED, [...after, limit + 1]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(({ sameNetwork, sameDevice, status, joinedAt, ...row }) => ({
      referrer: { userId: row.referrerId, name: row.referrerName },
      referred: { userId: row.referredId, name: row.referredName },
      hints: [...(sameNetwork ? (['same-network'] as const) : []), ...(sameDevice ? (['same-device'] as const) : [])],
      ...{ status, createdAt: joinedAt.toISOString() },
    })),
    nextCursor: rows.length > limit && last ? cursorOf([last.exact, last.referredId]) : null,
  };
}

/** What a person's export says of it. */
export async function referralsPart(pool: Pool, userId: number, max: number): Promise<Record<string, unknown>> {
  const list = async (sql: string, values: unknown[]) => (await pool.query(sql, values)).rows as object[];
  const [codes, made, own, networks] = await Promise.all([
    list('select code from referral_codes where user_id = $1', [userId]),
    list(`select joined_at as "joinedAt" from referrals where referrer_id = $1 order by joined_at desc limit $2`, [
      userId,
      max,
    ]),
    list('select joined_at from referrals where referred_id = $1', [userId]),
    list(`select noted_at as "notedAt" from signup_networks where user_id = $1`, [userId]),
  ]);
  return {
    ...{ code: null, ...codes[0] },
    ...{ made, cameByLink: own.length > 0, networkOfRegistration: networks[0] ?? null },
    isComplete: made.length < max,
  };
}
