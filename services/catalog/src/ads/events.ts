import type { AdPackageId, AdSlot } from '@beltway/contracts/payments/ads';
import type { PaymentLoss } from '@beltway/contracts/payments/payment-loss';
import type { AdContent, AdEndReason } from '@beltway/contracts/catalog/served-ads';

/** The purchased package, with its terms at the time of purchase. */
export interface AdTerms {
  /** The id of the payment at the provider. */
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

export type AdEvent =
  | { type: 'AdBought'; data: AdTerms }
  /** `submission`: the number of the submission, from 1. */
  | { type: 'AdSubmitted'; data: { submission: number; content: AdContent } }
  /** The ad's time starts with its first approval and ends at `until`. */
  | {
      type: 'AdApproved';
      data: { paymentId: string; submission: number; content: AdContent; startsAt: string; until: string };
    }
  /** `wasShown`: the ad was shown on the website and is now removed. */
  | { type: 'AdRejected'; data: { paymentId: string; submission: number; reason: string; wasShown: boolean } }
  /** The ad was refused permanently, before it was ever shown: the whole payment is refunded. */
  | { type: 'AdRefused'; data: { paymentId: string; amountCents: number; submission: number; reason: string } }
  /** The ad had only `impressions` impressions, fewer than guaranteed, so its time is extended. */
  | { type: 'AdExtended'; data: { until: string; impressions: number } }
  | { type: 'AdEnded'; data: { reason: AdEndReason; impressions: number } };

/** Commands. `at`: the time of the request, as ISO text. */
export type AdCommand =
  | { type: 'BookAd'; terms: AdTerms }
  | { type: 'SubmitAd'; content: AdContent }
  | { type: 'ApproveAd'; submission: number; at: string }
  | { type: 'RejectAd'; submission: number; reason: string }
  | { type: 'RefuseAd'; submission: number; reason: string }
  /** Ends or extends an ad that is due; `impressions` is the current count. */
  | { type: 'CloseAd'; impressions: number; at: string }
  /** The payment was refunded or lost: ends the ad immediately. `impressions` is the current count. */
  | { type: 'EndUnpaidAd'; reason: PaymentLoss; impressions: number };
