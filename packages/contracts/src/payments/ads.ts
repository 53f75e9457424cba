import { z } from 'zod';
import { envelope, fieldOr, optionalField } from '../common/basics.ts';
import { PhoneNumber } from '../identity/contact.ts';
import { PaymentLoss } from './payment-loss.ts';
import { blockText, emailText, lineText } from '../common/text.ts';
import { fault } from '../problems/fault.ts';

/** Where an ad is displayed: the banner of the home page, or one of its two blocks. */
export const AdSlot = z.enum(['banner', 'block']);
export type AdSlot = z.infer<typeof AdSlot>;

/**
 * Packages for sale. The pricing page displays the first four, the checkout the other four. All eight can be bought at
 * the checkout.
 */
export const AdPackageId = z.enum([
  ...(['banner-7d', 'top-placement-7d', 'spotlight-14d', 'campaign-30d'] as const),
  ...(['basic', 'premium', 'enterprise', 'ultimate'] as const),
]);
export type AdPackageId = z.infer<typeof AdPackageId>;

export interface AdPackage {
  id: AdPackageId;
  name: string;
  cents: number;
  /** Days of display, counted from the ad's approval. */
  days: number;
  /** `days` in words. */
  duration: string;
  features: readonly AdFeature[];
  badge: string | null;
  slot: AdSlot;
  /** The ad ends after this many impressions; null: only its time limits it. */
  maxImpressions: number | null;
  /** Guaranteed number of impressions. If an ad has fewer impressions, its time is extended. null: no guarantee. */
  guaranteedImpressions: number | null;
  /** The screen that displays a card for the package. */
  offeredBy: 'pricing' | 'checkout';
}

/** Features of packages, keyed by id. */
export const AD_FEATURES = {
  banner: 'Banner on the home page',
  block: 'Block with a photo on the home page',
  'up-to-5000': 'Up to 5,000 impressions',
  'up-to-15000': 'Up to 15,000 impressions',
  'up-to-25000': 'Up to 25,000 impressions',
  unlimited: 'Unlimited impressions',
  'guaranteed-25000': '25K+ guaranteed impressions',
  '1-week': 'In rotation for 1 week',
  '2-weeks': 'In rotation for 2 weeks',
  '1-month': 'In rotation for 1 month',
  '6-weeks': 'In rotation for 6 weeks',
  labeled: 'Labeled as sponsored',
  figures: 'Live stats page',
} as const;
export type AdFeature = keyof typeof AD_FEATURES;

const COMMON = ['labeled', 'figures'] as const;

/** The only list of ad packages: price in cents and features (services/catalog/PRODUCT.md#ads). */
export const AD_PACKAGES: readonly AdPackage[] = [
  {
    ...{ id: 'banner-7d', name: 'Basic Banner', cents: 4_999, days: 7, duration: '7 days' },
    ...{ badge: null, slot: 'banner', maxImpressions: 5_000, guaranteedImpressions: null, offeredBy: 'pricing' },
    features: ['banner', 'up-to-5000', ...COMMON],
  },
  {
    ...{ id: 'top-placement-7d', name: 'Premium Top Placement', cents: 14_999, days: 7, duration: '7 days' },
    ...{ badge: 'Most Popular', slot: 'banner', maxImpressions: 25_000 },
    ...{ guaranteedImpressions: null, offeredBy: 'pricing' },
    features: ['banner', 'up-to-25000', ...COMMON],
  },
  {
    ...{ id: 'spotlight-14d', name: 'Premium Spotlight', cents: 9_999, days: 14, duration: '14 days' },
    ...{ badge: null, slot: 'block', maxImpressions: 15_000, guaranteedImpressions: null, offeredBy: 'pricing' },
    features: ['block', 'up-to-15000', ...COMMON],
  },
  {
    ...{ id: 'campaign-30d', name: 'Featured Campaign', cents: 19_999, days: 30, duration: '30 days' },
    ...{ badge: null, slot: 'block', maxImpressions: null, guaranteedImpressions: null, offeredBy: 'pricing' },
    features: ['block', 'unlimited', ...COMMON],
  },
  {
    ...{ id: 'basic', name: 'Basic Spotlight', cents: 2_999, days: 7, duration: '1 week' },
    ...{ badge: null, slot: 'block', maxImpressions: null, guaranteedImpressions: null, offeredBy: 'checkout' },
    features: ['block', '1-week', ...COMMON],
  },
  {
    ...{ id: 'premium', name: 'Premium Boost', cents: 4_999, days: 14, duration: '2 weeks' },
    ...{ badge: 'Most Popular', slot: 'block', maxImpressions: null, guaranteedImpressions: null },
    offeredBy: 'checkout',
    features: ['block', '2-weeks', ...COMMON],
  },
  {
    ...{ id: 'enterprise', name: 'Enterprise Domination', cents: 9_999, days: 30, duration: '1 month' },
    ...{ badge: 'Best Value', slot: 'banner', maxImpressions: null, guaranteedImpressions: null },
    offeredBy: 'checkout',
    features: ['banner', '1-month', ...COMMON],
  },
  {
    ...{ id: 'ultimate', name: 'Ultimate Exposure', cents: 14_999, days: 42, duration: '6 weeks' },
    ...{ badge: 'Premium', slot: 'banner', maxImpressions: null, guaranteedImpressions: 25_000 },
    offeredBy: 'checkout',
    features: ['banner', 'guaranteed-25000', '6-weeks', ...COMMON],
  },
];

/** Returns undefined for an unknown id. */
export const adPackage = (id: string): AdPackage | undefined => AD_PACKAGES.find((one) => one.id === id);

/** GET /api/ad-packages: all packages. `price` in dollars (services/ticketing/PRODUCT.md#prices). */
export const AdPackages = z.array(
  z.object({
    id: AdPackageId,
    name: z.string(),
    price: z.number(),
    /** The value that the payment's `amount` must have. */
    priceCents: z.int(),
    duration: z.string(),
    days: z.int(),
    features: z.array(z.string()),
    badge: z.string().nullable(),
    slot: AdSlot,
    maxImpressions: z.int().nullable(),
    guaranteedImpressions: z.int().nullable(),
    offeredBy: z.enum(['pricing', 'checkout']),
  }),
);
export type AdPackages = z.infer<typeof AdPackages>;

/**
 * The buyer of an ad, and the advertised event. At first only name and email address are required; the frontend
 * requires the event's title before the payment.
 */
export const AdBusinessInfo = z.strictObject({
  businessName: lineText(120, 'invalid.business-name'),
  contactEmail: emailText(),
  phone: fieldOr(PhoneNumber, ''),
  eventTitle: fieldOr(lineText(120, 'invalid.ad-event-title'), ''),
  eventDescription: fieldOr(blockText(2_000, 'invalid.ad-event-description'), ''),
  specialRequests: fieldOr(blockText(2_000, 'invalid.ad-requests'), ''),
});
export type AdBusinessInfo = z.infer<typeof AdBusinessInfo>;

/**
 * POST /api/create-ad-payment-intent, without an account. `amount` in cents must be the package's price. Requests with
 * the same `Idempotency-Key` (a UUID) and package refer to the same payment. Until the ad is paid, the business data of
 * the latest request applies.
 */
export const CreateAdPaymentBody = z.strictObject({
  /** One of the packages; any other text results in 422. */
  packageId: z.string().max(40),
  amount: z.number(),
  businessInfo: AdBusinessInfo,
  /** The package as the frontend displayed it. The server uses its own list. */
  packageDetails: optionalField(
    z.strictObject({
      name: z.string().max(120),
      duration: z.string().max(40),
      features: z.array(z.string().max(200)).max(20),
    }),
  ),
});
export type CreateAdPaymentBody = z.infer<typeof CreateAdPaymentBody>;
export const AdPayment = z.object({ clientSecret: z.string() });
export type AdPayment = z.infer<typeof AdPayment>;

/** POST /api/ad-payment-state, for the holder of the intent's secret. */
export const AdPaymentStateBody = z.strictObject({
  clientSecret: z
    .string()
    .max(400)
    .regex(/^pi_[A-Za-z0-9]{6,200}_secret_[A-Za-z0-9_]{6,200}$/, fault('invalid.payment-secret')),
});
/** `open`: not paid, the buyer can try again. `canceled`: can never be paid. */
export const AdPaymentState = z.object({
  status: z.enum(['paid', 'processing', 'open', 'canceled', 'refunded']),
  packageId: AdPackageId,
});
export type AdPaymentState = z.infer<typeof AdPaymentState>;

/** Identifies an ad in every message: `adId` is the id of its payment at Beltway, `paymentId` the provider's id. */
const ad = { adId: z.uuid(), paymentId: z.string() };

/**
 * payments: an ad was paid. The catalog creates the ad once, with the id `adId`, and publishes `catalog.ad-ready`.
 *
 * The bus keeps messages for a long time or permanently, so they contain no email address (decision 0003). Only payments has the
 * business's data, and payments sends all mails about ads. The link in the first mail is
 * `{PUBLIC_URL}/ad/{adId}#key={key}`; payments creates the key, and the catalog recognizes it by `keyHash`. The first
 * mail is sent after `ad-ready`, so that its link works. The mails on `ad-approved` and `ad-rejected` contain the link
 * again.
 */
export const AdPaidV1 = z.object({
  ...envelope,
  type: z.literal('payments.ad-paid'),
  version: z.literal(1),
  data: z.object({
    ...ad,
    packageId: AdPackageId,
    amountCents: z.int(),
    paidAt: z.iso.datetime(),
    /** The buyer's account; null for a guest. */
    userId: z.int().nullable(),
    businessName: z.string(),
    /** Empty if the buyer entered no title. */
    eventTitle: z.string(),
    /** SHA-256 of the key in the buyer's link, in hex. */
    keyHash: z.string().regex(/^[0-9a-f]{64}$/),
  }),
});
export type AdPaidV1 = z.infer<typeof AdPaidV1>;

/**
 * payments: the payment of an ad no longer counts. The catalog ends the ad permanently. If a dispute is won later or a
 * refund fails, staff handle the case.
 */
export const AdRefundedV1 = z.object({
  ...envelope,
  type: z.literal('payments.ad-refunded'),
  version: z.literal(1),
  data: z.object({ ...ad, cause: PaymentLoss }),
});
export type AdRefundedV1 = z.infer<typeof AdRefundedV1>;

/** catalog: the paid ad exists and waits for picture and link. This fulfills the payment. */
export const AdReadyV1 = z.object({
  ...envelope,
  type: z.literal('catalog.ad-ready'),
  version: z.literal(1),
  data: z.object(ad),
});
export type AdReadyV1 = z.infer<typeof AdReadyV1>;

/** catalog: an admin approved the ad. The ad is displayed until `until`, unless its time is extended. */
export const AdApprovedV1 = z.object({
  ...envelope,
  type: z.literal('catalog.ad-approved'),
  version: z.literal(1),
  data: z.object({ ...ad, until: z.iso.datetime() }),
});
export type AdApprovedV1 = z.infer<typeof AdApprovedV1>;

/**
 * catalog: an admin refused the ad permanently before it was ever displayed. The whole payment is refunded, and the
 * buyer gets the reason by mail.
 */
export const AdRefusedV1 = z.object({
  ...envelope,
  type: z.literal('catalog.ad-refused'),
  version: z.literal(1),
  data: z.object({ ...ad, amountCents: z.int().positive(), reason: z.string().min(1).max(1_000) }),
});
export type AdRefusedV1 = z.infer<typeof AdRefusedV1>;

/** catalog: an admin rejected the content. The buyer gets the reason by mail and may send another picture or link. */
export const AdRejectedV1 = z.object({
  ...envelope,
  type: z.literal('catalog.ad-rejected'),
  version: z.literal(1),
  data: z.object({ ...ad, reason: z.string().min(1).max(1_000) }),
});
export type AdRejectedV1 = z.infer<typeof AdRejectedV1>;
