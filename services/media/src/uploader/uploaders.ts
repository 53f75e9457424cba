import { streams, type Projection, type ReadModel, type Store, type Streams } from '@beltway/event-store';
import { uploaders } from './columns.ts';
import { uploader, type UploaderStanding } from './decider.ts';
import type { UploaderCommand, UploaderEvent } from './events.ts';

export type Uploaders = Streams<UploaderStanding, UploaderCommand, UploaderEvent>;

const ASKED = uploaders.insert(
  ['userId', 'state', 'askedAt', 'decidedAt'],
  uploaders.onConflict(['userId'], ['state', 'askedAt', 'decidedAt']),
);
const DECIDED = uploaders.update('userId', ['state', 'decidedAt']);

const projectUploaders: Projection<UploaderEvent> = (sql, group) => {
  for (const { type, data, occurredAt } of group) {
    const { userId } = data;
    if (type === 'VerificationAsked')
      sql.query(ASKED.text, ASKED.values({ userId, state: 'asked', askedAt: occurredAt, decidedAt: null }));
    else {
      const state = type === 'VerificationGranted' ? 'verified' : 'declined';
      sql.query(DECIDED.text, DECIDED.values({ userId, state, decidedAt: occurredAt }));
    }
  }
};

const CATEGORY = 'uploader';
const projections = [projectUploaders];

/** How admins looked at the businesses of this service's store. */
export const openUploaders = (store: Store): Uploaders =>
  streams(store, { category: CATEGORY, decider: uploader, projections });

/** What `npm run rebuild` truncates and replays. */
export const uploaderReadModel: ReadModel = {
  category: CATEGORY,
  projections: projections as ReadModel['projections'],
  tables: ['uploaders'],
};
