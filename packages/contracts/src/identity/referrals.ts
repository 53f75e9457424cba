import { z } from 'zod';

/** Letters and digits that readers do not confuse: no 0, O, 1, I, L, U. */
export const REFERRAL_ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
export const REFERRAL_CODE_LENGTH = 8;
const CODE = new RegExp(`^[${REFERRAL_ALPHABET}]{${REFERRAL_CODE_LENGTH}}$`);

/** Normalizes a code from any spelling: `k7q2-9xwz`. undefined: not a code. */
export function referralCodeFrom(text: string): string | undefined {
  if (text.length > 40) return undefined;
  const code = text.replace(/[\s-]/g, '').toUpperCase();
  return CODE.test(code) ? code : undefined;
}

/** Maximum rewarded referrals per calendar month (services/identity/PRODUCT.md#referrals). */
export const REFERRALS_A_MONTH = 10;

/**
 * Selects the rewarded accounts among accounts that attended, each with the day of its first attendance: each month's
 * first accounts, sorted by day and then by account id. Therefore the order of the messages does not matter.
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

/** `pending`: the account attended no event yet. `over-limit`: it attended in a month whose rewards are used up. */
export const ReferralStatus = z.enum(['pending', 'rewarded', 'over-limit']);
export type ReferralStatus = z.infer<typeof ReferralStatus>;

const cursor = z.string().max(300).optional();
const limit = z.coerce.number().int().min(1).max(100).default(20);

/** GET /api/referrals: the caller's own referrals, latest registration first. */
export const ReferralsQuery = z.object({ cursor, limit });
export type ReferralsQuery = z.infer<typeof ReferralsQuery>;

export const Referral = z.object({
  /** The referred account; null unless its profile is visible. */
  person: z.object({ userId: z.int(), name: z.string() }).nullable(),
  status: ReferralStatus,
  /** Points; 0 unless rewarded. */
  rewardEarned: z.int(),
  /** The day in New York to which the reward belongs, "2026-11-21". */
  rewardedOn: z.iso.date().nullable(),
  /** When the referred account registered. */
  createdAt: z.iso.datetime(),
});
export type Referral = z.infer<typeof Referral>;

export const ReferralsPage = z.object({
  code: z.string(),
  /** The invitation link. */
  link: z.url(),
  /** Points per referral. */
  reward: z.int(),
  /** Number of rewarded referrals of this month, and the maximum. */
  rewardedThisMonth: z.int(),
  maxPerMonth: z.int(),
  items: z.array(Referral),
  nextCursor: z.string().nullable(),
});
export type ReferralsPage = z.infer<typeof ReferralsPage>;

/** GET /api/referral-codes/{code}: the existing code, normalized. The response does not name its owner. */
export const ReferralCodeFound = z.object({ code: z.string() });
export type ReferralCodeFound = z.infer<typeof ReferralCodeFound>;

/** Hints that both accounts belong to one person. A hint has no automatic consequence. */
export const ReferralHint = z.enum(['same-network', 'same-device']);

/** GET /api/referrals/flagged, for admins: referrals of the last 90 days that have a hint, latest first. */
export const FlaggedReferral = z.object({
  referrer: z.object({ userId: z.int(), name: z.string() }),
  referred: z.object({ userId: z.int(), name: z.string() }),
  hints: z.array(ReferralHint),
  status: ReferralStatus,
  createdAt: z.iso.datetime(),
});
export const FlaggedReferrals = z.object({ items: z.array(FlaggedReferral), nextCursor: z.string().nullable() });
export type FlaggedReferrals = z.infer<typeof FlaggedReferrals>;
