import { AdPaidV1, AdRefundedV1 } from '@beltway/contracts/payments/ads';
import { BroadcastEndedV1, BroadcastStartedV1 } from '@beltway/contracts/media/broadcast';
import { LivestreamConfiguredV1, LivestreamPaidV1 } from '@beltway/contracts/catalog/livestream';
import { CommentsCountedV1 } from '@beltway/contracts/realtime/comments';
import { PromotionPaidV1, PromotionRefundedV1 } from '@beltway/contracts/catalog/promotion';
import { SuspensionChangedV1 } from '@beltway/contracts/identity/accounts';
import { StockChangedV1 } from '@beltway/contracts/ticketing/tickets';
import type { Bus, Subscription } from '@beltway/kit/bus';
import { consume, on, onCommand, onNewest, onRepeatable } from '@beltway/kit/bus/consume';
import type { Logger } from '@beltway/kit/logger';
import { moderationHandlers, type ModeratedDeps } from '@beltway/kit/service/moderated';
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
import { keepSuspension } from './suspension/suspension.ts';

/** Subscribes to all messages that the catalog consumes. */
export async function startConsumers({
  bus,
  log,
  ads,
  moderated,
  ...promotionDeps
}: PromotionDeps & { bus: Bus; log: Logger; ads: Ads; moderated: ModeratedDeps }): Promise<Subscription> {
  const deps = { bus, log, pool: promotionDeps.pool };
  const stock = await consume({
    ...deps,
    group: 'catalog.stock',
    topics: ['ticketing.events'],
    gatherMs: 100,
    handlers: {
      // Writes no inbox row, because a busy sale publishes its stock very often. The version of the stock makes a
      // repeated message harmless.
      'ticketing.stock-changed': onNewest(
        StockChangedV1,
        ({ data }) => ({ of: data.eventId, version: data.version }),
        async ({ data }) => void (await keepStock(deps.pool, data)),
      ),
    },
  });
  const comments = await consume({
    ...deps,
    group: 'catalog.comments',
    topics: ['realtime.events'],
    handlers: {
      'realtime.comments-counted': onNewest(
        CommentsCountedV1,
        ({ data }) => ({ of: data.eventId, version: data.version }),
        async ({ data }) => void (await keepComments(deps.pool, data)),
      ),
    },
  });
  const promotions = await consume({
    ...deps,
    group: 'catalog.payments',
    topics: ['payments.events'],
    gatherMs: 100,
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
  const accounts = await consume({
    ...deps,
    group: 'catalog.accounts',
    topics: ['identity.events'],
    handlers: {
      'identity.suspension-changed': on(SuspensionChangedV1, ({ data }, tx) => keepSuspension(tx, data)),
    },
  });
  const moderation = await consume({
    ...deps,
    group: 'catalog.moderation',
    topics: ['identity.events'],
    handlers: moderationHandlers(moderated),
  });
  const all = [stock, comments, promotions, broadcasts, accounts, moderation];
  return { stop: async () => void (await Promise.all(all.map((one) => one.stop()))) };
}
