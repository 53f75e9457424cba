import type { Said } from '@beltway/contracts/common/basics';
import { said } from '@beltway/kit/problems';
import type { Pool } from 'pg';
import { z } from 'zod';
import type { ChallengeType } from '@beltway/contracts/identity/challenges';
import {
  PointsKind,
  type LeaderboardPage,
  type LeaderboardQuery,
  type PointsPage,
  type PointsQuery,
  type TakenBackWhy,
  type UserBadge,
  type UserStats,
} from '@beltway/contracts/identity/points';
import { dayAt } from '@beltway/contracts/common/times';
import type { PersonPart } from '@beltway/contracts/identity/people';
import { cursorOf, Micros, readCursor } from '@beltway/kit/cursor';
import { behind, newestFirst, toMicros } from '@beltway/kit/kysely';
import { exportPerson } from '@beltway/kit/personal-data';
import { isSuspended } from '../user/suspension.ts';
import { BADGES, measuresOf } from '@beltway/contracts/identity/badges';
import { holds } from './checks.ts';
import type { Counted } from './events.ts';
import { isOwn } from './own-events.ts';
import { levelFrom, levelOf, streakOf, weekOf } from '@beltway/contracts/identity/point-rules';
import { EVER, EVERYWHERE } from './projection.ts';
import type { Blocked } from './connection/queries.ts';
import { codeOf } from './referral/codes.ts';
import { sql, type RawBuilder } from 'kysely';
import { kysely } from '../db.ts';
import { OF_ENGAGEMENT } from '../person/personal-data.ts';

const MAX_INT = 2_147_483_647;
const thisWeek = (now: Date): string => weekOf(dayAt(now));

/** Accounts that are suspended at a given time. Uses a small partial index. */
const suspendedAt = (now: Date) =>
  sql`select x.id from users x where x.suspended_at is not null and coalesce(x.suspended_until, 'infinity') > ${now}::timestamptz`;

interface Reading {
  readerId: number | undefined;
  now: Date;
}

async function profileOf(pool: Pool, userId: number, { readerId, now }: Reading) {
  const profile = await kysely(pool)
    .selectFrom('users as u')
    .leftJoin('engagementProfiles as e', 'e.userId', 'u.id')
    .select(({ fn, val }) => [
      ...(['u.name', 'u.suspendedAt', 'u.suspendedUntil'] as const),
      fn.coalesce('e.isVisible', val(false)).as('isVisible'),
      fn.coalesce('e.points', val(0)).as('points'),
      fn.coalesce('e.eventsAttended', val(0)).as('eventsAttended'),
      fn.coalesce('e.photosShared', val(0)).as('photosShared'),
      fn.coalesce('e.connections', val(0)).as('connectionsMade'),
    ])
    .where('u.id', '=', userId)
    .executeTakeFirst();
  if (!profile || userId === readerId) return profile;
  return profile.isVisible && !isSuspended(profile, now) ? profile : undefined;
}

type FactRow = Pick<Counted, 'kind' | 'day' | 'points' | 'category' | 'place'> & { week: string };
const factsOf = async (pool: Pool, userId: number) =>
  (
    await sql<FactRow>`select kind, day::text, week::text, points, category, place
      from counted_facts where user_id = ${userId}`.execute(kysely(pool))
  ).rows;

/** An account's statistics. Undefined: the account does not exist, or the reader may not see it. */
export async function statsOf(pool: Pool, userId: number, reading: Reading): Promise<UserStats | undefined> {
  const profile = await profileOf(pool, userId, reading);
  if (!profile) return undefined;
  const { points, name, isVisible, eventsAttended, photosShared, connectionsMade } = profile;
  const facts = await factsOf(pool, userId);
  const level = levelOf(points);
  const week = thisWeek(reading.now);
  const attended = facts.filter(({ kind }) => kind === 'attended').map((fact) => fact.week);
  const weeklyPoints = facts.reduce((sum, fact) => (fact.week === week ? sum + fact.points : sum), 0);
  return {
    ...{ userId, name, isVisible, eventsAttended, photosShared, connectionsMade, totalPoints: points, level },
    ...{ levelFrom: levelFrom(level), nextLevelAt: levelFrom(level + 1) },
    ...{ streak: streakOf(attended, week), weeklyPoints },
    referralCode: userId === reading.readerId ? await codeOf(pool, userId) : null,
  };
}

/** All badges with this account's progress. Undefined: the account does not exist, or the reader may not see it. */
export async function badgesOfPerson(pool: Pool, userId: number, reading: Reading): Promise<UserBadge[] | undefined> {
  if (!(await profileOf(pool, userId, reading))) return undefined;
  const [facts, badges] = await Promise.all([
    factsOf(pool, userId),
    kysely(pool).selectFrom('userBadges').select(['badgeId', 'unlockedAt']).where('userId', '=', userId).execute(),
  ]);
  const unlocked = new Map(badges.map(({ badgeId, unlockedAt }) => [badgeId, unlockedAt.toISOString()]));
  const measures = measuresOf(facts);
  return BADGES.map((badge) => ({
    ...badge,
    progress: Math.min(measures[badge.requirement.measure], badge.requirement.count),
    unlockedAt: unlocked.get(badge.id) ?? null,
  }));
}

interface EntryRow {
  kind: PointsKind;
  subjectId: number;
  points: number;
  eventId: number | null;
  title: string | null;
  challenge: ChallengeType | null;
  challengePlace: string | null;
  /** For a connection: the other account's name. */
  other: string | null;
  day: string;
  at: Date;
  exact: string;
  basis: 'ticket-held' | null;
  takenBackAt: Date | null;
  /** For withdrawn facts: the state of the event in catalog, and of the orders in ticketing. */
  eventStatus: string | null;
  holds: boolean;
  isOwn: boolean;
}
const AfterEntry = z.tuple([Micros, PointsKind, z.int().min(0).max(MAX_INT)]);
function reasonOf({ kind, title, challenge, challengePlace, other }: EntryRow, hidden: boolean): Said {
  if (challenge === 'town') return said('points.challenge-town', { place: challengePlace ?? '' });
  if (challenge) return said(`points.challenge-${challenge}`);
  if (kind === 'referral') return said('points.referral');
  if (kind === 'connection')
    return hidden || !other ? said('points.connection-unnamed') : said('points.connection', { name: other });
  const of = kind === 'attended' ? 'attended' : 'photo';
  return title ? said(`points.${of}`, { event: title }) : said(`points.${of}-unnamed`);
}

const WHY: Record<Exclude<PointsKind, 'attended'>, TakenBackWhy> = {
  ...{ photo: 'photo-hidden', connection: 'not-connected', referral: 'not-referred', challenge: 'not-met' },
};
/**
 * Returns why a fact no longer counts. Only attendance has a detailed reason. Other kinds of facts depend on other
 * accounts, whose actions stay private.
 */
function whyTakenBack({ kind, eventStatus, holds, isOwn }: EntryRow): TakenBackWhy {
  if (isOwn) return 'own-event';
  if (kind !== 'attended') return WHY[kind];
  if (eventStatus === 'canceled') return 'canceled';
  return holds ? 'not-over' : 'refunded';
}

/**
 * Reasons for awarded and withdrawn points, latest first. Blocked accounts are not named. If blocks cannot be read, no
 * account is named. 400 `bad-cursor`.
 */
export async function pointsPage(
  pool: Pool,
  userId: number,
  { cursor, limit }: z.infer<typeof PointsQuery>,
  blocked: Blocked,
): Promise<PointsPage> {
  const order = ['counted_at', 'kind', 'subject_id'];
  const after = cursor === undefined ? sql`true` : behind(order, readCursor(cursor, AfterEntry));
  /** The first rows of a page from one of the two tables, in index order. */
  const entriesOf = (table: string, takenBackAt: RawBuilder<unknown>) =>
    sql`(select kind, subject_id, points, event_id, day, counted_at, basis, ${takenBackAt} as taken_back_at from ${sql.table(table)}
      where user_id = ${userId} and ${after} order by ${newestFirst(order)} limit ${limit + 1})`;
  const { rows } = await sql<EntryRow>`
    select f.kind, f.subject_id as "subjectId", f.points, f.event_id as "eventId", e.title, f.day::text,
      f.counted_at as at, ${toMicros('f.counted_at')} as exact, f.basis, c.type as challenge, c.place as "challengePlace", u.name as other,
      f.taken_back_at as "takenBackAt", e.status as "eventStatus",
      f.taken_back_at is not null and exists (${holds(userId, sql.ref('f.event_id'))}) as holds,
      ${isOwn(sql`${userId}::integer`, sql.ref('e.organizer_id'))} as "isOwn"
    from (${entriesOf('counted_facts', sql`null::timestamptz`)} union all
        ${entriesOf('taken_back_facts', sql.ref('taken_back_at'))}) f
      left join engagement_events e using (event_id)
      left join challenges c on f.kind = 'challenge' and c.number = f.subject_id
      left join users u on f.kind = 'connection' and u.id = f.subject_id
    order by f.counted_at desc, f.kind desc, f.subject_id desc limit ${limit + 1}`.execute(kysely(pool));
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const met = page.filter(({ kind }) => kind === 'connection').map(({ subjectId }) => subjectId);
  const hidden = await blocked(userId, met).catch(() => new Set(met));
  return {
    items: page.map((row) => {
      const { kind, points, eventId, day, at, basis, takenBackAt } = row;
      const { message: reason, ...sentence } = reasonOf(row, hidden.has(row.subjectId));
      return {
        kind,
        points,
        reason,
        ...sentence,
        eventId,
        day,
        at: at.toISOString(),
        basis,
        takenBack: takenBackAt && { at: takenBackAt.toISOString(), why: whyTakenBack(row) },
      };
    }),
    nextCursor: rows.length > limit && last ? cursorOf([last.exact, last.kind, last.subjectId]) : null,
  };
}

const AfterRow = z.tuple([z.int().min(0).max(MAX_INT), z.int().min(0).max(MAX_INT), z.int().min(0).max(MAX_INT)]);
/** Leaderboard scores `s` of visible accounts that are not suspended. */
const seen = ([week, place]: readonly [string, string], now: Date) =>
  sql`s.week = ${week} and s.place = ${place} and s.is_visible and s.user_id not in (${suspendedAt(now)})`;

/** Visible accounts sorted by points, highest first. On a tie, the older account comes first. 400 `bad-cursor`. */
export async function leaderboard(
  pool: Pool,
  { period, place, cursor, limit }: LeaderboardQuery,
  readerId: number | undefined,
  now: Date,
): Promise<LeaderboardPage> {
  const board: [string, string] = [period === 'week' ? thisWeek(now) : EVER, place ?? EVERYWHERE];
  const [points, userId, rank] = cursor === undefined ? [MAX_INT, 0, 0] : readCursor(cursor, AfterRow);
  // One index provides the order. A later page begins at the points in the last row of the previous page.
  const { rows } = await sql<{ userId: number; points: number; name: string; allPoints: number }>`
    select s.user_id as "userId", s.points, u.name, e.points as "allPoints"
    from leaderboard_scores s join users u on u.id = s.user_id join engagement_profiles e on e.user_id = s.user_id
    where ${seen(board, now)} and s.points <= ${points} and (s.points < ${points} or s.user_id > ${userId})
    order by s.points desc, s.user_id limit ${limit + 1}`.execute(kysely(pool));
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const items = page.map(({ userId, name, points, allPoints }, at) => ({
    ...{ rank: rank + at + 1, userId, name, points, level: levelOf(allPoints) },
  }));
  return {
    items,
    nextCursor: rows.length > limit && last ? cursorOf([last.points, last.userId, rank + page.length]) : null,
    own: readerId === undefined ? null : await ownPlace(pool, readerId, board, now),
  };
}

async function ownPlace(
  pool: Pool,
  userId: number,
  board: [string, string],
  now: Date,
): Promise<LeaderboardPage['own']> {
  const own = await kysely(pool)
    .selectFrom('leaderboardScores')
    .select(['points', 'isVisible'])
    .where('userId', '=', userId)
    .where('week', '=', board[0])
    .where('place', '=', board[1])
    .executeTakeFirst();
  if (!own) return { rank: null, points: 0 };
  const { points, isVisible } = own;
  if (!isVisible) return { rank: null, points };
  const { rows } = await sql<{ ahead: number }>`select count(*)::int as ahead from leaderboard_scores s
    where ${seen(board, now)} and s.points >= ${points} and (s.points > ${points} or s.user_id < ${userId})`.execute(
    kysely(pool),
  );
  return { rank: (rows[0]?.ahead ?? 0) + 1, points };
}

/** An account's engagement data for an export. */
export async function engagementPart(pool: Pool, userId: number): Promise<PersonPart> {
  const { profile, ...part } = await exportPerson(pool, OF_ENGAGEMENT, userId);
  return { isVisible: false, ...(profile as object | null), ...part };
}
