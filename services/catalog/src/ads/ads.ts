import { adPackage, type AdPaidV1, type AdRefundedV1 } from '@beltway/contracts/payments/ads';
import type { Pool } from 'pg';
import { adById } from './queries.ts';
import type { Ads } from './stream.ts';

/** Creates the ad that a payment bought, with the current terms of its package. Idempotent. */
export function bookAd(ads: Ads, { correlationId, id, data }: AdPaidV1) {
  const { adId, paymentId, packageId, amountCents, businessName, eventTitle, keyHash } = data;
  const bought = adPackage(packageId);
  if (!bought) throw new Error(`no package ${packageId}`);
  const { slot, days, maxImpressions, guaranteedImpressions } = bought;
  const terms = { paymentId, packageId, amountCents, businessName, eventTitle, keyHash };
  return ads.handle(
    adId,
    { type: 'BookAd', terms: { ...terms, slot, days, maxImpressions, guaranteedImpressions } },
    { commandId: `ad:${adId}`, correlationId, causationId: id },
  );
}

/** Ends an ad whose payment was refunded or lost. An ad that has already ended stays unchanged. */
export async function endUnpaidAd({ ads, pool }: { ads: Ads; pool: Pool }, { id, correlationId, data }: AdRefundedV1) {
  const { adId, cause: reason } = data;
  const impressions = (await adById(pool, adId))?.impressions ?? 0;
  return ads.handle(
    adId,
    { type: 'EndUnpaidAd', reason, impressions },
    { commandId: id, correlationId, causationId: id },
  );
}
