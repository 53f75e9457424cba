import { daysAfter, instantOf } from '@beltway/contracts/common/times';
import type { Projection } from '@beltway/event-store';
import type { ChallengeEvent } from './events.ts';
import { challengeNumberOf } from './rules.ts';
import { challenges, challengeStandings as standings } from '../../generated/tables.ts';

const MAKE = challenges.insert([
  ...(['id', 'number', 'week', 'type', 'place', 'reward', 'maxProgress', 'places', 'expiresAt', 'createdAt'] as const),
]);
const MET = standings.insert(
  ['challengeId', 'userId', 'metAt', 'hasPlace'],
  standings.onConflict(['challengeId', 'userId'], ['metAt']),
);
const UNMET = standings.delete(['challengeId', 'userId']);
const PLACE = standings.update(['challengeId', 'userId'], ['hasPlace']);
export const CHALLENGE_TABLES = ['challenges', 'challenge_standings'];

/**
 * Stores the challenges. For those with limited places, also stores which accounts met them and which accounts hold a
 * place.
 */
export const projectChallenges: Projection<ChallengeEvent> = (sql, group) => {
  for (const { type, data, id, occurredAt } of group) {
    switch (type) {
      case 'ChallengeMade': {
        const expiresAt = instantOf(daysAfter(data.week, 7));
        const row = { ...data, id, number: challengeNumberOf(data), expiresAt, createdAt: occurredAt };
        sql.query(MAKE.text, MAKE.values(row));
        break;
      }
      case 'ChallengeMet':
        sql.query(MET.text, MET.values({ challengeId: id, userId: data.userId, metAt: data.at, hasPlace: false }));
        break;
      case 'ChallengeUnmet':
        sql.query(UNMET.text, UNMET.values({ challengeId: id, userId: data.userId }));
        break;
      case 'PlaceGiven':
      case 'PlaceTakenBack':
        sql.query(PLACE.text, PLACE.values({ challengeId: id, userId: data.userId, hasPlace: type === 'PlaceGiven' }));
        break;
    }
  }
};
