import { adPackage, type AdPaidV1 } from '@beltway/contracts/ads';
import { streams, type ReadModel, type Store, type Streams } from '@beltway/event-store';
import { ad, type Ad } from './decider.ts';
import type { AdCommand, AdEvent } from './events.ts';
import { projectAds } from './projection.ts';

export type Ads = Streams<Ad, AdCommand, AdEvent>;

export const openAds = (store: Store): Ads =>
  streams(store, { category: 'ad', decider: ad, projections: [projectAds] });

/** What `npm run rebuild` truncates and replays. What was counted stays. */
export const adReadModel: ReadModel = {
  category: 'ad',
  projections: [projectAds] as ReadModel['projections'],
  tables: ['ads'],
};

/** Makes the ad that was paid: one for each payment, with the terms of the catalogue as it is now. */
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
