import { z } from 'zod';

/** Onboarding state of an organizer's account at the card provider. Only a `ready` account receives money. */
export const PayoutAccountState = z.enum(['none', 'onboarding', 'review', 'restricted', 'rejected', 'ready']);
export type PayoutAccountState = z.infer<typeof PayoutAccountState>;

/** POST /api/stripe/create-connect-account: returns the URL of the provider's onboarding page. */
export const ConnectAccountLink = z.object({ accountLinkUrl: z.url({ protocol: /^https?$/ }) });
export type ConnectAccountLink = z.infer<typeof ConnectAccountLink>;

/**
 * Pages to which the provider's onboarding redirects: when the organizer finishes or leaves the onboarding, and when
 * its link has expired.
 */
export const PAYOUT_RETURN_PATH = '/payouts/return';
export const PAYOUT_REFRESH_PATH = '/payouts/refresh';

/**
 * A movement of money: to an account (`transfer`), back from it after a refund (`reversal`), or from it to its bank
 * (`payout`).
 */
export const PayoutMovement = z.object({
  id: z.string(),
  kind: z.enum(['transfer', 'reversal', 'payout']),
  /** In cents, never negative. */
  amountCents: z.int(),
  /** null: the movement does not belong to a single event. */
  eventId: z.int().nullable(),
  /** Only for a payout. */
  status: z.enum(['pending', 'paid', 'failed']).nullable(),
  at: z.iso.datetime(),
});
export type PayoutMovement = z.infer<typeof PayoutMovement>;

/**
 * GET /api/payouts: an organizer's own payouts; for an admin the platform's payouts, with the `state` of the admin's
 * own account. In cents.
 */
export const Payouts = z.object({
  scope: z.enum(['own', 'platform']),
  state: PayoutAccountState,
  /** Paid by buyers and still held by the platform. */
  owedCents: z.int(),
  /** Transferred to the organizer's account, but not paid out to the bank yet. */
  balanceCents: z.int(),
  /**
   * The part of the balance that payouts leave in the account, because buyers may get it: what is owed back, and the
   * shares of payments with a requested refund or an open dispute. 0 if the figures are the platform's.
   */
  keptCents: z.int().default(0),
  /** Paid out to the bank, and not returned by the bank. */
  paidCents: z.int(),
  /**
   * The day in New York (YYYY-MM-DD) and the amount; null: no account is ready, or the balance, without what is kept for
   * buyers, is below the minimum.
   */
  nextPayout: z.object({ on: z.iso.date(), amountCents: z.int() }).nullable(),
  schedule: z.object({ interval: z.literal('weekly'), arrival: z.string(), minimumCents: z.int() }),
  /** Newest first, at most 50. */
  history: z.array(PayoutMovement),
});
export type Payouts = z.infer<typeof Payouts>;

/** Schedule and amounts that the payouts tab displays (services/payments/PRODUCT.md#payouts). */
export const PAYOUT_SCHEDULE = { interval: 'weekly', arrival: '1-2 business days', minimumCents: 2_500 } as const;
