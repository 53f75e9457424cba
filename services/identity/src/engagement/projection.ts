import type { Projection } from '@beltway/event-store';
import { countedFacts } from './columns.ts';
import type { Counted, EngagementEvent } from './events.ts';
import { weekOf } from '@beltway/contracts/identity/point-rules';

/** The week of points of all times. */
export const EVER = '0001-01-01';
/** The place of points of everywhere. */
export const EVERYWHERE = '';

const COUNT = countedFacts.insert([
  ...(['userId', 'kind', 'subjectId', 'eventId', 'day', 'week'] as const),
  ...(['points', 'category', 'place', 'basis', 'countedAt'] as const),
]);
/** What is counted again was not taken back after all. */
const COUNT_AGAIN = `with again as (delete from taken_back_facts where user_id = $1 and kind = $2 and subject_id = $3) ${COUNT.text}`;
const TAKE_BACK = `with gone as (delete from counted_facts where user_id = $1 and kind = $2 and subject_id = $3 returning *)
  insert into taken_back_facts (user_id, kind, subject_id, event_id, day, points, basis, counted_at, taken_back_at)
  select user_id, kind, subject_id, event_id, day, points, basis, counted_at, $4 from gone`;
const PROFILE = `insert into engagement_profiles (user_id, points, events_attended, photos_shared, connections)
  values ($1, $2, $3, $4, $5)
  on conflict (user_id) do update set points = engagement_profiles.points + excluded.points,
    events_attended = engagement_profiles.events_attended + excluded.events_attended,
    photos_shared = engagement_profiles.photos_shared + excluded.photos_shared,
    connections = engagement_profiles.connections + excluded.connections`;
const SCORE = `insert into leaderboard_scores (user_id, week, place, points, is_visible)
  select $1::integer, w.week, p.place, $4::integer, e.is_visible from engagement_profiles e,
    unnest($2::date[]) w (week), unnest($3::text[]) p (place) where e.user_id = $1
  on conflict (user_id, week, place) do update set points = leaderboard_scores.points + excluded.points`;
const SAID = `insert into connection_wishes (user_id, other_id, wants, said_at) values ($1, $2, $3, $4)
  on conflict (user_id, other_id) do update set wants = excluded.wants, said_at = excluded.said_at`;
const FORGET = 'delete from connection_wishes where user_id = $1 and other_id = $2';
const NO_SCORE = 'delete from leaderboard_scores where user_id = $1 and points = 0';
const UNLOCK = 'insert into user_badges (user_id, badge_id, unlocked_at) values ($1, $2, $3)';
const LOCK = 'delete from user_badges where user_id = $1 and badge_id = $2';
const CHOOSE = [
  `insert into engagement_profiles (user_id, is_visible) values ($1, $2) on conflict (user_id) do update set is_visible = excluded.is_visible`,
  'update leaderboard_scores set is_visible = $2 where user_id = $1',
] as const;
export const ENGAGEMENT_TABLES = [
  'engagement_profiles',
  'counted_facts',
  'taken_back_facts',
  'user_badges',
  'leaderboard_scores',
  'connection_wishes',
];

/** What is counted of a person, with their points by week and place, and their badges. */
export const projectEngagement: Projection<EngagementEvent> = (sql, group) => {
  /** Adds a fact to the sums, or takes it out of them. */
  function add(userId: number, { kind, day, place, points }: Counted, sign: 1 | -1): void {
    const one = (of: Counted['kind']) => (kind === of ? sign : 0);
    sql.query(PROFILE, [userId, sign * points, one('attended'), one('photo'), one('connection')]);
    const places = place === null ? [EVERYWHERE] : [EVERYWHERE, place];
    sql.query(SCORE, [userId, [EVER, weekOf(day)], places, sign * points]);
    if (sign < 0) sql.query(NO_SCORE, [userId]);
  }
  for (const { type, data, id, occurredAt } of group) {
    const userId = Number(id);
    switch (type) {
      case 'FactCounted':
        sql.query(COUNT_AGAIN, COUNT.values({ ...data, userId, week: weekOf(data.day), countedAt: occurredAt }));
        add(userId, data, 1);
        break;
      case 'FactTakenBack':
        sql.query(TAKE_BACK, [userId, data.kind, data.subjectId, occurredAt]);
        add(userId, data, -1);
        break;
      case 'BadgeUnlocked':
        sql.query(UNLOCK, [userId, data.badgeId, occurredAt]);
        break;
      case 'BadgeTakenBack':
        sql.query(LOCK, [userId, data.badgeId]);
        break;
      case 'ReferralStated':
        break;
      case 'ConnectionSaid':
        sql.query(SAID, [userId, data.otherId, data.wants, occurredAt]);
        break;
      case 'ConnectionForgotten':
        sql.query(FORGET, [userId, data.otherId]);
        break;
      case 'VisibilityChosen':
        for (const statement of CHOOSE) sql.query(statement, [userId, data.isVisible]);
        break;
      case 'EngagementErased':
        for (const table of ENGAGEMENT_TABLES) sql.query(`delete from ${table} where user_id = $1`, [userId]);
        break;
    }
  }
};
