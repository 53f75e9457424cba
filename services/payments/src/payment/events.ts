import type { PaidLivestream } from '@beltway/contracts/catalog/livestream';
import type { AlertKind } from '@beltway/contracts/payments/payments';
import type { Bought } from './bought.ts';

/**
 * One payment: what was asked of the card provider for one purchase, and what became of it. Stream `payment-<id>`; for tickets
 * the id is the order's, so an order can have one payment only, by one intent at a time. Amounts in cents.
 */
export type PaymentEvent =
  /** Again, with another intent, when the one before was canceled. */
  | { type: 'PaymentRequested'; data: PaymentTerms & { clientSecret: string | null } }
  /** The provider works on it: bank debits take days. */
  | { type: 'PaymentProcessing'; data: PaymentFacts }
  /** One attempt was declined; the buyer may try again. */
  | { type: 'PaymentFailed'; data: PaymentFacts & { attempt: string; code: string } }
  /**
   * `amountCents` is what the provider received; the fee is kept, so that a later rate does not rewrite the past. `isUnderpaid`: less
   * than the price of what the platform sells itself; it hands nothing over, and the money goes back.
   */
  | { type: 'PaymentSucceeded'; data: PaymentFacts & Split & { isUnderpaid?: true } }
  /** `paidCents` were received, less than was asked for: what was bought is not handed over. Of tickets ticketing decides that. */
  | { type: 'UnderpaymentReported'; data: PaymentFacts & { paidCents: number } }
  /** An admin has dealt with what an alert tells of: `note` says how. */
  | { type: 'AlertResolved'; data: { kind: AlertKind; subject: string; note: string } }
  | { type: 'PaymentCanceled'; data: PaymentFacts }
  /** The provider reports money in another currency: it pays for nothing. `amount` in that currency's smallest unit. */
  | { type: 'OtherCurrencyReported'; data: PaymentFacts & { amount: number; currency: string } }
  /** The buyer of a live stream without a configuration sent one. `bought` has the rest unchanged. */
  | { type: 'LivestreamConfigured'; data: PaymentFacts & { livestream: PaidLivestream } }
  /** What was bought is handed over: ticketing has handed out the tickets, the catalog has started the promotion. */
  | { type: 'PaymentFulfilled'; data: Record<string, never> }
  /** May come before the money: then the money goes back as soon as it comes. */
  | { type: 'RefundRequested'; data: { reason: string; afterFulfillment: boolean; due: boolean } }
  /** We owe the buyer a part: by its own refund, whose id is `requestId`. Again, where what had covered it came back. `askedCents`: so much was asked for, and no more than `cents` is left. */
  | { type: 'PartRefundRequested'; data: { requestId: string; cents: number; reason: string; askedCents?: number } }
  /** A part was asked for when nothing was left: by hand as much had gone back already. */
  | { type: 'PartRefundCovered'; data: PaymentFacts & { requestId: string; askedCents: number; reason: string } }
  /** The bank refused a refund that was never recorded as done. `isOwed`: the buyer must get it, by another refund. */
  | { type: 'RefundFailed'; data: PaymentFacts & { refundId: string; code: string; isOwed?: true } & AskedPart }
  /** `cents` are owed still, after so many tries that people must look. Said once of the whole, and once of each part. */
  | { type: 'RefundDelayed'; data: PaymentFacts & { cents: number; tries: number } & AskedPart }
  /** The whole payment has gone back; this refund was the last of it. */
  | { type: 'PaymentRefunded'; data: PaymentFacts & Split & { refundId: string } & Part & Unasked & AskedPart }
  /** A part went back. Without `requestId` in the provider's dashboard: what was bought stays as it is. */
  | { type: 'PaymentPartlyRefunded'; data: PaymentFacts & Payee & { refundId: string } & Part & AskedPart }
  /** A refund that was recorded as done failed later: its money is with us again. `isOwed`: the buyer must get it, by another refund. */
  | {
      type: 'RefundReversed';
      data: PaymentFacts & Payee & { refundId: string; code: string; isOwed: boolean } & Part & AskedPart;
    }
  /** `isInquiry`: the bank only asks, and took nothing yet. Again without it, when the inquiry became a dispute. */
  | {
      type: 'DisputeOpened';
      data: PaymentFacts & { disputeId: string; disputedCents: number; reason: string; isInquiry?: true };
    }
  /** The bank took money, perhaps not all, perhaps more than was paid. `isWhole`: nothing is left of the payment now, and something was before. */
  | {
      type: 'DisputeLost';
      data: PaymentFacts & Payee & { disputeId: string; isWhole: boolean } & Part & Unasked;
    }
  /** The money stays with us, or comes back from a dispute that was lost before (`partCents`, else 0). */
  | { type: 'DisputeWon'; data: PaymentFacts & Payee & { disputeId: string } & Part }
  /** `cents` of the organizer's share went to their account. `transferId` null: the charge itself passed them on. */
  | {
      type: 'ShareTransferred';
      data: PaymentFacts & Payee & { transferId: string | null; destination: string } & Moved;
    }
  /** `cents` of a transfer came back. */
  | { type: 'TransferReversed'; data: PaymentFacts & Payee & { reversalId: string; transferId: string } & Moved }
  /** The fee's share of what went back to the buyer, of a charge that had passed on the whole: the organizer's account has it again. */
  | { type: 'FeeReturned'; data: PaymentFacts & Payee & { feeRefundId: string } & Moved }
  /**
   * `cents` wait, after so many tries, to be taken back from the organizer's account (`reversal`), or to be passed on to it (`transfer`).
   * `subject` names the alert: a payment may have several, one after the other.
   */
  | {
      type: 'ShareDelayed';
      data: PaymentFacts & Payee & { way: ShareWay; subject: string; tries: number } & Moved;
    }
  /** Nothing waits that way any longer, whatever moved it. */
  | { type: 'ShareSettled'; data: PaymentFacts & Payee & { way: ShareWay; subject: string } }
  /** What the provider took for its work, by its balance transaction. Below zero: it gave some back. */
  | { type: 'ProviderFeeCharged'; data: PaymentFacts & { transactionId: string } & Moved };

export type ShareWay = 'transfer' | 'reversal';

export interface Moved {
  cents: number;
}

/** What one refund or dispute moved, of it the platform's fee, and what of the payment has gone back in all after it. Cents, never negative. */
export interface Part {
  partCents: number;
  partFeeCents: number;
  returnedCents: number;
}

/** Nobody here had asked for the money to go back: the tickets must be returned. */
export interface Unasked {
  unasked?: true;
}

/** The part that we asked for by this id; missing: the whole, or nobody here asked. */
export interface AskedPart {
  requestId?: string;
}

/** What everybody may know of a payment. `paymentId` is the provider's intent. */
export interface PaymentFacts {
  paymentId: string;
  amountCents: number;
  bought: Bought;
}

/** Who is owed what the platform does not keep; null when it keeps all. */
export interface Payee {
  organizerId: number | null;
}

export interface PaymentTerms extends PaymentFacts, Payee {
  /** The payment's own, of tickets the order's. */
  id: string;
  buyerId: number | null;
  /** The organizer's account at the provider, when the charge passes their share on to it by itself. */
  destination?: string;
}

/** `feeCents` is what the platform keeps: of what it sells itself, all. */
export interface Split extends Payee {
  feeCents: number;
}

/**
 * What the provider reports comes by webhook, by asking and by the reconciler, in any order. `terms` is what it keeps as metadata:
 * with it a payment can be recorded that was asked for and forgotten (a crash between the provider's answer and our append).
 */
export type ProviderUpdate = { paymentId: string; terms: PaymentTerms | null };

/** Money the provider reports; `currency` as the provider writes it, and missing ours: 'usd'. */
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

/** What moved between the platform and the organizer's account, and what the provider took. */
export type MoveCommand = { paymentId: string; cents: number } & (
  | { type: 'RecordTransfer'; transferId: string; destination: string }
  | { type: 'RecordReversal'; reversalId: string; transferId: string }
  | { type: 'RecordFeeReturn'; feeRefundId: string }
  | { type: 'RecordProviderFee'; transactionId: string }
);

/** What the provider can report. */
export type RecordCommand = Extract<PaymentCommand, ProviderUpdate>;
