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

/** Starts what was paid, from now on however late we hear of it; or records that it cannot be. Once for each purchase. */
export function startPromotion({ listings, clock }: PromotionDeps, { correlationId, id, data }: PromotionPaidV1) {
  const { eventId, ...purchase } = data;
  const { hours } = PROMOTIONS[data.level];
  return listings.handle(
    eventId,
    { type: 'StartPromotion', purchase, hours, at: clock().toISOString() },
    { commandId: `promotion:${data.promotionId}`, correlationId, causationId: id },
  );
}

/** The same of a live stream, with the promotion that comes with it. */
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

/** As its buyer configured a stream after it was paid. */
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

/** Ends what was paid by a payment that no longer counts, now and for good. */
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
