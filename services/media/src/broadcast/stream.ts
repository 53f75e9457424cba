import { streams, type ReadModel, type Store, type Streams } from '@beltway/event-store';
import { broadcast, type BroadcastState } from './decider.ts';
import type { BroadcastCommand, BroadcastEvent } from './events.ts';
import { projectBroadcasts } from './projection.ts';

export type Broadcasts = Streams<BroadcastState, BroadcastCommand, BroadcastEvent>;

const CATEGORY = 'broadcast';
const projections = [projectBroadcasts];

/** The broadcasts of this service's store. */
export const openBroadcasts = (store: Store): Broadcasts =>
  streams(store, { category: CATEGORY, decider: broadcast, projections });

/** What `npm run rebuild` truncates and replays. */
export const broadcastReadModel: ReadModel = {
  category: CATEGORY,
  projections: projections as ReadModel['projections'],
  tables: ['broadcasts', 'broadcast_recordings'],
};
