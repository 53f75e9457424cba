import type { Projection } from '@beltway/event-store';
import { uploaders } from './columns.ts';
import type { UploaderEvent } from './events.ts';

const ASKED = uploaders.insert(
  ['userId', 'state', 'askedAt', 'decidedAt'],
  uploaders.onConflict(['userId'], ['state', 'askedAt', 'decidedAt']),
);
const DECIDED = uploaders.update('userId', ['state', 'decidedAt']);

export const projectUploaders: Projection<UploaderEvent> = (sql, group) => {
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
