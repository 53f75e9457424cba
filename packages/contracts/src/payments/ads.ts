import { z } from 'zod';
import { envelope, fieldOr, optionalField } from '../common/basics.ts';
import { PhoneNumber } from '../identity/contact.ts';
import { PaymentLoss } from './payment-loss.ts';
import { blockText, emailText, lineText } from '../common/text.ts';
import { fault } from '../problems/fault.ts';

/** Where an ad is shown: the banner of the home page, or one of its two blocks. */
export const AdSlot = z.enum(['banner', 'block']);
export type AdSlot = z.infer<typeof AdSlot>;

/** What can be bought. The first four are offered by the pricing page, the others by the checkout, which sells all eight. */
export const AdPackageId = z.enum([
  ...(['banner-7d', 'top-placement-7d', 'spotlight-14d', 'campaign-30d'] as const),
  ...(['basic', 'premium', 'enterprise', 'ultimate'] as const),
]);
export type AdPackageId = z.infer<typeof AdPackageId>;

export interface AdPackage {
  id: AdPackageId;
  name: string;
  cents: number;
  /** The time for which it is shown, from its approval on. */
  days: number;
  /** The same in words. */
  duration: string;
  features: readonly AdFeature[];
  badge: string | null;
  slot: AdSlot;
  /** It is shown so often at most, and then is over; null: as often as its time allows. */
  maxImpressions: number | null;
  /** It is shown so often at least: its time is extended when it was not. Null: no number is promised. */
  guaranteedImpressions: number | null;
  /** Which screen has a card for it. */
  offeredBy: 'pricing' | 'checkout';
}

/** What is in packages, by id. */
export const AD_FEATURES = {
  banner: 'Banner on the home page',
  block: 'Block with picture on the home page',
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
  figures: 'A page with your figures',
} as const;
export type AdFeature = keyof typeof AD_FEATURES;

const COMMON = ['labeled', 'figures'] as const;

/** The one catalogue of ads: what each costs, in cents, and what one gets (services/catalog/PRODUCT.md#ads). */
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

/** Undefined for what is no id of the catalogue. */
export const adPackage = (id: string): AdPackage | undefined => AD_PACKAGES.find((one) => one.id === id);

/** GET /api/ad-packages: the catalogue. `price` in dollars (services/ticketing/PRODUCT.md#prices). */
export const AdPackages = z.array(
  z.object({
    id: AdPackageId,
    name: z.string(),
    price: z.number(),
    /** What `amount` of the payment has to be. */
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

/** Who buys an ad, and for what. Only name and address are needed to begin; the page asks for the event's title before it pays. */
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
 * POST /api/create-ad-payment-intent, by anybody. `amount` in cents has to be the package's price. Under the same `Idempotency-Key` (a
 * UUID) and package it is the same payment, and what it says of the business counts, until it is paid.
 */
export const CreateAdPaymentBody = z.strictObject({
  /** One of the catalogue; anything else is refused with 422. */
  packageId: z.string().max(40),
  amount: z.number(),
  businessInfo: AdBusinessInfo,
  /** What the page showed. The catalogue counts. */
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

/** POST /api/ad-payment-state: who has the intent's secret may ask what became of it. */
export const AdPaymentStateBody = z.strictObject({
  clientSecret: z
    .string()
    .max(400)
    .regex(/^pi_[A-Za-z0-9]{6,200}_secret_[A-Za-z0-9_]{6,200}$/, fault('invalid.payment-secret')),
});
/** `open`: not paid, and may be tried again; `canceled`: never will be. */
export const AdPaymentState = z.object({
  status: z.enum(['paid', 'processing', 'open', 'canceled', 'refunded']),
  packageId: AdPackageId,
});
export type AdPaymentState = z.infer<typeof AdPaymentState>;

/** Names one ad in every message: the payment's id here is the ad's, and `paymentId` is the provider's. */
const ad = { adId: z.uuid(), paymentId: z.string() };

/**
 * payments: somebody paid for an ad. The catalog makes the ad of it, once, with the id `adId`, and answers `catalog.ad-ready`.
 *
 * The bus keeps messages for ever, so no address is in them (decision 0003): payments alone knows what the business said of itself,
 * and writes all mails of ads. The link of the first one is `{PUBLIC_URL}/ad/{adId}#key={key}`; payments makes the key, and the
 * catalog recognizes it by `keyHash`. The mail goes out when the catalog has said `ad-ready`, so that the link opens
 * something; what an admin decided is mailed on `ad-approved` and `ad-rejected`, each with the link again.
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
    /** Empty where the page was not asked for it. */
    eventTitle: z.string(),
    /** SHA-256 of the key in the buyer's link, in hex. */
    keyHash: z.string().regex(/^[0-9a-f]{64}$/),
  }),
});
export type AdPaidV1 = z.infer<typeof AdPaidV1>;

/**
 * payments: the payment of an ad no longer counts. The catalog ends the ad, for good: that a dispute is won, or a refund fails, is for
 * people.
 */
export const AdRefundedV1 = z.object({
  ...envelope,
  type: z.literal('payments.ad-refunded'),
  version: z.literal(1),
  data: z.object({ ...ad, cause: PaymentLoss }),
});
export type AdRefundedV1 = z.infer<typeof AdRefundedV1>;

/** catalog: the ad that was paid is there, and waits for picture and link. The payment is fulfilled. */
export const AdReadyV1 = z.object({
  ...envelope,
  type: z.literal('catalog.ad-ready'),
  version: z.literal(1),
  data: z.object(ad),
});
export type AdReadyV1 = z.infer<typeof AdReadyV1>;

/** catalog: an admin approved it; it is shown from now on, until `until` at first. */
export const AdApprovedV1 = z.object({
  ...envelope,
  type: z.literal('catalog.ad-approved'),
  version: z.literal(1),
  data: z.object({ ...ad, until: z.iso.datetime() }),
});
export type AdApprovedV1 = z.infer<typeof AdApprovedV1>;

/** catalog: an admin refused it for good before it was ever shown; the whole payment goes back, and the buyer reads why. */
export const AdRefusedV1 = z.object({
  ...envelope,
  type: z.literal('catalog.ad-refused'),
  version: z.literal(1),
  data: z.object({ ...ad, amountCents: z.int().positive(), reason: z.string().min(1).max(1_000) }),
});
export type AdRefusedV1 = z.infer<typeof AdRefusedV1>;

/** catalog: an admin rejected it; the buyer reads why, and may send another picture or link. */
export const AdRejectedV1 = z.object({
  ...envelope,
  type: z.literal('catalog.ad-rejected'),
  version: z.literal(1),
  data: z.object({ ...ad, reason: z.string().min(1).max(1_000) }),
});
export type AdRejectedV1 = z.infer<typeof AdRejectedV1>;
