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
import type { PersonPart } from '@beltway/contracts/identity/people';
import { Micros, cursorOf, readCursor } from '@beltway/kit/cursor';
import { behind, toMicros } from '@beltway/kit/kysely';
import { exportPerson } from '@beltway/kit/personal-data';
import { sql } from 'kysely';
import { kysely } from '../../db.ts';
import { OF_REFERRALS } from '../../person/personal-data.ts';

const MAX_INT = 2_147_483_647;
const After = z.tuple([Micros, z.int().min(0).max(MAX_INT)]);

/** The status of a referral, from the tables r (referrals) and f (the reward). */
const STATUS = sql`case when f.subject_id is not null then 'rewarded'
  when exists (select from counted_facts a where a.user_id = r.referred_id and a.kind = 'attended'
    and a.day >= (r.joined_at at time zone 'America/New_York')::date) then 'over-limit'
  else 'pending' end`;
const REWARD = sql`left join counted_facts f on f.user_id = r.referrer_id and f.kind = 'referral' and f.subject_id = r.referred_id`;

interface OwnRow {
  referredId: number;
  joinedAt: Date;
  exact: string;
  status: ReferralStatus;
  points: number | null;
  day: string | null;
  name: string | null;
}

/** The accounts that a user referred, sorted by registration, latest first. 400 `bad-cursor`. */
export async function referralsPage(
  pool: Pool,
  userId: number,
  { cursor, limit }: ReferralsQuery,
  now: Date,
): Promise<Pick<ReferralsPage, 'items' | 'nextCursor' | 'reward' | 'rewardedThisMonth' | 'maxPerMonth'>> {
  const today = dayAt(now);
  const after = cursor === undefined ? sql`true` : behind(['r.joined_at', 'r.referred_id'], readCursor(cursor, After));
  const [{ rows }, { rows: counted }] = await Promise.all([
    // Erased accounts without a reward are not listed, because they can no longer earn the reward.
    sql<OwnRow>`select r.referred_id as "referredId", r.joined_at as "joinedAt", ${toMicros('r.joined_at')} as exact,
        ${STATUS} as status, f.points, f.day::text,
        case when e.is_visible and (u.suspended_at is null or u.suspended_until <= ${now}) then u.name end as name
      from referrals r ${REWARD} left join users u on u.id = r.referred_id
        left join engagement_profiles e on e.user_id = u.id
      where r.referrer_id = ${userId} and (r.left_at is null or f.subject_id is not null) and ${after}
      order by r.joined_at desc, r.referred_id desc limit ${limit + 1}`.execute(kysely(pool)),
    sql<{
      count: number;
    }>`select count(*)::int as count from counted_facts where user_id = ${userId} and kind = 'referral'
      and day >= date_trunc('month', ${today}::date) and day < date_trunc('month', ${today}::date) + interval '1 month'`.execute(
      kysely(pool),
    ),
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

/** Referrals with fraud hints, for admins, latest first. 400 `bad-cursor`. */
export async function flaggedReferrals(pool: Pool, { cursor, limit }: ReferralsQuery): Promise<FlaggedReferrals> {
  const after = cursor === undefined ? sql`true` : behind(['h.noted_at', 'h.referred_id'], readCursor(cursor, After));
  const { rows } = await sql<FlaggedRow>`
    select h.referrer_id as "referrerId", a.name as "referrerName", h.referred_id as "referredId",
      b.name as "referredName", h.same_network as "sameNetwork", h.same_device as "sameDevice",
      r.joined_at as "joinedAt", ${toMicros('h.noted_at')} as exact, ${STATUS} as status
    from referral_hints h join referrals r on r.referred_id = h.referred_id ${REWARD}
      join users a on a.id = h.referrer_id join users b on b.id = h.referred_id
    where ${after} order by h.noted_at desc, h.referred_id desc limit ${limit + 1}`.execute(kysely(pool));
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

/** An account's referral data for an export. */
export async function referralsPart(pool: Pool, userId: number): Promise<PersonPart> {
  const { codes, own, ...part } = await exportPerson(pool, OF_REFERRALS, userId);
  return { code: null, ...(codes as object | null), ...part, cameByLink: own !== null };
}
