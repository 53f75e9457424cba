import { z } from 'zod';
import { envelope } from '../common/basics.ts';
import { emailText, lineText } from '../common/text.ts';

/**
 * POST /internal/payments, called by ticketing: returns the intent of an order, which is always the same intent. In
 * cents.
 */
export const RequestPaymentBody = z.strictObject({
  orderId: z.uuid(),
  eventId: z.int(),
  /** The organizer, who receives 95 %. */
  organizerId: z.int(),
  buyerId: z.int().nullable(),
  amountCents: z.int().positive(),
  description: z.string().max(500),
  /** Not used since 0.1.1; payments of 0.1.0 requires it. */
  receiptEmail: emailText(),
});
export type RequestPaymentBody = z.infer<typeof RequestPaymentBody>;
export const RequestedPayment = z.object({ paymentId: z.string(), clientSecret: z.string() });
export type RequestedPayment = z.infer<typeof RequestedPayment>;

/** `open`: waits for a card. `processing` and `action`: in progress at the provider. */
export const PaymentStatus = z.enum(['open', 'action', 'processing', 'succeeded', 'canceled', 'refunded']);
export type PaymentStatus = z.infer<typeof PaymentStatus>;

/**
 * POST /internal/payments/:paymentId/settle queries the provider; POST /internal/payments/:paymentId/cancel cancels an
 * unpaid intent. Both calls record the provider's answer and return it. Canceling a payment that succeeded returns
 * `succeeded`.
 */
export const SettledPayment = z.object({
  paymentId: z.string(),
  orderId: z.uuid(),
  eventId: z.int(),
  amountCents: z.int(),
  status: PaymentStatus,
});
export type SettledPayment = z.infer<typeof SettledPayment>;

/**
 * POST /internal/payments/decided: returns the payments from the request that have a final status, in any order. Does
 * not query the provider.
 */
export const DecidedBody = z.strictObject({ paymentIds: z.array(z.string().max(255)).max(100) });
export type DecidedBody = z.infer<typeof DecidedBody>;
export const DecidedPayments = z.object({ payments: z.array(SettledPayment) });
export type DecidedPayments = z.infer<typeof DecidedPayments>;

/** The kind of purchase that a payment is for. */
export const Purpose = z.enum(['tickets', 'promotion', 'livestream', 'ad']);
export type Purpose = z.infer<typeof Purpose>;

/**
 * Cases for staff.
 * - `refund-reversed`: a refund failed after it had succeeded, and is retried.
 * - `refunded-by-provider`: the payment was refunded in the provider's dashboard; the tickets are being returned.
 * - `partly-refunded`: a part was refunded in the provider's dashboard; the tickets stay valid.
 * - `dispute-lost`: the tickets are void.
 * - `dispute-won-after-loss`: the money is back, and tickets that were not returned are valid.
 * - `other-currency`: the provider reports another currency; the amount counts as zero.
 * - `underpaid`: the buyer paid less than requested; the money is refunded.
 * - `refund-delayed`: a refund was retried often without success.
 * - `reversal-delayed`: the organizer's account has too little money to reverse the share of a refund; the reversal is
 *   retried.
 * - `transfer-delayed`: the organizer's share could not be transferred; the transfer is retried.
 */
export const AlertKind = z.enum([
  'refund-reversed',
  'refunded-by-provider',
  'partly-refunded',
  'dispute-opened',
  'dispute-lost',
  'dispute-won-after-loss',
  'other-currency',
  'underpaid',
  'refund-delayed',
  'reversal-delayed',
  'transfer-delayed',
]);
export type AlertKind = z.infer<typeof AlertKind>;

/**
 * Alerts of these kinds are resolved automatically, when the money is refunded or the bank has decided. Staff resolve
 * the other kinds, among them the alerts of organizers' shares, because an account may never have enough money.
 */
export const SELF_ENDING: readonly AlertKind[] = ['refund-reversed', 'refund-delayed', 'dispute-opened'];

/** `subject` is the id of the provider's refund, dispute or payment, or of the requested part. */
export const Alert = z.object({
  id: z.string(),
  kind: AlertKind,
  purpose: Purpose,
  /** Only for tickets. */
  orderId: z.uuid().nullable(),
  /** null for an ad. */
  eventId: z.int().nullable(),
  paymentId: z.string(),
  subject: z.string(),
  amountCents: z.int(),
  detail: z.string(),
  raisedAt: z.iso.datetime(),
  resolvedAt: z.iso.datetime().nullable(),
});
export type Alert = z.infer<typeof Alert>;

/** GET /api/platform/alerts and /internal/alerts, newest first. `before` is the `next` of the previous page. */
export const AlertQuery = z.strictObject({
  status: z.enum(['open', 'all']).default('open'),
  before: z.string().max(300).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});
export const AlertPage = z.object({ alerts: z.array(Alert), next: z.string().nullable() });
export type AlertPage = z.infer<typeof AlertPage>;

/**
 * POST /api/platform/alerts/{alertId}/resolve, for admins: `note` describes what was done. The note is stored with the
 * admin and the time.
 */
export const ResolveAlertBody = z.strictObject({ note: lineText(500, 'invalid.what-was-done') });
export type ResolveAlertBody = z.infer<typeof ResolveAlertBody>;

const paymentFacts = { paymentId: z.string(), orderId: z.uuid(), eventId: z.int(), amountCents: z.int() };

export const PaymentSucceededV1 = z.object({
  ...envelope,
  type: z.literal('payments.payment-succeeded'),
  version: z.literal(1),
  data: z.object(paymentFacts),
});
export type PaymentSucceededV1 = z.infer<typeof PaymentSucceededV1>;

export const PaymentFailedV1 = z.object({
  ...envelope,
  type: z.literal('payments.payment-failed'),
  version: z.literal(1),
  /** The intent stays open, so the buyer may try another card. */
  data: z.object({ ...paymentFacts, code: z.string() }),
});
export type PaymentFailedV1 = z.infer<typeof PaymentFailedV1>;

export const PaymentRefundedV1 = z.object({
  ...envelope,
  type: z.literal('payments.payment-refunded'),
  version: z.literal(1),
  data: z.object({ ...paymentFacts, refundId: z.string() }),
});
export type PaymentRefundedV1 = z.infer<typeof PaymentRefundedV1>;

/**
 * A refund that had succeeded failed days later: its `partCents` are back at the platform, and the refund is retried.
 * `requestId`: the requested part; null: the whole payment.
 */
export const RefundReversedV1 = z.object({
  ...envelope,
  type: z.literal('payments.refund-reversed'),
  version: z.literal(1),
  data: z.object({
    ...paymentFacts,
    refundId: z.string(),
    code: z.string(),
    partCents: z.int().positive(),
    requestId: z.uuid().nullable(),
  }),
});
export type RefundReversedV1 = z.infer<typeof RefundReversedV1>;

/**
 * The provider rejected a refund, or retries have failed often. The refund is not done and will be retried.
 * `requestId`: the requested part; null: the whole remainder.
 */
export const RefundFailedV1 = z.object({
  ...envelope,
  type: z.literal('payments.refund-failed'),
  version: z.literal(1),
  data: z.object({ ...paymentFacts, requestId: z.uuid().nullable() }),
});
export type RefundFailedV1 = z.infer<typeof RefundFailedV1>;

/**
 * A partial refund was requested, but a manual refund of the same amount had already covered it and nothing was left,
 * so no refund follows.
 */
export const PartRefundCoveredV1 = z.object({
  ...envelope,
  type: z.literal('payments.part-refund-covered'),
  version: z.literal(1),
  data: z.object({ ...paymentFacts, requestId: z.uuid() }),
});
export type PartRefundCoveredV1 = z.infer<typeof PartRefundCoveredV1>;

/**
 * Part of the money was refunded: `partCents` by this refund, `returnedCents` of `amountCents` in total. `requestId`:
 * the requested part; null: refunded in the provider's dashboard, and the tickets stay valid.
 */
export const PaymentPartlyRefundedV1 = z.object({
  ...envelope,
  type: z.literal('payments.payment-partly-refunded'),
  version: z.literal(1),
  data: z.object({
    ...paymentFacts,
    refundId: z.string(),
    partCents: z.int(),
    returnedCents: z.int(),
    requestId: z.uuid().nullable(),
  }),
});
export type PaymentPartlyRefundedV1 = z.infer<typeof PaymentPartlyRefundedV1>;

const disputeFacts = { ...paymentFacts, disputeId: z.string(), disputedCents: z.int() };

/**
 * A bank disputes the payment on behalf of its cardholder. Until the dispute is closed, it is undecided who gets the
 * money.
 */
export const DisputeOpenedV1 = z.object({
  ...envelope,
  type: z.literal('payments.dispute-opened'),
  version: z.literal(1),
  data: z.object({ ...disputeFacts, reason: z.string() }),
});
export type DisputeOpenedV1 = z.infer<typeof DisputeOpenedV1>;

/**
 * The dispute is over. If the dispute is lost, the purchase is void. If the dispute took all remaining money,
 * `payments.money-withdrawn` is published first.
 */
export const DisputeClosedV1 = z.object({
  ...envelope,
  type: z.literal('payments.dispute-closed'),
  version: z.literal(1),
  data: z.object({ ...paymentFacts, disputeId: z.string(), outcome: z.enum(['won', 'lost']) }),
});
export type DisputeClosedV1 = z.infer<typeof DisputeClosedV1>;

/** All money is gone without a refund by Beltway: it was refunded in the provider's dashboard, or lost in disputes. */
export const MoneyWithdrawnV1 = z.object({
  ...envelope,
  type: z.literal('payments.money-withdrawn'),
  version: z.literal(1),
  data: z.object({ ...paymentFacts, cause: z.enum(['refunded-by-provider', 'dispute-lost']) }),
});
export type MoneyWithdrawnV1 = z.infer<typeof MoneyWithdrawnV1>;

/**
 * A lost dispute that had left no money was won after all: `reinstatedCents` are back at the platform. If a refund was
 * requested, staff decide about the refund.
 */
export const MoneyReinstatedV1 = z.object({
  ...envelope,
  type: z.literal('payments.money-reinstated'),
  version: z.literal(1),
  data: z.object({ ...paymentFacts, disputeId: z.string(), reinstatedCents: z.int().positive() }),
});
export type MoneyReinstatedV1 = z.infer<typeof MoneyReinstatedV1>;

/**
 * The platform's fee in integer cents: 5 %, rounded to the cent. The organizer gets the rest
 * (services/payments/PRODUCT.md#platform-fee).
 */
export const platformFeeCents = (amountCents: number): number => Math.round(amountCents * 0.05);

/**
 * The part of a fee to return once `returnedCents` of its payment were returned, rounded (decision 21). For a full
 * refund, this is exactly the whole fee.
 */
export const feeShareCents = (feeCents: number, amountCents: number, returnedCents: number): number =>
  Math.round((feeCents * Math.min(returnedCents, amountCents)) / amountCents);
