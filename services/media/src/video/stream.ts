import { streams, type ReadModel, type Store, type Streams } from '@beltway/event-store';
import type { Pool } from 'pg';
import { openLikes, type Likes } from '../rows/likes.ts';
import { video, type VideoState } from './decider.ts';
import type { VideoCommand, VideoEvent } from './events.ts';
import { projectVideos, videoTables } from './projection.ts';

export type Videos = Streams<VideoState, VideoCommand, VideoEvent>;

const CATEGORY = 'video';
const projections = [projectVideos];

/** The videos of this service's store. */
export const openVideos = (store: Store): Videos => streams(store, { category: CATEGORY, decider: video, projections });

/** What `npm run rebuild` truncates and replays. */
export const videoReadModel: ReadModel = {
  category: CATEGORY,
  projections: projections as ReadModel['projections'],
  tables: videoTables,
};

/** Who likes which video. */
export const openVideoLikes = (pool: Pool): Likes =>
  openLikes(pool, { of: 'video', isShown: 'is_approved or user_id = $2', what: 'This video' });
