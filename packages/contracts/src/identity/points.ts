import { z } from 'zod';
import { envelope, sentence } from '../common/basics.ts';
import { lineText } from '../common/text.ts';
import { fault } from '../problems/fault.ts';

/** Facts that earn points (services/identity/PRODUCT.md#points-and-badges). */
export const PointsKind = z.enum(['attended', 'photo', 'referral', 'challenge', 'connection']);
export type PointsKind = z.infer<typeof PointsKind>;

/** Intended rarity of a badge. */
export const Rarity = z.enum(['common', 'rare', 'epic', 'legendary']);

/** The count that a badge's requirement refers to. */
export const BadgeMeasure = z.enum([
  'eventsAttended',
  'photosShared',
  'longestStreak',
  'musicEvents',
  'places',
  'connectionsMade',
]);
export type BadgeMeasure = z.infer<typeof BadgeMeasure>;

export const Badge = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** Name of the icon in the frontend's icon set. */
  icon: z.string(),
  rarity: Rarity,
  requirement: z.object({ measure: BadgeMeasure, count: z.int().positive() }),
});
export type Badge = z.infer<typeof Badge>;

/** GET /api/badges: all badges. */
export const BadgeList = z.object({ items: z.array(Badge), nextCursor: z.null() });

/** A badge with an account's progress, which is at most the required number. */
export const UserBadge = Badge.extend({ progress: z.int().min(0), unlockedAt: z.iso.datetime().nullable() });
export type UserBadge = z.infer<typeof UserBadge>;

/** GET /api/users/{id}/badges: the badges of the caller or of an account with a visible profile. */
export const UserBadgeList = z.object({ items: z.array(UserBadge), nextCursor: z.null() });

/** GET /api/users/{id}/stats: the figures of the caller or of an account with a visible profile. */
export const UserStats = z.object({
  userId: z.int(),
  name: z.string(),
  totalPoints: z.int(),
  level: z.int().positive(),
  /** Points at which the current level begins, and at which the next level begins. */
  levelFrom: z.int(),
  nextLevelAt: z.int(),
  eventsAttended: z.int(),
  photosShared: z.int(),
  /** Number of people that the account met at an event. Both people confirmed the connection. */
  connectionsMade: z.int(),
  /**
   * Consecutive weeks with an attended event, up to this week or the previous week. Weeks begin on Sunday in New York.
   */
  streak: z.int(),
  /** Points earned this week. */
  weeklyPoints: z.int(),
  /** Whether others see these figures. */
  isVisible: z.boolean(),
  /** The caller's own invitation code; null for other accounts. */
  referralCode: z.string().nullable(),
});
export type UserStats = z.infer<typeof UserStats>;

/** PATCH /api/users/me/engagement: sets whether other accounts and the leaderboard show the caller. Idempotent. */
export const EngagementVisibilityBody = z.strictObject({
  isVisible: z.boolean({ error: fault('invalid.true-or-false') }),
});
export const EngagementVisibility = z.object({ isVisible: z.boolean() });

const limit = z.coerce.number().int().min(1).max(100).default(20);
const cursor = z.string().max(300).optional();

/**
 * The current reason why points were revoked: the tickets were returned; the event was canceled, is not over, or is the
 * account's own; the photo is hidden; one of the two accounts withdrew the connection or did not attend; the referred
 * account attended no event, or earlier referrals reached the month's limit; the challenge is not complete, or earlier
 * accounts got all its rewards.
 */
export const TakenBackWhy = z.enum([
  'refunded',
  'canceled',
  'not-over',
  'photo-hidden',
  'not-connected',
  'not-referred',
  'not-met',
  'own-event',
]);
export type TakenBackWhy = z.infer<typeof TakenBackWhy>;

/** GET /api/users/{id}/points: the caller's own entries, latest first. */
export const PointsQuery = z.object({ cursor, limit });
export const PointsEntry = z.object({
  kind: PointsKind,
  points: z.int(),
  /** For example 'Attended Go-Go on the Roof'. */
  reason: z.string(),
  ...sentence,
  /** null for a referral or a challenge, which have no event. */
  eventId: z.int().nullable(),
  /** The day in New York to which the points belong, "2026-11-21". */
  day: z.iso.date(),
  /** When the points were counted. */
  at: z.iso.datetime(),
  /**
   * `ticket-held`: the event is over and the account's ticket was not returned. null: the points are not for
   * attendance.
   */
  basis: z.literal('ticket-held').nullable(),
  /** Present if the points no longer count: since when, and why. */
  takenBack: z.object({ at: z.iso.datetime(), why: TakenBackWhy }).nullable(),
});
export type PointsEntry = z.infer<typeof PointsEntry>;
export const PointsPage = z.object({ items: z.array(PointsEntry), nextCursor: z.string().nullable() });
export type PointsPage = z.infer<typeof PointsPage>;

/** GET /api/leaderboard, most points first. `place`: the town of the events, `Bethesda, MD`; absent: all towns. */
export const LeaderboardQuery = z.object({
  period: z.enum(['week', 'all'], { error: fault('invalid.period') }).default('week'),
  place: lineText(100, 'invalid.place-name').optional(),
  cursor,
  limit,
});
export type LeaderboardQuery = z.infer<typeof LeaderboardQuery>;
export const LeaderboardRow = z.object({
  rank: z.int().positive(),
  userId: z.int(),
  name: z.string(),
  points: z.int(),
  level: z.int().positive(),
});
export const LeaderboardPage = z.object({
  items: z.array(LeaderboardRow),
  nextCursor: z.string().nullable(),
  /**
   * The reader's own points in this list; null for guests. The rank is null if the reader is not visible or has no
   * points.
   */
  own: z.object({ rank: z.int().positive().nullable(), points: z.int() }).nullable(),
});
export type LeaderboardPage = z.infer<typeof LeaderboardPage>;

/**
 * An account unlocked a badge. A consumer must request the account's badges from identity, because the account may have
 * lost the badge since.
 */
export const BadgeUnlockedV1 = z.object({
  ...envelope,
  type: z.literal('identity.badge-unlocked'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), badgeId: z.string() }),
});
export type BadgeUnlockedV1 = z.infer<typeof BadgeUnlockedV1>;

/** An account made its profile visible or invisible. A profile is invisible until the first such message. */
export const VisibilityChosenV1 = z.object({
  ...envelope,
  type: z.literal('identity.visibility-chosen'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), isVisible: z.boolean() }),
});
export type VisibilityChosenV1 = z.infer<typeof VisibilityChosenV1>;
