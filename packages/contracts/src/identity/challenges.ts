import { z } from 'zod';

/**
 * The goal of a challenge (services/identity/PRODUCT.md#challenges). Weeks rotate through the types in this order, so
 * append new types at the end.
 */
export const ChallengeType = z.enum(['photo', 'town', 'two-events']);
export type ChallengeType = z.infer<typeof ChallengeType>;

/** GET /api/challenges, the latest week first. */
export const ChallengesQuery = z.object({
  cursor: z.string().max(300).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});

export const Challenge = z.object({
  /** '2026-11-22-town': the Sunday on which the challenge's week begins, and the type. */
  id: z.string(),
  title: z.string(),
  description: z.string(),
  type: ChallengeType,
  /** The town of a `town` challenge, 'Bethesda, MD'; null for other challenges. */
  place: z.string().nullable(),
  /** Points for completing it. */
  reward: z.int().positive(),
  maxProgress: z.int().positive(),
  /** Number of rewards, and number of rewards left; null: everyone who completes the challenge gets a reward. */
  places: z.int().positive().nullable(),
  placesLeft: z.int().min(0).nullable(),
  /** True until the challenge's week ends. */
  isActive: z.boolean(),
  expiresAt: z.iso.datetime(),
  createdAt: z.iso.datetime(),
  /**
   * The caller's progress; null for guests. If the challenge is complete but not rewarded, other accounts got all
   * rewards.
   */
  own: z.object({ progress: z.int().min(0), isRewarded: z.boolean() }).nullable(),
});
export type Challenge = z.infer<typeof Challenge>;

export const ChallengePage = z.object({ items: z.array(Challenge), nextCursor: z.string().nullable() });
export type ChallengePage = z.infer<typeof ChallengePage>;
