import { z } from 'zod';
import { envelope, optionalField } from '../common/basics.ts';
import { ConfiguredLivestream } from './livestream.ts';
import { LivestreamConfig } from './livestream-config.ts';
import { PaymentLoss } from '../payments/payment-loss.ts';

/** Promotions for sale. */
export const PaidLevel = z.enum(['featured', 'premium', 'livestream']);
export type PaidLevel = z.infer<typeof PaidLevel>;

/** The only price list of promotions: price in cents and duration (services/catalog/PRODUCT.md#promotion). */
export const PROMOTIONS: Readonly<Record<PaidLevel, { cents: number; hours: number }>> = {
  featured: { cents: 2_999, hours: 24 },
  premium: { cents: 4_999, hours: 48 },
  livestream: { cents: 9_999, hours: 48 },
};

const paid = {
  /** The payment's id at Beltway, which identifies this purchase. */
  promotionId: z.uuid(),
  /** The provider's id. */
  paymentId: z.string(),
  eventId: z.int(),
  level: PaidLevel,
  amountCents: z.int(),
};

/** payments: a promotion was paid. The catalog starts the promotion or refuses it. */
export const PromotionPaidV1 = z.object({
  ...envelope,
  type: z.literal('payments.promotion-paid'),
  version: z.literal(1),
  data: z.object(paid),
});
export type PromotionPaidV1 = z.infer<typeof PromotionPaidV1>;

/**
 * catalog: the paid promotion is active until `until`. If the event already has a promotion of this level, the new
 * promotion begins when the current promotion ends.
 */
export const PromotionStartedV1 = z.object({
  ...envelope,
  type: z.literal('catalog.promotion-started'),
  version: z.literal(1),
  data: z.object({ ...paid, until: z.iso.datetime() }),
});
export type PromotionStartedV1 = z.infer<typeof PromotionStartedV1>;

/**
 * payments: the payment of a promotion or live stream no longer counts. The catalog permanently ends the purchased
 * promotion or stream.
 */
export const PromotionRefundedV1 = z.object({
  ...envelope,
  type: z.literal('payments.promotion-refunded'),
  version: z.literal(1),
  data: z.object({ ...paid, cause: PaymentLoss }),
});
export type PromotionRefundedV1 = z.infer<typeof PromotionRefundedV1>;

export const PromotionRefusal = z.enum([
  ...(['no-such-event', 'event-canceled', 'event-postponed', 'event-over'] as const),
  ...(['livestream-over', 'livestream-exists', 'payment-lost', 'event-suspended'] as const),
]);
export type PromotionRefusal = z.infer<typeof PromotionRefusal>;

/**
 * catalog: refuses a paid promotion, and payments refunds the money. Reasons: the event was canceled, postponed,
 * suspended or is over; the live stream's time is over or the event has another live stream; the payment was already
 * refunded or disputed.
 */
export const PromotionRefusedV1 = z.object({
  ...envelope,
  type: z.literal('catalog.promotion-refused'),
  version: z.literal(1),
  data: z.object({ ...paid, reason: PromotionRefusal }),
});
export type PromotionRefusedV1 = z.infer<typeof PromotionRefusedV1>;

/**
 * catalog: the paid promotion ended early. For a canceled event, payments refunds the full price although part of the
 * time was used. For the other reasons the money was already returned.
 */
export const PromotionReturnedV1 = z.object({
  ...envelope,
  type: z.literal('catalog.promotion-returned'),
  version: z.literal(1),
  data: z.object({ ...paid, reason: z.enum(['event-canceled', ...PaymentLoss.options]) }),
});
export type PromotionReturnedV1 = z.infer<typeof PromotionReturnedV1>;

/** catalog: the time of a promotion level is over. */
export const PromotionEndedV1 = z.object({
  ...envelope,
  type: z.literal('catalog.promotion-ended'),
  version: z.literal(1),
  data: z.object({ eventId: z.int(), level: PaidLevel }),
});
export type PromotionEndedV1 = z.infer<typeof PromotionEndedV1>;

/**
 * POST /api/create-promotion-payment, for the caller's own event; only the price list above sets the price. The caller
 * configures a live stream with this request, with the payment's confirmation, or later. A payment belongs to one
 * configuration: a request with another configuration replaces an open payment.
 */
export const CreatePromotionPaymentBody = z.strictObject({
  /** A level of the price list; any other text results in 422. */
  promotionLevel: z.string().max(40),
  eventId: optionalField(z.int().positive().max(2_147_483_647)),
  /** Optional. If the amount is present but does not equal the price, the response is 422. */
  amount: optionalField(z.number()),
  /** Only for a live stream. If absent, the stream has the event's hours until the organizer configures it. */
  livestreamConfig: optionalField(LivestreamConfig),
});
export type CreatePromotionPaymentBody = z.infer<typeof CreatePromotionPaymentBody>;
/** `amount` in cents. */
export const PromotionPayment = z.object({ clientSecret: z.string(), amount: z.int() });
export type PromotionPayment = z.infer<typeof PromotionPayment>;

/** POST /api/confirm-promotion-payment, called by the payer. */
export const ConfirmPromotionPaymentBody = z.strictObject({
  paymentIntentId: z.string().regex(/^pi_[A-Za-z0-9_]{6,200}$/),
  /**
   * LivestreamConfig, for a live stream whose payment was created without one; ignored otherwise. The response contains
   * the effective configuration.
   */
  livestreamConfig: optionalField(z.unknown()),
});
/** `processing`: the provider has not decided yet. Once the payment succeeds, the promotion starts automatically. */
export const ConfirmedPromotion = z.object({
  status: z.enum(['paid', 'processing', 'refunded']),
  eventId: z.int(),
  promotionLevel: PaidLevel,
  /** Only for a live stream: its configuration. */
  livestreamConfig: ConfiguredLivestream.exactOptional(),
});
export type ConfirmedPromotion = z.infer<typeof ConfirmedPromotion>;
