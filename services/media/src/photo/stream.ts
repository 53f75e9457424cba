import { streams, type ReadModel, type Store, type Streams } from '@beltway/event-store';
import type { Pool } from 'pg';
import { openLikes, type Likes } from '../rows/likes.ts';
import { photo, type PhotoState } from './decider.ts';
import type { PhotoCommand, PhotoEvent } from './events.ts';
import { photoTables, projectPhotos } from './projection.ts';

export type Photos = Streams<PhotoState, PhotoCommand, PhotoEvent>;

const CATEGORY = 'photo';
const projections = [projectPhotos];

/** The photos of this service's store. */
export const openPhotos = (store: Store): Photos => streams(store, { category: CATEGORY, decider: photo, projections });

/** What `npm run rebuild` truncates and replays. */
export const photoReadModel: ReadModel = {
  category: CATEGORY,
  projections: projections as ReadModel['projections'],
  tables: photoTables,
};

/** Who likes which photo. */
export const openPhotoLikes = (pool: Pool): Likes =>
  openLikes(pool, { of: 'photo', isShown: `status = 'verified' or user_id = $2`, what: 'This photo' });
