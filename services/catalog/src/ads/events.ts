import type { AdPackageId, AdSlot } from '@beltway/contracts/payments/ads';
import type { PaymentLoss } from '@beltway/contracts/payments/payment-loss';
import type { AdContent, AdEndReason } from '@beltway/contracts/catalog/served-ads';

/** What was bought, as the catalogue said on that day. */
export interface AdTerms {
  /** The provider's. */
  paymentId: string;
  packageId: AdPackageId;
  amountCents: number;
  slot: AdSlot;
  days: number;
  maxImpressions: number | null;
  guaranteedImpressions: number | null;
  businessName: string;
  eventTitle: string;
  /** SHA-256 of the key in the buyer's link, in hex. */
  keyHash: string;
}

/** What can happen to an ad. */
export type AdEvent =
  | { type: 'AdBought'; data: AdTerms }
  /** `submission` counts what was sent, from 1. */
  | { type: 'AdSubmitted'; data: { submission: number; content: AdContent } }
  /** Its time began with its first approval, and ends at `until`. */
  | {
      type: 'AdApproved';
      data: { paymentId: string; submission: number; content: AdContent; startsAt: string; until: string };
    }
  /** `wasShown`: it was on the pages, and is taken off. */
  | { type: 'AdRejected'; data: { paymentId: string; submission: number; reason: string; wasShown: boolean } }
  /** For good, before it was ever shown: all that was paid goes back. */
  | { type: 'AdRefused'; data: { paymentId: string; amountCents: number; submission: number; reason: string } }
  /** It was shown `impressions` times, fewer than guaranteed. */
  | { type: 'AdExtended'; data: { until: string; impressions: number } }
  | { type: 'AdEnded'; data: { reason: AdEndReason; impressions: number } };

/** What can be asked. `at` is the time of the request, ISO text. */
export type AdCommand =
  | { type: 'BookAd'; terms: AdTerms }
  | { type: 'SubmitAd'; content: AdContent }
  | { type: 'ApproveAd'; submission: number; at: string }
  | { type: 'RejectAd'; submission: number; reason: string }
  | { type: 'RefuseAd'; submission: number; reason: string }
  /** Ends or extends it, if it is time; `impressions` were counted so far. */
  | { type: 'CloseAd'; impressions: number; at: string }
  /** Its payment no longer counts: ends it immediately, shown `impressions` times. */
  | { type: 'EndUnpaidAd'; reason: PaymentLoss; impressions: number };
