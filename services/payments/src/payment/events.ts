import type { PaidLivestream } from '@beltway/contracts/catalog/livestream';
import type { AlertKind } from '@beltway/contracts/payments/payments';
import type { Bought } from './bought.ts';

/**
 * One payment: the request to the card provider for one purchase, and the outcome. The stream is `payment-<id>`. For
 * tickets, the id is the order's id, so an order has one payment, with one intent at a time. Amounts are in cents.
 */
export type PaymentEvent =
  /** Repeated with a new intent after the previous intent was canceled. */
  | { type: 'PaymentRequested'; data: PaymentTerms & { clientSecret: string | null } }
  /** The provider is processing it: bank debits take days. */
  | { type: 'PaymentProcessing'; data: PaymentFacts }
  /** One attempt was declined; the buyer may try again. */
  | { type: 'PaymentFailed'; data: PaymentFacts & { attempt: string; code: string } }
  /**
   * `amountCents` is the amount received. The fee is stored, so that a later fee rate does not change past payments.
   * `isUnderpaid`: the buyer paid less than the price of one of the platform's own products. Such a payment is
   * refunded, not fulfilled.
   */
  | { type: 'PaymentSucceeded'; data: PaymentFacts & Split & { isUnderpaid?: true } }
  /**
   * Only `paidCents` were received, less than requested, so the purchase is not fulfilled. For tickets, ticketing makes
   * that decision.
   */
  | { type: 'UnderpaymentReported'; data: PaymentFacts & { paidCents: number } }
  /** An admin resolved an alert; `note` is their explanation. */
  | { type: 'AlertResolved'; data: { kind: AlertKind; subject: string; note: string } }
  | { type: 'PaymentCanceled'; data: PaymentFacts }
  /**
   * The provider reports money in another currency, which pays for nothing. `amount` is in the smallest unit of that
   * currency.
   */
  | { type: 'OtherCurrencyReported'; data: PaymentFacts & { amount: number; currency: string } }
  /** The buyer configured a live stream that was requested without a configuration. `bought` is otherwise unchanged. */
  | { type: 'LivestreamConfigured'; data: PaymentFacts & { livestream: PaidLivestream } }
  /** The purchase is fulfilled: ticketing handed out the tickets, the catalog started the promotion. */
  | { type: 'PaymentFulfilled'; data: Record<string, never> }
  /** May precede the payment. The money is then refunded when it arrives. */
  | { type: 'RefundRequested'; data: { reason: string; afterFulfillment: boolean; due: boolean } }
  /**
   * We owe the buyer a partial refund with the id `requestId`. Recorded again if the refund that had covered this part
   * is reversed. `askedCents`: the amount requested, if only `cents` were left to refund.
   */
  | { type: 'PartRefundRequested'; data: { requestId: string; cents: number; reason: string; askedCents?: number } }
  /** A part was requested, but nothing was left to refund, because refunds made by hand had returned the amount. */
  | { type: 'PartRefundCovered'; data: PaymentFacts & { requestId: string; askedCents: number; reason: string } }
  /**
   * The bank refused a refund that was never recorded as done. `isOwed`: the buyer must get the money by another
   * refund.
   */
  | { type: 'RefundFailed'; data: PaymentFacts & { refundId: string; code: string; isOwed?: true } & AskedPart }
  /**
   * `cents` are still owed after too many tries, and staff must act. Recorded once for the whole payment, and once for
   * each part.
   */
  | { type: 'RefundDelayed'; data: PaymentFacts & { cents: number; tries: number } & AskedPart }
  /** The whole payment is returned. This refund returned the last cents. */
  | { type: 'PaymentRefunded'; data: PaymentFacts & Split & { refundId: string } & Part & Unasked & AskedPart }
  /**
   * A part was refunded. Without `requestId`, staff made the refund in the provider's dashboard, and the purchase stays
   * valid.
   */
  | { type: 'PaymentPartlyRefunded'; data: PaymentFacts & Payee & { refundId: string } & Part & AskedPart }
  /**
   * A refund that was recorded as done failed later, so the refunded money came back to us. `isOwed`: the buyer must
   * get the money by another refund.
   */
  | {
      type: 'RefundReversed';
      data: PaymentFacts & Payee & { refundId: string; code: string; isOwed: boolean } & Part & AskedPart;
    }
  /**
   * `isInquiry`: the bank only inquires and has not taken any money. Recorded again without `isInquiry` when the
   * inquiry becomes a dispute.
   */
  | {
      type: 'DisputeOpened';
      data: PaymentFacts & { disputeId: string; disputedCents: number; reason: string; isInquiry?: true };
    }
  /**
   * The bank took money: a part, all, or more than was paid. `isWhole`: after this dispute, nothing of the payment is
   * left with us.
   */
  | {
      type: 'DisputeLost';
      data: PaymentFacts & Payee & { disputeId: string; isWhole: boolean } & Part & Unasked;
    }
  /** The money stays with us (`partCents` is 0), or `partCents` come back from a dispute that was lost before. */
  | { type: 'DisputeWon'; data: PaymentFacts & Payee & { disputeId: string } & Part }
  /** `cents` of the organizer's share were moved to their account. `transferId` is null if the charge moved them. */
  | {
      type: 'ShareTransferred';
      data: PaymentFacts & Payee & { transferId: string | null; destination: string } & Moved;
    }
  /** `cents` of a transfer came back from the organizer's account. */
  | { type: 'TransferReversed'; data: PaymentFacts & Payee & { reversalId: string; transferId: string } & Moved }
  /** For a destination charge: the fee for the refunded part was returned to the organizer's account. */
  | { type: 'FeeReturned'; data: PaymentFacts & Payee & { feeRefundId: string } & Moved }
  /**
   * After several tries, `cents` could not be taken back from the organizer's account (`reversal`) or transferred to
   * that account (`transfer`). `subject` identifies the alert: a payment may have several alerts, one after the other.
   */
  | {
      type: 'ShareDelayed';
      data: PaymentFacts & Payee & { way: ShareWay; subject: string; tries: number } & Moved;
    }
  /** The delayed share was settled, whichever move settled it. */
  | { type: 'ShareSettled'; data: PaymentFacts & Payee & { way: ShareWay; subject: string } }
  /** The provider's fee, identified by its balance transaction; negative if a part was returned. */
  | { type: 'ProviderFeeCharged'; data: PaymentFacts & { transactionId: string } & Moved };

export type ShareWay = 'transfer' | 'reversal';

export interface Moved {
  cents: number;
}

/**
 * The cents that one refund or dispute moved, the platform's fee within those cents, and the total returned so far. No
 * amount is negative.
 */
export interface Part {
  partCents: number;
  partFeeCents: number;
  returnedCents: number;
}

/** We did not request the refund, so the tickets must be returned. */
export interface Unasked {
  unasked?: true;
}

/**
 * The id of the partial refund that we requested. Missing for a refund of the whole payment, or if we did not request
 * the refund.
 */
export interface AskedPart {
  requestId?: string;
}

/** The facts of a payment that may be published. `paymentId` is the provider's intent. */
export interface PaymentFacts {
  paymentId: string;
  amountCents: number;
  bought: Bought;
}

/** The organizer who is owed the rest after the platform's fee; null when the platform keeps everything. */
export interface Payee {
  organizerId: number | null;
}

export interface PaymentTerms extends PaymentFacts, Payee {
  /** The payment's own id; for tickets, the order's id. */
  id: string;
  buyerId: number | null;
  /** The organizer's account at the provider, when the charge transfers their share automatically. */
  destination?: string;
}

/** `feeCents` is the platform's part; for its own products, the whole amount. */
export interface Split extends Payee {
  feeCents: number;
}

/**
 * A report of the provider. Reports arrive by webhook, by request and from the reconciler, in any order. `terms` come
 * from the intent's metadata. With `terms`, we record a payment whose request was not recorded because of a crash
 * between the provider's response and our append.
 */
export type ProviderUpdate = { paymentId: string; terms: PaymentTerms | null };

/** Money in the provider's report. `currency` is spelled as in the report; if missing, 'usd'. */
export interface Money {
  amountCents: number;
  currency?: string;
}

export type PaymentCommand =
  | { type: 'RequestPayment'; terms: PaymentTerms; clientSecret: string | null }
  | ({ type: 'RecordProcessing' } & ProviderUpdate)
  | ({ type: 'RecordFailure'; attempt: string; code: string } & ProviderUpdate)
  | ({ type: 'RecordSuccess' } & Money & ProviderUpdate)
  | ({ type: 'RecordCancellation' } & ProviderUpdate)
  | ({ type: 'RecordRefund'; refundId: string } & Money & AskedPart & ProviderUpdate)
  | ({ type: 'RecordRefundFailure'; refundId: string; code: string } & Money & AskedPart & ProviderUpdate)
  | ({ type: 'RecordRefundDelay'; paymentId: string; tries: number } & AskedPart)
  | { type: 'RecordShareDelay'; paymentId: string; tries: number }
  | ({
      type: 'RecordDispute';
      disputeId: string;
      reason: string;
      outcome: 'inquiry' | 'open' | 'won' | 'lost';
    } & Money &
      ProviderUpdate)
  | { type: 'ConfigureLivestream'; paymentId: string; livestream: PaidLivestream }
  | { type: 'RecordFulfillment'; paymentId: string }
  | { type: 'ResolveAlert'; kind: AlertKind; subject: string; note: string }
  | { type: 'RequestRefund'; paymentId: string; amountCents: number; reason: string }
  | { type: 'RequestPartRefund'; requestId: string; paymentId: string; cents: number; reason: string }
  | MoveCommand;

/** A move between the platform and the organizer's account, or a fee of the provider. */
export type MoveCommand = { paymentId: string; cents: number } & (
  | { type: 'RecordTransfer'; transferId: string; destination: string }
  | { type: 'RecordReversal'; reversalId: string; transferId: string }
  | { type: 'RecordFeeReturn'; feeRefundId: string }
  | { type: 'RecordProviderFee'; transactionId: string }
);

/** Commands that record reports of the provider. */
export type RecordCommand = Extract<PaymentCommand, ProviderUpdate>;
