import type { LivestreamConfiguredV1, LivestreamPaidV1 } from '@beltway/contracts/catalog/livestream';
import type { PromotionPaidV1, PromotionRefundedV1 } from '@beltway/contracts/catalog/promotion';
import { PROMOTIONS } from '@beltway/contracts/catalog/promotion';
import type { Pool } from 'pg';
import type { Listings } from '../event/stream.ts';

export interface PromotionDeps {
  pool: Pool;
  listings: Listings;
  clock: () => Date;
}

/**
 * Starts a paid promotion when the message about its payment arrives, or records why the promotion cannot start.
 * Idempotent per purchase.
 */
export function startPromotion({ listings, clock }: PromotionDeps, { correlationId, id, data }: PromotionPaidV1) {
  const { eventId, ...purchase } = data;
  const { hours } = PROMOTIONS[data.level];
  return listings.handle(
    eventId,
    { type: 'StartPromotion', purchase, hours, at: clock().toISOString() },
    { commandId: `promotion:${data.promotionId}`, correlationId, causationId: id },
  );
}

/** Does the same for a paid live stream and the promotion that it includes. */
export function startLivestream({ listings, clock }: PromotionDeps, { correlationId, id, data }: LivestreamPaidV1) {
  const { eventId, livestream, ...paid } = data;
  const purchase = { ...paid, level: 'livestream' as const };
  const { hours } = PROMOTIONS.livestream;
  return listings.handle(
    eventId,
    { type: 'StartPromotion', purchase, hours, at: clock().toISOString(), livestream },
    { commandId: `promotion:${data.promotionId}`, correlationId, causationId: id },
  );
}

/** Configures a stream as its buyer requested when confirming the payment. */
export function configureLivestream(
  { listings, clock }: PromotionDeps,
  { correlationId, id, data: { eventId, promotionId, livestream } }: LivestreamConfiguredV1,
) {
  return listings.handle(
    eventId,
    { type: 'ConfigureLivestream', promotionId, livestream, at: clock().toISOString() },
    { commandId: `livestream:${promotionId}`, correlationId, causationId: id },
  );
}

/** If a payment was refunded or lost, permanently ends the promotion and the live stream that it bought. */
export function withdrawPromotion(
  { listings, clock }: PromotionDeps,
  { correlationId, id, data }: PromotionRefundedV1,
) {
  const { eventId, cause: reason, ...purchase } = data;
  const { hours } = PROMOTIONS[data.level];
  return listings.handle(
    eventId,
    { type: 'WithdrawPromotion', purchase, hours, reason, at: clock().toISOString() },
    { commandId: id, correlationId, causationId: id },
  );
}
