import { streams, type ReadModel, type Store, type Streams } from '@beltway/event-store';
import { challenge, type ChallengeState } from './decider.ts';
import type { ChallengeCommand, ChallengeEvent } from './events.ts';
import { CHALLENGE_TABLES, projectChallenges } from './projection.ts';

export type Challenges = Streams<ChallengeState, ChallengeCommand, ChallengeEvent>;

/** The weekly challenges of this service's store. */
export const openChallenges = (store: Store): Challenges =>
  streams(store, { category: 'challenge', decider: challenge, projections: [projectChallenges] });

/** What `npm run rebuild` truncates and replays. */
export const challengeReadModel: ReadModel = {
  category: 'challenge',
  projections: [projectChallenges] as ReadModel['projections'],
  tables: CHALLENGE_TABLES,
};
