import { streams, type ReadModel, type Store, type Streams } from '@beltway/event-store';
import { listing, type Listing } from './decider.ts';
import type { ListingCommand, ListingEvent } from './events.ts';
import { projectListings } from './projection.ts';

export type Listings = Streams<Listing, ListingCommand, ListingEvent>;

export const openListings = (store: Store): Listings =>
  streams(store, { category: 'event', decider: listing, projections: [projectListings] });

/**
 * The tables that `npm run rebuild` truncates and replays. The table `stock` is kept, because its rows come from
 * ticketing.
 */
export const listingReadModel: ReadModel = {
  category: 'event',
  projections: [projectListings] as ReadModel['projections'],
  tables: ['listings', 'promotions', 'event_search', 'canceled_search', 'search_words'],
};
