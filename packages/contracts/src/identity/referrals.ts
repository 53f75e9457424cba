import { z } from 'zod';

/** Letters and digits that nobody takes for another one: no 0, O, 1, I, L, U. */
export const REFERRAL_ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
export const REFERRAL_CODE_LENGTH = 8;
const CODE = new RegExp(`^[${REFERRAL_ALPHABET}]{${REFERRAL_CODE_LENGTH}}$`);

/** The code as it is kept, however somebody types it: `k7q2-9xwz`. Undefined: it is none. */
export function referralCodeFrom(text: string): string | undefined {
  if (text.length > 40) return undefined;
  const code = text.replace(/[\s-]/g, '').toUpperCase();
  return CODE.test(code) ? code : undefined;
}

/** Referrals of a calendar month that are rewarded, at most (services/identity/PRODUCT.md#referrals). */
export const REFERRALS_A_MONTH = 10;

/**
 * Who brings a reward, of who attended and the day they did so first: of each month the first, by day, then the older account. It does
 * not matter who was heard of first.
 */
export function rewardedReferrals(attended: ReadonlyMap<number, string>): Map<number, string> {
  const inOrder = [...attended].sort(([a, day], [b, other]) => (day === other ? a - b : day < other ? -1 : 1));
  const months = new Map<string, number>();
  return new Map(
    inOrder.filter(([, day]) => {
      const month = day.slice(0, 7);
      const before = months.get(month) ?? 0;
      months.set(month, before + 1);
      return before < REFERRALS_A_MONTH;
    }),
  );
}

/** Pending: they have attended nothing yet. Over the limit: they have, in a month that brings no more. */
export const ReferralStatus = z.enum(['pending', 'rewarded', 'over-limit']);
export type ReferralStatus = z.infer<typeof ReferralStatus>;

const cursor = z.string().max(300).optional();
const limit = z.coerce.number().int().min(1).max(100).default(20);

/** GET /api/referrals, one's own, who joined last first. */
export const ReferralsQuery = z.object({ cursor, limit });
export type ReferralsQuery = z.infer<typeof ReferralsQuery>;

export const Referral = z.object({
  /** Who was referred; null unless they chose to be seen. */
  person: z.object({ userId: z.int(), name: z.string() }).nullable(),
  status: ReferralStatus,
  /** Points; 0 unless rewarded. */
  rewardEarned: z.int(),
  /** The day of New York that the reward counts for, "2026-11-21". */
  rewardedOn: z.iso.date().nullable(),
  /** When they joined. */
  createdAt: z.iso.datetime(),
});
export type Referral = z.infer<typeof Referral>;

export const ReferralsPage = z.object({
  code: z.string(),
  /** The address to pass on. */
  link: z.url(),
  /** Points for each. */
  reward: z.int(),
  /** How many were rewarded this month, of how many at most. */
  rewardedThisMonth: z.int(),
  maxPerMonth: z.int(),
  items: z.array(Referral),
  nextCursor: z.string().nullable(),
});
export type ReferralsPage = z.infer<typeof ReferralsPage>;

/** GET /api/referral-codes/{code}: there is such a code, written as it is kept. Of whom is not told. */
export const ReferralCodeFound = z.object({ code: z.string() });
export type ReferralCodeFound = z.infer<typeof ReferralCodeFound>;

/** What speaks for both accounts being of one person. Nothing follows from it by itself. */
export const ReferralHint = z.enum(['same-network', 'same-device']);

/** GET /api/referrals/flagged, for admins: referrals of the last 90 days that have a hint, the latest first. */
export const FlaggedReferral = z.object({
  referrer: z.object({ userId: z.int(), name: z.string() }),
  referred: z.object({ userId: z.int(), name: z.string() }),
  hints: z.array(ReferralHint),
  status: ReferralStatus,
  createdAt: z.iso.datetime(),
});
export const FlaggedReferrals = z.object({ items: z.array(FlaggedReferral), nextCursor: z.string().nullable() });
export type FlaggedReferrals = z.infer<typeof FlaggedReferrals>;
