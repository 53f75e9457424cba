import { streams, type ReadModel, type Store, type Streams } from '@beltway/event-store';
import { engagement, type EngagementState } from './decider.ts';
import type { EngagementCommand, EngagementEvent } from './events.ts';
import { ENGAGEMENT_TABLES, projectEngagement } from './projection.ts';

export type Engagements = Streams<EngagementState, EngagementCommand, EngagementEvent>;

/** Points, badges and connections of accounts. */
export const openEngagements = (store: Store): Engagements =>
  streams(store, { category: 'engagement', decider: engagement, projections: [projectEngagement] });

/** What `npm run rebuild` truncates and replays. */
export const engagementReadModel: ReadModel = {
  category: 'engagement',
  projections: [projectEngagement] as ReadModel['projections'],
  tables: ENGAGEMENT_TABLES,
};
