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
