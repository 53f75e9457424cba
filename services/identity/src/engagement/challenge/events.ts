import type { ChallengeTerms } from './rules.ts';

/** A weekly challenge and who has its places. Stream `challenge-<week>-<type>`. Holds numbers of accounts, and no name. */
export type ChallengeEvent =
  | { type: 'ChallengeMade'; data: ChallengeTerms }
  /** Of one with places: somebody has met it, at this moment. Said again with another moment, that one counts. */
  | { type: 'ChallengeMet'; data: { userId: number; at: string } }
  /** They have not, as it is now: a ticket was given back, a photo removed. */
  | { type: 'ChallengeUnmet'; data: { userId: number } }
  | { type: 'PlaceGiven'; data: { userId: number } }
  /** They have not met it any more, or somebody met it before them who was heard of later. */
  | { type: 'PlaceTakenBack'; data: { userId: number } };

export type ChallengeCommand =
  | { type: 'MakeChallenge'; terms: ChallengeTerms }
  /** How it is now; `at` null: not met. */
  | { type: 'StateMet'; userId: number; at: string | null };
