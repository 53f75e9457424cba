import { z } from 'zod';
import { envelope } from '../common/basics.ts';
import { emailText, lineText } from '../common/text.ts';

/** POST /internal/payments, from ticketing: an intent for an order. The same order gets the same intent. Cents. */
export const RequestPaymentBody = z.strictObject({
  orderId: z.uuid(),
  eventId: z.int(),
  /** Who gets the 95 %. */
  organizerId: z.int(),
  buyerId: z.int().nullable(),
  amountCents: z.int().positive(),
  description: z.string().max(500),
  receiptEmail: emailText(),
});
export type RequestPaymentBody = z.infer<typeof RequestPaymentBody>;
export const RequestedPayment = z.object({ paymentId: z.string(), clientSecret: z.string() });
export type RequestedPayment = z.infer<typeof RequestedPayment>;

/** `open` waits for a card, `processing` and `action` are under way at the provider. */
export const PaymentStatus = z.enum(['open', 'action', 'processing', 'succeeded', 'canceled', 'refunded']);
export type PaymentStatus = z.infer<typeof PaymentStatus>;

/**
 * POST /internal/payments/:paymentId/settle and /internal/payments/:paymentId/cancel: asks the provider (and cancels what is not paid),
 * records what it says, and answers the truth. Canceling what has succeeded answers `succeeded`.
 */
export const SettledPayment = z.object({
  paymentId: z.string(),
  orderId: z.uuid(),
  eventId: z.int(),
  amountCents: z.int(),
  status: PaymentStatus,
});
export type SettledPayment = z.infer<typeof SettledPayment>;

/** POST /internal/payments/decided: those of these payments that are decided for good, in any order. The provider is not asked. */
export const DecidedBody = z.strictObject({ paymentIds: z.array(z.string().max(255)).max(100) });
export type DecidedBody = z.infer<typeof DecidedBody>;
export const DecidedPayments = z.object({ payments: z.array(SettledPayment) });
export type DecidedPayments = z.infer<typeof DecidedPayments>;

/** What a payment buys. */
export const Purpose = z.enum(['tickets', 'promotion', 'livestream', 'ad']);
export type Purpose = z.infer<typeof Purpose>;

/**
 * What people must look at. `refund-reversed`: a refund failed after it had succeeded, and is tried again; `refunded-by-provider`: given
 * back in the provider's dashboard, the tickets are being returned; `partly-refunded`: a part was, and the tickets stay valid.
 * `dispute-lost`: the tickets are void. `dispute-won-after-loss`: the money is with us again, and tickets that were not returned are valid.
 * `other-currency`: the provider reports money in another currency than ours; it counts as nothing here.
 * `underpaid`: less was received than asked for, and goes back. `refund-delayed`: a refund was tried often and is not done yet.
 * `reversal-delayed`: what went back to the buyer could not be taken back from the organizer's account, which has less; `transfer-delayed`: the
 * organizer's share could not be passed on. Both are tried again.
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
 * Alerts of these kinds end by themselves, when the money has gone back or the bank has decided; of the others people say when. Those of
 * shares end either way: an account may never have enough.
 */
export const SELF_ENDING: readonly AlertKind[] = ['refund-reversed', 'refund-delayed', 'dispute-opened'];

/** `subject` is the provider's refund, dispute or payment, or the part that was asked for. */
export const Alert = z.object({
  id: z.string(),
  kind: AlertKind,
  purpose: Purpose,
  /** Of tickets. */
  orderId: z.uuid().nullable(),
  /** An ad is of none. */
  eventId: z.int().nullable(),
  paymentId: z.string(),
  subject: z.string(),
  amountCents: z.int(),
  detail: z.string(),
  raisedAt: z.iso.datetime(),
  resolvedAt: z.iso.datetime().nullable(),
});
export type Alert = z.infer<typeof Alert>;

/** GET /api/platform/alerts and /internal/alerts, newest first; `before` is the last page's `next`. */
export const AlertQuery = z.strictObject({
  status: z.enum(['open', 'all']).default('open'),
  before: z.string().max(300).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});
export const AlertPage = z.object({ alerts: z.array(Alert), next: z.string().nullable() });
export type AlertPage = z.infer<typeof AlertPage>;

/** POST /api/platform/alerts/{alertId}/resolve, by admins: `note` says what was done. It is kept with who and when. */
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
  /** The intent stays open: the buyer may try another card. */
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
 * A refund that had succeeded failed days later: its `partCents` are with us again, and another refund is tried. `requestId` is the part
 * that was asked for; null: the whole was.
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
 * A refund that we owe was refused, or tried often without success; it has never been done, and is tried again. `requestId` is the part
 * that was asked for; null: all that has not gone back.
 */
export const RefundFailedV1 = z.object({
  ...envelope,
  type: z.literal('payments.refund-failed'),
  version: z.literal(1),
  data: z.object({ ...paymentFacts, requestId: z.uuid().nullable() }),
});
export type RefundFailedV1 = z.infer<typeof RefundFailedV1>;

/** A part was asked for when as much had gone back by hand already, and nothing was left: no refund follows. */
export const PartRefundCoveredV1 = z.object({
  ...envelope,
  type: z.literal('payments.part-refund-covered'),
  version: z.literal(1),
  data: z.object({ ...paymentFacts, requestId: z.uuid() }),
});
export type PartRefundCoveredV1 = z.infer<typeof PartRefundCoveredV1>;

/**
 * A part of the money went back: `partCents` by this refund, `returnedCents` of `amountCents` in all. `requestId` is the part that was
 * asked for; null when it was given back in the provider's dashboard, and the tickets stay valid.
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

/** A bank disputes the payment for its holder: until that is closed it is not known whose the money is. */
export const DisputeOpenedV1 = z.object({
  ...envelope,
  type: z.literal('payments.dispute-opened'),
  version: z.literal(1),
  data: z.object({ ...disputeFacts, reason: z.string() }),
});
export type DisputeOpenedV1 = z.infer<typeof DisputeOpenedV1>;

/** The dispute is over; a lost one voids what was bought. When it took all that was left, `payments.money-withdrawn` is published before this. */
export const DisputeClosedV1 = z.object({
  ...envelope,
  type: z.literal('payments.dispute-closed'),
  version: z.literal(1),
  data: z.object({ ...paymentFacts, disputeId: z.string(), outcome: z.enum(['won', 'lost']) }),
});
export type DisputeClosedV1 = z.infer<typeof DisputeClosedV1>;

/** The whole money is gone by another way than a refund of ours: given back in the provider's dashboard unasked, or lost in disputes. */
export const MoneyWithdrawnV1 = z.object({
  ...envelope,
  type: z.literal('payments.money-withdrawn'),
  version: z.literal(1),
  data: z.object({ ...paymentFacts, cause: z.enum(['refunded-by-provider', 'dispute-lost']) }),
});
export type MoneyWithdrawnV1 = z.infer<typeof MoneyWithdrawnV1>;

/**
 * A dispute that was lost, after which nothing of the money was left, was won after all: `reinstatedCents` of it are with us again. Where
 * a refund was requested, staff decide what becomes of them.
 */
export const MoneyReinstatedV1 = z.object({
  ...envelope,
  type: z.literal('payments.money-reinstated'),
  version: z.literal(1),
  data: z.object({ ...paymentFacts, disputeId: z.string(), reinstatedCents: z.int().positive() }),
});
export type MoneyReinstatedV1 = z.infer<typeof MoneyReinstatedV1>;

/** Integer cents: the platform keeps 5 %, rounded to the cent, the organizer gets the rest (services/payments/PRODUCT.md#platform-fee). */
export const platformFeeCents = (amountCents: number): number => Math.round(amountCents * 0.05);

/**
 * The part of a fee that is returned once `returnedCents` of its payment were returned, rounded (decision 21). The parts of a whole
 * refund add up to the fee, to the cent.
 */
export const feeShareCents = (feeCents: number, amountCents: number, returnedCents: number): number =>
  Math.round((feeCents * Math.min(returnedCents, amountCents)) / amountCents);
