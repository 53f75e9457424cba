import type { ChallengeTerms } from './rules.ts';

/**
 * A weekly challenge and the accounts that hold its places. Stream `challenge-<week>-<type>`. Contains account ids, no
 * names.
 */
export type ChallengeEvent =
  | { type: 'ChallengeMade'; data: ChallengeTerms }
  /**
   * For a challenge with limited places: the time at which an account met it. A later event with a different time
   * replaces this event.
   */
  | { type: 'ChallengeMet'; data: { userId: number; at: string } }
  /** The account no longer meets the challenge: a ticket was returned or a photo removed. */
  | { type: 'ChallengeUnmet'; data: { userId: number } }
  | { type: 'PlaceGiven'; data: { userId: number } }
  /** The account no longer meets the challenge, or another account turned out to have met it earlier. */
  | { type: 'PlaceTakenBack'; data: { userId: number } };

export type ChallengeCommand =
  | { type: 'MakeChallenge'; terms: ChallengeTerms }
  /** Reports when the account met the challenge. `at` null: the account does not meet it. */
  | { type: 'StateMet'; userId: number; at: string | null };
