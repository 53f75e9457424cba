import type { Projection } from '@beltway/event-store';
import { writerTo } from '@beltway/kit/columns';
import { uploaders } from '../generated/tables.ts';
import type { UploaderEvent } from './events.ts';

const ASKED = uploaders.insert(
  ['userId', 'state', 'askedAt', 'decidedAt'],
  uploaders.onConflict(['userId'], ['state', 'askedAt', 'decidedAt']),
);
const DECIDED = uploaders.update('userId', ['state', 'decidedAt']);

export const projectUploaders: Projection<UploaderEvent> = (sql, group) => {
  const write = writerTo(sql);
  for (const { type, data, occurredAt } of group) {
    const { userId } = data;
    if (type === 'VerificationAsked') write(ASKED, { userId, state: 'asked', askedAt: occurredAt, decidedAt: null });
    else {
      const state = type === 'VerificationGranted' ? 'verified' : 'declined';
      write(DECIDED, { userId, state, decidedAt: occurredAt });
    }
  }
};
