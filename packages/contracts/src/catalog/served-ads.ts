import { z } from 'zod';
import { AdPackageId, AdSlot } from '../payments/ads.ts';
import { optionalField } from '../common/basics.ts';
import { PaymentLoss } from '../payments/payment-loss.ts';
import { lineText } from '../common/text.ts';
import { fault } from '../problems/fault.ts';

/** Characters of an ad's title, of the words for who does not see its picture, and of its link. */
export const MAX_AD_TITLE = 60;
export const MAX_AD_ALT = 150;
export const MAX_AD_LINK = 500;
/** The most ads that one page view reports: the banner and the blocks of a page, with room. The same for promoted events. */
export const MAX_ADS_OF_VIEW = 8;

/** GET /api/ads */
export const AdsQuery = z.object({ slot: AdSlot });

const promotedEvents = optionalField(z.array(z.int().positive().max(2_147_483_647)).min(1).max(MAX_ADS_OF_VIEW));
/**
 * POST /api/ads/impressions: which ads were seen in one view of a page, and which promoted events in their places; `view` is made up anew
 * for each view.
 */
export const ImpressionsBody = z.strictObject({
  view: z.uuid(),
  ads: optionalField(z.array(z.uuid()).min(1).max(MAX_ADS_OF_VIEW)),
  featured: promotedEvents,
  premium: promotedEvents,
});
export type ImpressionsBody = z.infer<typeof ImpressionsBody>;

/** What an ad shows, and where it leads. */
export const AdContent = z.object({
  imageUrl: z.string(),
  linkUrl: z.string(),
  title: z.string(),
  alt: z.string(),
});
export type AdContent = z.infer<typeof AdContent>;

const LINK = fault('invalid.web-link');

/** A link that browsers may be sent to: http or https, a host with a dot, no name and password, as URLs are normalized. */
const webLink = z
  .string(LINK)
  .trim()
  .min(1, { error: fault('invalid.ad-link'), abort: true })
  .max(MAX_AD_LINK, { error: fault('invalid.too-long', { max: MAX_AD_LINK }), abort: true })
  .refine(isWebLink, LINK)
  .overwrite((link) => (isWebLink(link) ? new URL(link).href : link));

function isWebLink(link: string): boolean {
  // `new URL` drops tabs and line breaks, and reads a backslash as a slash: what is stored is what was typed.
  if (!/^https?:\/\/[^\s\\]+$/i.test(link) || !URL.canParse(link)) return false;
  const { hostname, username, password } = new URL(link);
  return hostname.includes('.') && username === '' && password === '';
}

/** PUT /api/ads/{adId}/content. `imageUrl`: a picture of at most 5 MB as a `data:` address, or the one the ad has already. */
export const AdContentBody = z.strictObject({
  imageUrl: z.string(fault('invalid.ad-picture')).min(1, fault('invalid.ad-picture')),
  linkUrl: webLink,
  title: lineText(MAX_AD_TITLE, 'invalid.ad-title'),
  alt: lineText(MAX_AD_ALT, 'invalid.ad-alt'),
});
export type AdContentBody = z.infer<typeof AdContentBody>;

/** `bought`: waits for picture and link; `waiting`: for an admin; `ended`: is over (`endReason`). */
export const AdState = z.enum(['bought', 'waiting', 'rejected', 'running', 'ended']);
export type AdState = z.infer<typeof AdState>;

/** Why an ad is over: it had what was bought, an admin refused it for good, or its money is gone again. */
export const AdEndReason = z.enum(['all-shown', 'time-over', 'refused', ...PaymentLoss.options]);
export type AdEndReason = z.infer<typeof AdEndReason>;

/** GET /api/ads/{adId}, for who has the link of the mail: `X-Ad-Key`. */
export const BoughtAd = z.object({
  id: z.uuid(),
  packageId: AdPackageId,
  slot: AdSlot,
  days: z.int(),
  maxImpressions: z.int().nullable(),
  guaranteedImpressions: z.int().nullable(),
  state: AdState,
  /** Which content was sent last, counted from 1; 0: none. */
  submission: z.int(),
  /** What was sent last. */
  sent: AdContent.nullable(),
  /** An admin has yet to look at it. While the ad runs, what was approved before is shown. */
  isWaiting: z.boolean(),
  /** What is shown. */
  shown: AdContent.nullable(),
  /** Which submission is shown. */
  shownSubmission: z.int().nullable(),
  /** Why the last submission was rejected, until another one is sent. */
  rejection: z.string().nullable(),
  impressions: z.int(),
  clicks: z.int(),
  boughtAt: z.iso.datetime(),
  submittedAt: z.iso.datetime().nullable(),
  startsAt: z.iso.datetime().nullable(),
  endsAt: z.iso.datetime().nullable(),
  /** Its time was extended, since it was not shown as often as was guaranteed. */
  isExtended: z.boolean(),
  endedAt: z.iso.datetime().nullable(),
  endReason: AdEndReason.nullable(),
});
export type BoughtAd = z.infer<typeof BoughtAd>;

/** An ad as admins review it. */
export const ReviewedAd = BoughtAd.extend({ businessName: z.string(), eventTitle: z.string() });
export type ReviewedAd = z.infer<typeof ReviewedAd>;

/** GET /api/admin/ads. `waiting`: those whose content waits, the longest waiting first; `running` and `all`: the latest bought first. */
export const ReviewQuery = z.object({
  status: z.enum(['waiting', 'running', 'all']).default('waiting'),
  cursor: z.uuid().optional(),
  limit: z.coerce.number().int().min(1).max(50).default(20),
});
export const ReviewedAds = z.object({ items: z.array(ReviewedAd), nextCursor: z.string().nullable() });
export type ReviewedAds = z.infer<typeof ReviewedAds>;

/**
 * POST /api/admin/ads/{adId}/review. `submission` is the one that the admin has seen: 409 when another one was sent meanwhile.
 * Rejecting what is shown takes it off the pages. Refusing ends an ad for good and gives its money back; only one that was never shown.
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
