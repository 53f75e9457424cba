import { z } from 'zod';
import { envelope, sentence } from '../common/basics.ts';
import { lineText } from '../common/text.ts';
import { fault } from '../problems/fault.ts';

/** What points are given for (services/identity/PRODUCT.md#points-and-badges). */
export const PointsKind = z.enum(['attended', 'photo', 'referral', 'challenge', 'connection']);
export type PointsKind = z.infer<typeof PointsKind>;

/** How rare a badge is meant to be. */
export const Rarity = z.enum(['common', 'rare', 'epic', 'legendary']);

/** What a badge asks for: so many of what is counted. */
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
  /** Name of an icon of the page's icon set. */
  icon: z.string(),
  rarity: Rarity,
  requirement: z.object({ measure: BadgeMeasure, count: z.int().positive() }),
});
export type Badge = z.infer<typeof Badge>;

/** GET /api/badges: all there are. */
export const BadgeList = z.object({ items: z.array(Badge), nextCursor: z.null() });

/** A badge with how far its reader's subject is. `progress` is at most what is required. */
export const UserBadge = Badge.extend({ progress: z.int().min(0), unlockedAt: z.iso.datetime().nullable() });
export type UserBadge = z.infer<typeof UserBadge>;

/** GET /api/users/{id}/badges, one's own or of somebody who is seen. */
export const UserBadgeList = z.object({ items: z.array(UserBadge), nextCursor: z.null() });

/** GET /api/users/{id}/stats, one's own or of somebody who is seen. */
export const UserStats = z.object({
  userId: z.int(),
  name: z.string(),
  totalPoints: z.int(),
  level: z.int().positive(),
  /** Points at which this level began, and at which the next one does. */
  levelFrom: z.int(),
  nextLevelAt: z.int(),
  eventsAttended: z.int(),
  photosShared: z.int(),
  /** People one met at an event, as both say. */
  connectionsMade: z.int(),
  /** Weeks in a row, up to this one or the last, with an event attended. Weeks begin on Sunday in New York. */
  streak: z.int(),
  /** Points of this week. */
  weeklyPoints: z.int(),
  /** Whether others see it. */
  isVisible: z.boolean(),
  /** One's own code to invite by; null to everybody else. */
  referralCode: z.string().nullable(),
});
export type UserStats = z.infer<typeof UserStats>;

/** PATCH /api/users/me/engagement: whether one is seen by others and on the leaderboard. A repeat changes nothing. */
export const EngagementVisibilityBody = z.strictObject({
  isVisible: z.boolean({ error: fault('invalid.true-or-false') }),
});
export const EngagementVisibility = z.object({ isVisible: z.boolean() });

const limit = z.coerce.number().int().min(1).max(100).default(20);
const cursor = z.string().max(300).optional();

/**
 * Why points were taken back, as it is now: the tickets were given back, the event was canceled or is yet to come, the photo is not
 * shown any more, one of both does not say so any more or was not there, who was referred attended nothing or others of the month
 * were first, the challenge is not met or its place went to somebody who was earlier, the event is one's own.
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

/** GET /api/users/{id}/points, one's own, counted last first. */
export const PointsQuery = z.object({ cursor, limit });
export const PointsEntry = z.object({
  kind: PointsKind,
  points: z.int(),
  /** 'Attended Go-Go on the Roof' */
  reason: z.string(),
  ...sentence,
  /** Null of a referral and of a challenge, which are of no event. */
  eventId: z.int().nullable(),
  /** The day of New York that it counts for, "2026-11-21". */
  day: z.iso.date(),
  /** When it was counted. */
  at: z.iso.datetime(),
  /** `ticket-held`: the event has passed and its ticket was not given back. Null: of no event that was attended. */
  basis: z.literal('ticket-held').nullable(),
  /** Of what does not count any more: since when, and why. */
  takenBack: z.object({ at: z.iso.datetime(), why: TakenBackWhy }).nullable(),
});
export type PointsEntry = z.infer<typeof PointsEntry>;
export const PointsPage = z.object({ items: z.array(PointsEntry), nextCursor: z.string().nullable() });
export type PointsPage = z.infer<typeof PointsPage>;

/** GET /api/leaderboard, most points first. `place`: the town where the events were, `Bethesda, MD`; left out: everywhere. */
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
  /** The reader's own points there; the rank is null of who is not seen or has none. Null for guests. */
  own: z.object({ rank: z.int().positive().nullable(), points: z.int() }).nullable(),
});
export type LeaderboardPage = z.infer<typeof LeaderboardPage>;

/** Somebody has a badge. Whether they keep it is asked of identity. */
export const BadgeUnlockedV1 = z.object({
  ...envelope,
  type: z.literal('identity.badge-unlocked'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), badgeId: z.string() }),
});
export type BadgeUnlockedV1 = z.infer<typeof BadgeUnlockedV1>;

/** Somebody shows their profile to others from now on, or not any more. Before the first one: not. */
export const VisibilityChosenV1 = z.object({
  ...envelope,
  type: z.literal('identity.visibility-chosen'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), isVisible: z.boolean() }),
});
export type VisibilityChosenV1 = z.infer<typeof VisibilityChosenV1>;
