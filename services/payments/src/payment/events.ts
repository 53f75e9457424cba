/**
 * One payment: what was asked of the card provider for one purchase, and what became of it. Stream `payment-<id>`; for tickets
 * the id is the order's, so an order can have one payment only, by one intent at a time. Amounts in cents.
 */
export type PaymentEvent =
  /** Again, with another intent, when the one before was cancelled. */
  | { type: 'PaymentRequested'; data: PaymentTerms & { clientSecret: string | null } }
  /** The provider works on it: bank debits take days. */
  | { type: 'PaymentProcessing'; data: PaymentFacts }
  /** One attempt was declined; the buyer may try again. */
  | { type: 'PaymentFailed'; data: PaymentFacts & { attempt: string; code: string } }
  /** `amountCents` is what the provider received; the fee is kept, so that a later rate does not rewrite the past. */
  | { type: 'PaymentSucceeded'; data: PaymentFacts & Split }
  | { type: 'PaymentCancelled'; data: PaymentFacts }
  /** Ticketing has handed out the tickets. */
  | { type: 'PaymentFulfilled'; data: { orderId: string } }
  /** May come before the money: then the money goes back as soon as it comes. */
  | { type: 'RefundRequested'; data: { orderId: string; reason: string; afterFulfilment: boolean; due: boolean } }
  /** The bank refused a refund that was never recorded as done. One of ours is tried anew. */
  | { type: 'RefundFailed'; data: PaymentFacts & { refundId: string; code: string } }
  /**
   * The whole payment has gone back; this refund was the last of it. `partCents` and what goes with it are missing in old events:
   * there one refund took the whole, or was written for several that did together.
   */
  | { type: 'PaymentRefunded'; data: PaymentFacts & Split & { refundId: string } & Partial<Part> & Unasked }
  /** A refund in the provider's dashboard gave back a part. The order stays as it is. */
  | { type: 'PaymentPartlyRefunded'; data: PaymentFacts & { refundId: string; organiserId: number } & Part }
  /** A refund that was recorded as done failed later: its money is with us again. `isOwed`: the buyer must get it, by another refund. */
  | {
      type: 'RefundReversed';
      data: PaymentFacts & { refundId: string; code: string; organiserId: number; isOwed: boolean } & Part;
    }
  | { type: 'DisputeOpened'; data: PaymentFacts & { disputeId: string; disputedCents: number; reason: string } }
  /** The bank took the money. `isWhole`: nothing is left of the payment now, and something was before. */
  | {
      type: 'DisputeLost';
      data: PaymentFacts & { disputeId: string; organiserId: number; isWhole: boolean } & Part & Unasked;
    }
  /** The money stays with us, or comes back from a dispute that was lost before (`partCents`, else 0). */
  | { type: 'DisputeWon'; data: PaymentFacts & { disputeId: string; organiserId: number } & Part };

/** What one refund or dispute moved, of it the platform's fee, and what of the payment has gone back in all after it. Cents, never negative. */
export interface Part {
  partCents: number;
  partFeeCents: number;
  returnedCents: number;
}

/** Ticketing had not asked for the money to go back: the tickets must be returned. Missing in old events, which returned none. */
export interface Unasked {
  unasked?: true;
}

/** What everybody may know of a payment. `paymentId` is the provider's intent. */
export interface PaymentFacts {
  paymentId: string;
  orderId: string;
  eventId: number;
  amountCents: number;
}

export interface PaymentTerms extends PaymentFacts {
  /** Promotions and ads come here with ids of their own. */
  purpose: 'tickets';
  organiserId: number;
  buyerId: number | null;
}

export interface Split {
  organiserId: number;
  feeCents: number;
}

/**
 * What the provider reports comes by webhook, by asking and by the reconciler, in any order. `terms` is what it keeps as metadata:
 * with it a payment can be recorded that was asked for and forgotten (a crash between the provider's answer and our append).
 */
export type ProviderUpdate = { paymentId: string; terms: PaymentTerms | null };

export type PaymentCommand =
  | { type: 'RequestPayment'; terms: PaymentTerms; clientSecret: string | null }
  | ({ type: 'RecordProcessing' } & ProviderUpdate)
  | ({ type: 'RecordFailure'; attempt: string; code: string } & ProviderUpdate)
  | ({ type: 'RecordSuccess'; amountCents: number } & ProviderUpdate)
  | ({ type: 'RecordCancellation' } & ProviderUpdate)
  | ({ type: 'RecordRefund'; refundId: string; amountCents: number } & ProviderUpdate)
  | ({ type: 'RecordRefundFailure'; refundId: string; code: string; amountCents: number } & ProviderUpdate)
  | ({
      type: 'RecordDispute';
      disputeId: string;
      amountCents: number;
      reason: string;
      outcome: 'open' | 'won' | 'lost';
    } & ProviderUpdate)
  | { type: 'RecordFulfilment'; orderId: string; paymentId: string }
  | { type: 'RequestRefund'; orderId: string; paymentId: string; amountCents: number; reason: string };

/** What the provider can report. */
export type RecordCommand = Extract<PaymentCommand, ProviderUpdate>;
