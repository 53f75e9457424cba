import type { PointsKind } from '@beltway/contracts/identity/points';
import type { ConnectionCommand, ConnectionEvent } from './connection/events.ts';

/** A fact that counts for an account. The event that takes the fact back has the same fields. */
export interface Counted {
  kind: PointsKind;
  /**
   * Depends on the kind: the number of the attended event, the photo, the challenge, or the referred or connected
   * account.
   */
  subjectId: number;
  /** null for referrals and challenges. */
  eventId: number | null;
  /** The day in New York for which the fact counts, such as "2026-11-21". */
  day: string;
  points: number;
  category: string | null;
  /** Name of the town where the event takes place, if known. */
  place: string | null;
  basis: 'ticket-held' | null;
}

/**
 * An account's facts, badges and choices. Stream `engagement-<user id>`. Contains ids of accounts, events and photos,
 * but no names.
 */
export type EngagementEvent =
  | ConnectionEvent
  | { type: 'FactCounted'; data: Counted }
  /** The fact is no longer true: a ticket was returned, a photo was removed, or an event was canceled. */
  | { type: 'FactTakenBack'; data: Counted }
  | { type: 'BadgeUnlocked'; data: { badgeId: string } }
  /** The badge's condition is no longer met. */
  | { type: 'BadgeTakenBack'; data: { badgeId: string } }
  /** The day on which a referred account first attended an event. null: the account has attended none. */
  | { type: 'ReferralStated'; data: { referredId: number; day: string | null } }
  | { type: 'VisibilityChosen'; data: { isVisible: boolean } }
  /** The account was erased. Nothing is counted afterwards. */
  | { type: 'EngagementErased'; data: Record<string, never> };

export type EngagementCommand =
  | ConnectionCommand
  /** Reports whether a fact is true now. `fact` null: the fact is not true. */
  | {
      type: 'StateFact';
      kind: Exclude<PointsKind, 'challenge'>;
      subjectId: number;
      fact: Omit<Counted, 'kind' | 'subjectId' | 'points'> | null;
    }
  /** Reports the current value, so repeating the command changes nothing. */
  | { type: 'StateReferral'; referredId: number; day: string | null }
  /** The day for which a challenge rewards the account. `reward` null: there is no reward. */
  | { type: 'StateReward'; challenge: number; reward: Pick<Counted, 'day' | 'points'> | null }
  | { type: 'ChooseVisibility'; isVisible: boolean }
  | { type: 'EraseEngagement' };
