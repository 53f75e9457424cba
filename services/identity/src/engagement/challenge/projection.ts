import { daysAfter, instantOf } from '@beltway/contracts/common/times';
import type { Projection } from '@beltway/event-store';
import type { ChallengeEvent } from './events.ts';
import { challengeNumberOf } from './rules.ts';

const MAKE = `insert into challenges (id, number, week, type, place, reward, max_progress, places, expires_at, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;
const MET = `insert into challenge_standings (challenge_id, user_id, met_at, has_place) values ($1, $2, $3, false)
  on conflict (challenge_id, user_id) do update set met_at = excluded.met_at`;
const UNMET = 'delete from challenge_standings where challenge_id = $1 and user_id = $2';
const PLACE = 'update challenge_standings set has_place = $3 where challenge_id = $1 and user_id = $2';
export const CHALLENGE_TABLES = ['challenges', 'challenge_standings'];

/** The challenges there are, and of those with places who has met them and who has a place. */
export const projectChallenges: Projection<ChallengeEvent> = (sql, group) => {
  for (const { type, data, id, occurredAt } of group) {
    switch (type) {
      case 'ChallengeMade': {
        const { week, type: kind, place, reward, maxProgress, places } = data;
        const expiresAt = instantOf(daysAfter(week, 7));
        sql.query(MAKE, [
          ...[id, challengeNumberOf(data), week, kind, place, reward, maxProgress, places, expiresAt, occurredAt],
        ]);
        break;
      }
      case 'ChallengeMet':
        sql.query(MET, [id, data.userId, data.at]);
        break;
      case 'ChallengeUnmet':
        sql.query(UNMET, [id, data.userId]);
        break;
      case 'PlaceGiven':
      case 'PlaceTakenBack':
        sql.query(PLACE, [id, data.userId, type === 'PlaceGiven']);
        break;
    }
  }
};
