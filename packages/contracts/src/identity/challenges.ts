import { z } from 'zod';

/**
 * What a challenge asks for (services/identity/PRODUCT.md#challenges). The order is that of a week's numbers: a new one
 * goes to the end.
 */
export const ChallengeType = z.enum(['photo', 'town', 'two-events']);
export type ChallengeType = z.infer<typeof ChallengeType>;

/** GET /api/challenges, the latest week first. */
export const ChallengesQuery = z.object({
  cursor: z.string().max(300).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});

export const Challenge = z.object({
  /** '2026-11-22-town': the Sunday its week began on, and the type. */
  id: z.string(),
  title: z.string(),
  description: z.string(),
  type: ChallengeType,
  /** Of `town` where, 'Bethesda, MD'; null of others. */
  place: z.string().nullable(),
  /** Points for who meets it. */
  reward: z.int().positive(),
  maxProgress: z.int().positive(),
  /** So many get the reward, and so many places are left; null: everybody who meets it gets it. */
  places: z.int().positive().nullable(),
  placesLeft: z.int().min(0).nullable(),
  /** Its week is not over. */
  isActive: z.boolean(),
  expiresAt: z.iso.datetime(),
  createdAt: z.iso.datetime(),
  /** How far the caller is; null for guests. Met and not rewarded: all places are with others. */
  own: z.object({ progress: z.int().min(0), isRewarded: z.boolean() }).nullable(),
});
export type Challenge = z.infer<typeof Challenge>;

export const ChallengePage = z.object({ items: z.array(Challenge), nextCursor: z.string().nullable() });
export type ChallengePage = z.infer<typeof ChallengePage>;
