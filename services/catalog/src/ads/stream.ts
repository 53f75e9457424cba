import { streams, type ReadModel, type Store, type Streams } from '@beltway/event-store';
import { ad, type Ad } from './decider.ts';
import type { AdCommand, AdEvent } from './events.ts';
import { projectAds } from './projection.ts';

export type Ads = Streams<Ad, AdCommand, AdEvent>;

export const openAds = (store: Store): Ads =>
  streams(store, { category: 'ad', decider: ad, projections: [projectAds] });

/**
 * The tables that `npm run rebuild` truncates and replays. The tables with counts are kept, because the log does not
 * contain the counts.
 */
export const adReadModel: ReadModel = {
  category: 'ad',
  projections: [projectAds] as ReadModel['projections'],
  tables: ['ads'],
};
