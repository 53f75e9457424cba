import { z } from 'zod';
import { AdPackageId, AdSlot } from '../payments/ads.ts';
import { optionalField } from '../common/basics.ts';
import { PaymentLoss } from '../payments/payment-loss.ts';
import { lineText, webLink } from '../common/text.ts';
import { fault } from '../problems/fault.ts';

/** Maximum characters of an ad's title, of its alternative text, and of its link. */
export const MAX_AD_TITLE = 60;
export const MAX_AD_ALT = 150;
export const MAX_AD_LINK = 500;
/**
 * Maximum number of ads that one page view reports. A page has fewer banners and blocks. The same limit applies to
 * promoted events.
 */
export const MAX_ADS_OF_VIEW = 8;

/** GET /api/ads */
export const AdsQuery = z.object({ slot: AdSlot });

const promotedEvents = optionalField(z.array(z.int().positive().max(2_147_483_647)).min(1).max(MAX_ADS_OF_VIEW));
/**
 * POST /api/ads/impressions: the ads and the promoted events (with their places) that were visible in one page view.
 * `view` is a new UUID for each page view.
 */
export const ImpressionsBody = z.strictObject({
  view: z.uuid(),
  ads: optionalField(z.array(z.uuid()).min(1).max(MAX_ADS_OF_VIEW)),
  featured: promotedEvents,
  premium: promotedEvents,
});
export type ImpressionsBody = z.infer<typeof ImpressionsBody>;

/** The visible content of an ad, and its link. */
export const AdContent = z.object({
  imageUrl: z.string(),
  linkUrl: z.string(),
  title: z.string(),
  alt: z.string(),
});
export type AdContent = z.infer<typeof AdContent>;

/**
 * PUT /api/ads/{adId}/content. `imageUrl`: a picture of at most 5 MB as a `data:` URL, or the URL of the ad's current
 * picture.
 */
export const AdContentBody = z.strictObject({
  imageUrl: z.string(fault('invalid.ad-picture')).min(1, fault('invalid.ad-picture')),
  linkUrl: webLink(MAX_AD_LINK, 'invalid.ad-link'),
  title: lineText(MAX_AD_TITLE, 'invalid.ad-title'),
  alt: lineText(MAX_AD_ALT, 'invalid.ad-alt'),
});
export type AdContentBody = z.infer<typeof AdContentBody>;

/**
 * `bought`: the holder has not sent picture and link yet. `waiting`: an admin must review it. `ended`: see `endReason`.
 */
export const AdState = z.enum(['bought', 'waiting', 'rejected', 'running', 'ended']);
export type AdState = z.infer<typeof AdState>;

/**
 * Why an ad ended: all paid impressions were shown, its time was over, an admin refused it permanently, or its payment
 * was lost.
 */
export const AdEndReason = z.enum(['all-shown', 'time-over', 'refused', ...PaymentLoss.options]);
export type AdEndReason = z.infer<typeof AdEndReason>;

/** GET /api/ads/{adId}, for the holder of the mailed link, whose key is sent as `X-Ad-Key`. */
export const BoughtAd = z.object({
  id: z.uuid(),
  packageId: AdPackageId,
  slot: AdSlot,
  days: z.int(),
  maxImpressions: z.int().nullable(),
  guaranteedImpressions: z.int().nullable(),
  state: AdState,
  /** Number of the last submission, counted from 1; 0: no submission yet. */
  submission: z.int(),
  /** The last submission. */
  sent: AdContent.nullable(),
  /** The last submission waits for an admin's review. Until then a running ad displays its approved content. */
  isWaiting: z.boolean(),
  /** The approved content. */
  shown: AdContent.nullable(),
  /** Number of the approved submission. */
  shownSubmission: z.int().nullable(),
  /** Why an admin rejected the last submission; null again after the next submission. */
  rejection: z.string().nullable(),
  impressions: z.int(),
  clicks: z.int(),
  boughtAt: z.iso.datetime(),
  submittedAt: z.iso.datetime().nullable(),
  startsAt: z.iso.datetime().nullable(),
  endsAt: z.iso.datetime().nullable(),
  /** The ad's time was extended because it had fewer impressions than guaranteed. */
  isExtended: z.boolean(),
  endedAt: z.iso.datetime().nullable(),
  endReason: AdEndReason.nullable(),
});
export type BoughtAd = z.infer<typeof BoughtAd>;

/** An ad in the review list of admins. */
export const ReviewedAd = BoughtAd.extend({ businessName: z.string(), eventTitle: z.string() });
export type ReviewedAd = z.infer<typeof ReviewedAd>;

/** GET /api/admin/ads. `waiting`: ads to review, longest waiting first; `running` and `all`: latest bought first. */
export const ReviewQuery = z.object({
  status: z.enum(['waiting', 'running', 'all']).default('waiting'),
  cursor: z.uuid().optional(),
  limit: z.coerce.number().int().min(1).max(50).default(20),
});
export const ReviewedAds = z.object({ items: z.array(ReviewedAd), nextCursor: z.string().nullable() });
export type ReviewedAds = z.infer<typeof ReviewedAds>;

/**
 * POST /api/admin/ads/{adId}/review. `submission` is the submission that the admin saw; a newer submission results in
 * 409. `reject` of the approved content removes the content from the pages. `refuse` ends the ad permanently and
 * refunds its price; this is only possible for an ad that never ran.
 */
export const ReviewBody = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('approve'), submission: z.int().positive() }),
  z.strictObject({
    action: z.literal('reject'),
    submission: z.int().positive(),
    reason: lineText(1_000, 'invalid.why-mend'),
  }),
  z.strictObject({
    action: z.literal('refuse'),
    submission: z.int().min(0),
    reason: lineText(1_000, 'invalid.why-read'),
  }),
]);
export type ReviewBody = z.infer<typeof ReviewBody>;
