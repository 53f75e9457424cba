import type { Projection } from '@beltway/event-store';
import {
  connectionWishes as wishes,
  countedFacts,
  engagementProfiles as profiles,
  leaderboardScores as scores,
  takenBackFacts,
  userBadges,
} from '../generated/tables.ts';
import { erasuresOf } from '@beltway/kit/personal-data';
import { OF_ENGAGEMENT } from '../person/personal-data.ts';
import type { Counted, EngagementEvent } from './events.ts';
import { weekOf } from '@beltway/contracts/identity/point-rules';

/** The value of `week` for all-time points. */
export const EVER = '0001-01-01';
/** The value of `place` for points from all places. */
export const EVERYWHERE = '';

const COUNT = countedFacts.insert([
  ...(['userId', 'kind', 'subjectId', 'eventId', 'day', 'week'] as const),
  ...(['points', 'category', 'place', 'basis', 'countedAt'] as const),
]);
/** When a withdrawn fact counts again, the row about its withdrawal is deleted. */
const COUNT_AGAIN = takenBackFacts.delete(['userId', 'kind', 'subjectId']);
/** Plain SQL, like `SCORE`, because these statements move rows or insert several rows for one. */
const TAKE_BACK = `with gone as (delete from counted_facts where user_id = $1 and kind = $2 and subject_id = $3 returning *)
  insert into taken_back_facts (user_id, kind, subject_id, event_id, day, points, basis, counted_at, taken_back_at)
  select user_id, kind, subject_id, event_id, day, points, basis, counted_at, $4 from gone`;
const PROFILE = profiles.insert(
  ['userId', 'points', 'eventsAttended', 'photosShared', 'connections'],
  `on conflict (user_id) do update set points = engagement_profiles.points + excluded.points,
    events_attended = engagement_profiles.events_attended + excluded.events_attended,
    photos_shared = engagement_profiles.photos_shared + excluded.photos_shared,
    connections = engagement_profiles.connections + excluded.connections`,
);
const SCORE = `insert into leaderboard_scores (user_id, week, place, points, is_visible)
  select $1::integer, w.week, p.place, $4::integer, e.is_visible from engagement_profiles e,
    unnest($2::date[]) w (week), unnest($3::text[]) p (place) where e.user_id = $1
  on conflict (user_id, week, place) do update set points = leaderboard_scores.points + excluded.points`;
const NO_SCORE = scores.delete(['userId'], 'and points = 0');
const SAID = wishes.insert(
  ['userId', 'otherId', 'wants', 'saidAt'],
  wishes.onConflict(['userId', 'otherId'], ['wants', 'saidAt']),
);
const FORGET = wishes.delete(['userId', 'otherId']);
const UNLOCK = userBadges.insert(['userId', 'badgeId', 'unlockedAt']);
const LOCK = userBadges.delete(['userId', 'badgeId']);
const CHOOSE = profiles.insert(['userId', 'isVisible'], profiles.onConflict(['userId'], ['isVisible']));
const CHOOSE_SCORES = scores.update('userId', ['isVisible']);
export const ENGAGEMENT_TABLES = [
  'engagement_profiles',
  'counted_facts',
  'taken_back_facts',
  'user_badges',
  'leaderboard_scores',
  'connection_wishes',
];

/** Stores an account's facts, its points per week and place, and its badges. */
export const projectEngagement: Projection<EngagementEvent> = (sql, group) => {
  /** Adds a fact to the sums, or subtracts a fact from them. */
  function add(userId: number, { kind, day, place, points }: Counted, sign: 1 | -1): void {
    const one = (of: Counted['kind']) => (kind === of ? sign : 0);
    sql.query(
      PROFILE.text,
      PROFILE.values({
        ...{ userId, points: sign * points, eventsAttended: one('attended') },
        ...{ photosShared: one('photo'), connections: one('connection') },
      }),
    );
    const places = place === null ? [EVERYWHERE] : [EVERYWHERE, place];
    sql.query(SCORE, [userId, [EVER, weekOf(day)], places, sign * points]);
    if (sign < 0) sql.query(NO_SCORE.text, NO_SCORE.values({ userId }));
  }
  for (const { type, data, id, occurredAt } of group) {
    const userId = Number(id);
    switch (type) {
      case 'FactCounted':
        sql.query(COUNT_AGAIN.text, COUNT_AGAIN.values({ ...data, userId }));
        sql.query(COUNT.text, COUNT.values({ ...data, userId, week: weekOf(data.day), countedAt: occurredAt }));
        add(userId, data, 1);
        break;
      case 'FactTakenBack':
        sql.query(TAKE_BACK, [userId, data.kind, data.subjectId, occurredAt]);
        add(userId, data, -1);
        break;
      case 'BadgeUnlocked':
        sql.query(UNLOCK.text, UNLOCK.values({ ...data, userId, unlockedAt: occurredAt }));
        break;
      case 'BadgeTakenBack':
        sql.query(LOCK.text, LOCK.values({ ...data, userId }));
        break;
      case 'ReferralStated':
        break;
      case 'ConnectionSaid':
        sql.query(SAID.text, SAID.values({ ...data, userId, saidAt: occurredAt }));
        break;
      case 'ConnectionForgotten':
        sql.query(FORGET.text, FORGET.values({ ...data, userId }));
        break;
      case 'VisibilityChosen':
        sql.query(CHOOSE.text, CHOOSE.values({ ...data, userId }));
        sql.query(CHOOSE_SCORES.text, CHOOSE_SCORES.values({ ...data, userId }));
        break;
      case 'EngagementErased':
        for (const statement of erasuresOf(OF_ENGAGEMENT)) sql.query(statement, [userId]);
        break;
    }
  }
};
