import { streams, type ReadModel, type Store, type Streams } from '@beltway/event-store';
import { uploader, type UploaderStanding } from './decider.ts';
import type { UploaderCommand, UploaderEvent } from './events.ts';
import { projectUploaders } from './projection.ts';

export type Uploaders = Streams<UploaderStanding, UploaderCommand, UploaderEvent>;

const CATEGORY = 'uploader';
const projections = [projectUploaders];

/** Verifications of businesses in this service's store. */
export const openUploaders = (store: Store): Uploaders =>
  streams(store, { category: CATEGORY, decider: uploader, projections });

/** What `npm run rebuild` truncates and replays. */
export const uploaderReadModel: ReadModel = {
  category: CATEGORY,
  projections: projections as ReadModel['projections'],
  tables: ['uploaders'],
};
