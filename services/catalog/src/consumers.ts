import { AdPaidV1, AdRefundedV1 } from '@beltway/contracts/payments/ads';
import { BroadcastEndedV1, BroadcastStartedV1 } from '@beltway/contracts/media/broadcast';
import { LivestreamConfiguredV1, LivestreamPaidV1 } from '@beltway/contracts/catalog/livestream';
import { CommentsCountedV1 } from '@beltway/contracts/realtime/comments';
import { PromotionPaidV1, PromotionRefundedV1 } from '@beltway/contracts/catalog/promotion';
import { StockChangedV1 } from '@beltway/contracts/ticketing/tickets';
import type { Bus, Subscription } from '@beltway/kit/bus';
import { consume, onCommand, onRepeatable } from '@beltway/kit/bus/consume';
import type { Logger } from '@beltway/kit/logger';
import { bookAd, endUnpaidAd } from './ads/ads.ts';
import type { Ads } from './ads/stream.ts';
import { keepComments } from './engagement/counts.ts';
import { keepBroadcast } from './promotion/broadcasts.ts';
import {
  configureLivestream,
  startLivestream,
  startPromotion,
  withdrawPromotion,
  type PromotionDeps,
} from './promotion/promotions.ts';
import { keepStock } from './event/stock.ts';

/** When we hear X, we do Y. */
export async function startConsumers({
  bus,
  log,
  ads,
  ...promotionDeps
}: PromotionDeps & { bus: Bus; log: Logger; ads: Ads }): Promise<Subscription> {
  const deps = { bus, log, pool: promotionDeps.pool };
  const stock = await consume({
    ...deps,
    group: 'catalog.stock',
    topics: ['ticketing.events'],
    handlers: {
      // No inbox row: the version alone makes a repeat harmless, and a hot sale tells of its stock very often.
      'ticketing.stock-changed': onRepeatable(
        StockChangedV1,
        async ({ data }) => void (await keepStock(deps.pool, data)),
      ),
    },
  });
  const comments = await consume({
    ...deps,
    group: 'catalog.comments',
    topics: ['realtime.events'],
    handlers: {
      'realtime.comments-counted': onRepeatable(
        CommentsCountedV1,
        async ({ data }) => void (await keepComments(deps.pool, data)),
      ),
    },
  });
  const promotions = await consume({
    ...deps,
    group: 'catalog.payments',
    topics: ['payments.events'],
    handlers: {
      'payments.ad-paid': onCommand(AdPaidV1, (message) => bookAd(ads, message)),
      'payments.ad-refunded': onCommand(AdRefundedV1, (message) =>
        endUnpaidAd({ ads, pool: promotionDeps.pool }, message),
      ),
      'payments.promotion-paid': onCommand(PromotionPaidV1, (message) => startPromotion(promotionDeps, message)),
      'payments.promotion-refunded': onCommand(PromotionRefundedV1, (message) =>
        withdrawPromotion(promotionDeps, message),
      ),
      'payments.livestream-paid': onCommand(LivestreamPaidV1, (message) => startLivestream(promotionDeps, message)),
      'payments.livestream-configured': onCommand(LivestreamConfiguredV1, (message) =>
        configureLivestream(promotionDeps, message),
      ),
    },
  });
  const broadcasts = await consume({
    ...deps,
    group: 'catalog.broadcasts',
    topics: ['media.events'],
    handlers: {
      'media.broadcast-started': onRepeatable(BroadcastStartedV1, (message) => keepBroadcast(deps, message)),
      'media.broadcast-ended': onRepeatable(BroadcastEndedV1, (message) => keepBroadcast(deps, message)),
    },
  });
  return {
    stop: async () => void (await Promise.all([stock.stop(), comments.stop(), promotions.stop(), broadcasts.stop()])),
  };
}
