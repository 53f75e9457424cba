import { z } from 'zod';
import { envelope, optionalField } from '../common/basics.ts';
import { ConfiguredLivestream } from './livestream.ts';
import { LivestreamConfig } from './livestream-config.ts';
import { PaymentLoss } from '../payments/payment-loss.ts';

/** What can be bought for an event. */
export const PaidLevel = z.enum(['featured', 'premium', 'livestream']);
export type PaidLevel = z.infer<typeof PaidLevel>;

/** The one catalogue of promotions: what each costs, in cents, and how long it lasts (services/catalog/PRODUCT.md#promotion). */
export const PROMOTIONS: Readonly<Record<PaidLevel, { cents: number; hours: number }>> = {
  featured: { cents: 2_999, hours: 24 },
  premium: { cents: 4_999, hours: 48 },
  livestream: { cents: 9_999, hours: 48 },
};

const paid = {
  /** The payment's id here, which names this purchase. */
  promotionId: z.uuid(),
  /** The provider's. */
  paymentId: z.string(),
  eventId: z.int(),
  level: PaidLevel,
  amountCents: z.int(),
};

/** payments: somebody paid for a promotion. The catalog starts it, or says that it cannot. */
export const PromotionPaidV1 = z.object({
  ...envelope,
  type: z.literal('payments.promotion-paid'),
  version: z.literal(1),
  data: z.object(paid),
});
export type PromotionPaidV1 = z.infer<typeof PromotionPaidV1>;

/** catalog: what was paid is in force, from now until `until`: of a level that was bought before, from its end on. */
export const PromotionStartedV1 = z.object({
  ...envelope,
  type: z.literal('catalog.promotion-started'),
  version: z.literal(1),
  data: z.object({ ...paid, until: z.iso.datetime() }),
});
export type PromotionStartedV1 = z.infer<typeof PromotionStartedV1>;

/** payments: the payment of a promotion or a live stream no longer counts. The catalog ends what it bought, for good. */
export const PromotionRefundedV1 = z.object({
  ...envelope,
  type: z.literal('payments.promotion-refunded'),
  version: z.literal(1),
  data: z.object({ ...paid, cause: PaymentLoss }),
});
export type PromotionRefundedV1 = z.infer<typeof PromotionRefundedV1>;

export const PromotionRefusal = z.enum([
  ...(['no-such-event', 'event-canceled', 'event-postponed', 'event-over'] as const),
  ...(['livestream-over', 'livestream-exists', 'payment-lost'] as const),
]);
export type PromotionRefusal = z.infer<typeof PromotionRefusal>;

/**
 * catalog: what was paid cannot be given: the event was canceled or postponed, or is over; the time of the live stream is over, or the
 * event has another one; or its payment was refunded or disputed before. The money goes back.
 */
export const PromotionRefusedV1 = z.object({
  ...envelope,
  type: z.literal('catalog.promotion-refused'),
  version: z.literal(1),
  data: z.object({ ...paid, reason: PromotionRefusal }),
});
export type PromotionRefusedV1 = z.infer<typeof PromotionRefusedV1>;

/**
 * catalog: what was paid ended before it was over. Where its event was canceled the money goes back, though it was given for some time;
 * with the other reasons it already did.
 */
export const PromotionReturnedV1 = z.object({
  ...envelope,
  type: z.literal('catalog.promotion-returned'),
  version: z.literal(1),
  data: z.object({ ...paid, reason: z.enum(['event-canceled', ...PaymentLoss.options]) }),
});
export type PromotionReturnedV1 = z.infer<typeof PromotionReturnedV1>;

/** catalog: the time of a level is over. */
export const PromotionEndedV1 = z.object({
  ...envelope,
  type: z.literal('catalog.promotion-ended'),
  version: z.literal(1),
  data: z.object({ eventId: z.int(), level: PaidLevel }),
});
export type PromotionEndedV1 = z.infer<typeof PromotionEndedV1>;

/**
 * POST /api/create-promotion-payment: for an event of one's own; what it costs only the catalogue above says. A live stream is configured
 * now, or with the confirmation, or later. A payment is of one configuration: another one takes the place of a payment that is still open.
 */
export const CreatePromotionPaymentBody = z.strictObject({
  /** One of the catalogue; anything else is refused with 422. */
  promotionLevel: z.string().max(40),
  eventId: optionalField(z.int().positive().max(2_147_483_647)),
  /** Not needed. Sent all the same, it must be the price: 422. */
  amount: optionalField(z.number()),
  /** Only for a live stream. Without it the stream has the event's hours until it is configured. */
  livestreamConfig: optionalField(LivestreamConfig),
});
export type CreatePromotionPaymentBody = z.infer<typeof CreatePromotionPaymentBody>;
/** `amount` in cents. */
export const PromotionPayment = z.object({ clientSecret: z.string(), amount: z.int() });
export type PromotionPayment = z.infer<typeof PromotionPayment>;

/** POST /api/confirm-promotion-payment, by who paid. */
export const ConfirmPromotionPaymentBody = z.strictObject({
  paymentIntentId: z.string().regex(/^pi_[A-Za-z0-9_]{6,200}$/),
  /** LivestreamConfig, for a live stream whose payment was created without one. Otherwise it is not read; the answer has what counts. */
  livestreamConfig: optionalField(z.unknown()),
});
/** `processing`: the provider has not decided yet. Then the promotion starts by itself when it has. */
export const ConfirmedPromotion = z.object({
  status: z.enum(['paid', 'processing', 'refunded']),
  eventId: z.int(),
  promotionLevel: PaidLevel,
  /** Only for a live stream: its configuration. */
  livestreamConfig: ConfiguredLivestream.exactOptional(),
});
export type ConfirmedPromotion = z.infer<typeof ConfirmedPromotion>;
