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
import { cursorOf, fromMicros, Micros, readCursor, toMicros } from '@beltway/kit/cursor';
import { isSuspended } from '../user/suspension.ts';
import { BADGES, measuresOf } from '@beltway/contracts/identity/badges';
import { textsOf } from './challenge/rules.ts';
import { HOLDS } from './checks.ts';
import type { Counted } from './events.ts';
import { IS_OWN } from './own-events.ts';
import { levelFrom, levelOf, streakOf, weekOf } from '@beltway/contracts/identity/point-rules';
import { EVER, EVERYWHERE } from './projection.ts';
import type { Blocked } from './connection/queries.ts';
import { codeOf } from './referral/codes.ts';

const MAX_INT = 2_147_483_647;
const thisWeek = (now: Date): string => weekOf(dayAt(now));

interface ProfileRow {
  name: string;
  isVisible: boolean;
  points: number;
  eventsAttended: number;
  photosShared: number;
  connectionsMade: number;
  suspendedAt: Date | null;
  suspendedUntil: Date | null;
}
const PROFILE = `select u.name, coalesce(e.is_visible, false) as "isVisible", coalesce(e.points, 0) as points,
    coalesce(e.events_attended, 0) as "eventsAttended", coalesce(e.photos_shared, 0) as "photosShared",
    coalesce(e.connections, 0) as "connectionsMade",
    u.suspended_at as "suspendedAt", u.suspended_until as "suspendedUntil"
  from users u left join engagement_profiles e on e.user_id = u.id where u.id = $1`;
/** Accounts that are suspended at a moment, by an index of few. */
const suspendedAt = (moment: string) =>
  `select x.id from users x where x.suspended_at is not null and coalesce(x.suspended_until, 'infinity') > ${moment}::timestamptz`;
const FACTS = 'select kind, day::text, week::text, points, category, place from counted_facts where user_id = $1';

interface Reading {
  readerId: number | undefined;
  now: Date;
}

async function profileOf(pool: Pool, userId: number, { readerId, now }: Reading): Promise<ProfileRow | undefined> {
  const { rows } = await pool.query<ProfileRow>(PROFILE, [userId]);
  const [profile] = rows;
  if (!profile || userId === readerId) return profile;
  return profile.isVisible && !isSuspended(profile, now) ? profile : undefined;
}

type FactRow = Pick<Counted, 'kind' | 'day' | 'points' | 'category' | 'place'> & { week: string };
const factsOf = async (pool: Pool, userId: number) => (await pool.query<FactRow>(FACTS, [userId])).rows;

/** Undefined where the reader may not see it, or there is nobody. */
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

/** All badges, with how far this person is. Undefined as above. */
export async function badgesOfPerson(pool: Pool, userId: number, reading: Reading): Promise<UserBadge[] | undefined> {
  if (!(await profileOf(pool, userId, reading))) return undefined;
  const [facts, { rows }] = await Promise.all([
    factsOf(pool, userId),
    pool.query<{ id: string; at: Date }>(
      'select badge_id as id, unlocked_at as at from user_badges where user_id = $1',
      [userId],
    ),
  ]);
  const unlocked = new Map(rows.map(({ id, at }) => [id, at.toISOString()]));
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
  /** Of a connection: who it is with. */
  other: string | null;
  day: string;
  at: Date;
  exact: string;
  basis: 'ticket-held' | null;
  takenBackAt: Date | null;
  /** As the catalog and ticketing say it now, of what was taken back. */
  eventStatus: string | null;
  holds: boolean;
  isOwn: boolean;
}
const AfterEntry = z.tuple([Micros, PointsKind, z.int().min(0).max(MAX_INT)]);
/** Of one of the two tables: so many of the page, by its index. */
const entriesOf = (table: 'counted_facts' | 'taken_back_facts', takenBackAt: string): string =>
  `(select kind, subject_id, points, event_id, day, counted_at, basis, ${takenBackAt} as taken_back_at from ${table}
    where user_id = $1 and ($2::bigint is null or (counted_at, kind, subject_id) < (${fromMicros('$2')}, $3, $4::int))
    order by counted_at desc, kind desc, subject_id desc limit $5)`;
const ENTRIES = `select f.kind, f.subject_id as "subjectId", f.points, f.event_id as "eventId", e.title, f.day::text,
    f.counted_at as at, ${toMicros('f.counted_at')} as exact, f.basis, c.type as challenge, c.place as "challengePlace", u.name as other,
    f.taken_back_at as "takenBackAt", e.status as "eventStatus", f.taken_back_at is not null and exists (${HOLDS('$1', 'f.event_id')}) as holds,
    ${IS_OWN('$1', 'e.organizer_id')} as "isOwn"
  from (${entriesOf('counted_facts', 'null::timestamptz')} union all ${entriesOf('taken_back_facts', 'taken_back_at')}) f
    left join engagement_events e using (event_id)
    left join challenges c on f.kind = 'challenge' and c.number = f.subject_id
    left join users u on f.kind = 'connection' and u.id = f.subject_id
  order by f.counted_at desc, f.kind desc, f.subject_id desc limit $5`;

const reasonOf = ({ kind, title, challenge, challengePlace, other }: EntryRow, hidden: boolean): string => {
  if (challenge) return `Challenge: ${textsOf({ type: challenge, place: challengePlace }).title}`;
  if (kind === 'referral') return 'Somebody you invited attended their first event';
  if (kind === 'connection') return `Connected with ${(!hidden && other) || 'somebody you met'}`;
  const event = title || 'an event';
  return kind === 'attended' ? `Attended ${event}` : `Shared a photo of ${event}`;
};

const WHY: Record<Exclude<PointsKind, 'attended'>, TakenBackWhy> = {
  ...{ photo: 'photo-hidden', connection: 'not-connected', referral: 'not-referred', challenge: 'not-met' },
};
/** Of others nothing is said but that it does not count: what they did is their own. */
function whyTakenBack({ kind, eventStatus, holds, isOwn }: EntryRow): TakenBackWhy {
  if (isOwn) return 'own-event';
  if (kind !== 'attended') return WHY[kind];
  if (eventStatus === 'cancelled') return 'cancelled';
  return holds ? 'not-over' : 'refunded';
}

/** Why the points were given, and what was taken back of them, counted last first; who is blocked, or may be, is not named. 400 `bad-cursor`. */
export async function pointsPage(
  pool: Pool,
  userId: number,
  { cursor, limit }: z.infer<typeof PointsQuery>,
  blocked: Blocked,
): Promise<PointsPage> {
  const after = cursor === undefined ? [null, null, null] : readCursor(cursor, AfterEntry);
  const { rows } = await pool.query<EntryRow>(ENTRIES, [userId, ...after, limit + 1]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const met = page.filter(({ kind }) => kind === 'connection').map(({ subjectId }) => subjectId);
  const hidden = await blocked(userId, met).catch(() => new Set(met));
  return {
    items: page.map((row) => {
      const { kind, points, eventId, day, at, basis, takenBackAt } = row;
      return {
        kind,
        points,
        reason: reasonOf(row, hidden.has(row.subjectId)),
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
/** One index gives the order; a page behind others begins where its points do. */
const LEADERS = `select s.user_id as "userId", s.points, u.name, e.points as "allPoints"
  from leaderboard_scores s join users u on u.id = s.user_id join engagement_profiles e on e.user_id = s.user_id
  where s.week = $1 and s.place = $2 and s.is_visible and s.points <= $3 and (s.points < $3 or s.user_id > $4)
    and s.user_id not in (${suspendedAt('$6')})
  order by s.points desc, s.user_id limit $5`;
const OWN = `select points, is_visible as "isVisible" from leaderboard_scores where user_id = $1 and week = $2 and place = $3`;
const AHEAD = `select count(*)::int as ahead from leaderboard_scores s
  where s.week = $1 and s.place = $2 and s.is_visible and s.points >= $3 and (s.points > $3 or s.user_id < $4)
    and s.user_id not in (${suspendedAt('$5')})`;

/** Who is seen, most points first; of equal points the older account first. 400 `bad-cursor`. */
export async function leaderboard(
  pool: Pool,
  { period, place, cursor, limit }: LeaderboardQuery,
  readerId: number | undefined,
  now: Date,
): Promise<LeaderboardPage> {
  const board = [period === 'week' ? thisWeek(now) : EVER, place ?? EVERYWHERE];
  const [points, userId, rank] = cursor === undefined ? [MAX_INT, 0, 0] : readCursor(cursor, AfterRow);
  const { rows } = await pool.query<{ userId: number; points: number; name: string; allPoints: number }>(LEADERS, [
    ...board,
    points,
    userId,
    limit + 1,
    now,
  ]);
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

async function ownPlace(pool: Pool, userId: number, board: string[], now: Date): Promise<LeaderboardPage['own']> {
  const { rows } = await pool.query<{ points: number; isVisible: boolean }>(OWN, [userId, ...board]);
  const [own] = rows;
  if (!own) return { rank: null, points: 0 };
  const { points, isVisible } = own;
  if (!isVisible) return { rank: null, points };
  const { rows: counted } = await pool.query<{ ahead: number }>(AHEAD, [...board, points, userId, now]);
  return { rank: (counted[0]?.ahead ?? 0) + 1, points };
}

/** What a person's export says of it. */
export async function engagementPart(pool: Pool, userId: number, max: number): Promise<Record<string, unknown>> {
  const list = async (sql: string, values: unknown[]) => (await pool.query(sql, values)).rows as object[];
  const [profiles, counted, takenBack, badges, connections] = await Promise.all([
    list('select is_visible as "isVisible" from engagement_profiles where user_id = $1', [userId]),
    list(
      `select kind, subject_id as "subjectId", event_id as "eventId", day::text, points, place, counted_at as at
        from counted_facts where user_id = $1 order by counted_at desc limit $2`,
      [userId, max],
    ),
    list(
      `select kind, subject_id as "subjectId", event_id as "eventId", day::text, points, counted_at as at, taken_back_at as "takenBackAt"
        from taken_back_facts where user_id = $1 order by counted_at desc limit $2`,
      [userId, max],
    ),
    list('select badge_id as id, unlocked_at as at from user_badges where user_id = $1 order by unlocked_at', [userId]),
    list(
      `select other_id as "userId", wants, said_at as at from connection_wishes where user_id = $1 order by said_at desc limit $2`,
      [userId, max],
    ),
  ]);
  return {
    isVisible: false,
    ...profiles[0],
    ...{ counted, takenBack, badges, connections },
    isComplete: [counted, takenBack, connections].every(({ length }) => length < max),
  };
}
