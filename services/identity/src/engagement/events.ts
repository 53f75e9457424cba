import type { PointsKind } from '@beltway/contracts/identity/points';
import type { ConnectionCommand, ConnectionEvent } from './connection/events.ts';

/** Something that a person did, as it counts. Stands whole in the event that takes it back too. */
export interface Counted {
  kind: PointsKind;
  /**
   * Of an event that was attended its number; of a photo that of the photo; of a referral that of who was referred; of a challenge
   * that of the challenge; of a connection that of the other.
   */
  subjectId: number;
  /** Null of a referral and of a challenge. */
  eventId: number | null;
  /** The day of New York that it counts for, "2026-11-21". */
  day: string;
  points: number;
  category: string | null;
  /** Name of the place of the event, where it is known. */
  place: string | null;
  basis: 'ticket-held' | null;
}

/** What a person did, has and chose. Stream `engagement-<user id>`. Holds numbers of accounts, events and photos, and no name. */
export type EngagementEvent =
  | ConnectionEvent
  | { type: 'FactCounted'; data: Counted }
  /** It is not so any more: a ticket was given back, a photo removed, an event canceled. */
  | { type: 'FactTakenBack'; data: Counted }
  | { type: 'BadgeUnlocked'; data: { badgeId: string } }
  /** What it asks for is not there any more. */
  | { type: 'BadgeTakenBack'; data: { badgeId: string } }
  /** The day that somebody they referred attended first, or null: they have attended nothing, as it is now. */
  | { type: 'ReferralStated'; data: { referredId: number; day: string | null } }
  | { type: 'VisibilityChosen'; data: { isVisible: boolean } }
  /** The account is no more: nothing is counted after it. */
  | { type: 'EngagementErased'; data: Record<string, never> };

export type EngagementCommand =
  | ConnectionCommand
  /** How it is now; `fact` null: it is not so. */
  | {
      type: 'StateFact';
      kind: Exclude<PointsKind, 'challenge'>;
      subjectId: number;
      fact: Omit<Counted, 'kind' | 'subjectId' | 'points'> | null;
    }
  /** How it is now; said again it changes nothing. */
  | { type: 'StateReferral'; referredId: number; day: string | null }
  /** Whether the reward of a challenge is theirs now, and for which day; null: it is not. */
  | { type: 'StateReward'; challenge: number; reward: Pick<Counted, 'day' | 'points'> | null }
  | { type: 'ChooseVisibility'; isVisible: boolean }
  | { type: 'EraseEngagement' };
