import { z } from 'zod';

/** Where the set-up of an organizer's account at the card provider stands. Only `ready` gets money. */
export const PayoutAccountState = z.enum(['none', 'onboarding', 'review', 'restricted', 'rejected', 'ready']);
export type PayoutAccountState = z.infer<typeof PayoutAccountState>;

/** POST /api/stripe/create-connect-account: the page of the provider on which the set-up begins or goes on. */
export const ConnectAccountLink = z.object({ accountLinkUrl: z.url({ protocol: /^https?$/ }) });
export type ConnectAccountLink = z.infer<typeof ConnectAccountLink>;

/** The pages of ours that the provider's set-up leads back to: when it is done or left, and when its link is too old. */
export const PAYOUT_RETURN_PATH = '/payouts/return';
export const PAYOUT_REFRESH_PATH = '/payouts/refresh';

/** Money that went to an account (`transfer`), came back from it with a refund (`reversal`), or went on to its bank (`payout`). */
export const PayoutMovement = z.object({
  id: z.string(),
  kind: z.enum(['transfer', 'reversal', 'payout']),
  /** Cents, never negative. */
  amountCents: z.int(),
  /** Null: of no single event. */
  eventId: z.int().nullable(),
  /** Of a payout. */
  status: z.enum(['pending', 'paid', 'failed']).nullable(),
  at: z.iso.datetime(),
});
export type PayoutMovement = z.infer<typeof PayoutMovement>;

/** GET /api/payouts: an organizer's own; for an admin the platform's, `state` being of the admin's own account. Cents. */
export const Payouts = z.object({
  scope: z.enum(['own', 'platform']),
  state: PayoutAccountState,
  /** What buyers paid for them and the platform still holds. */
  owedCents: z.int(),
  /** What went to their account and was not paid out to the bank yet. */
  balanceCents: z.int(),
  /** What was sent to the bank, and did not come back. */
  paidCents: z.int(),
  /** The day of New York (YYYY-MM-DD) and the cents; null: no account is ready, or less than the minimum is there. */
  nextPayout: z.object({ on: z.iso.date(), amountCents: z.int() }).nullable(),
  schedule: z.object({ interval: z.literal('weekly'), arrival: z.string(), minimumCents: z.int() }),
  /** The newest first, at most 50. */
  history: z.array(PayoutMovement),
});
export type Payouts = z.infer<typeof Payouts>;

/** Schedule and amounts in the payouts tab (services/payments/PRODUCT.md#payouts). */
export const PAYOUT_SCHEDULE = { interval: 'weekly', arrival: '1-2 business days', minimumCents: 2_500 } as const;
