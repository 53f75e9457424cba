import { streams, type ReadModel, type Store, type Streams } from '@beltway/event-store';
import { session, type SessionState } from './decider.ts';
import type { SessionCommand, SessionEvent } from './events.ts';
import { projectRevokedSessions } from './projection.ts';

export type Sessions = Streams<SessionState, SessionCommand, SessionEvent>;

/** Sessions whose end was recorded as an event. */
export const openSessions = (store: Store): Sessions =>
  streams(store, { category: 'session', decider: session, projections: [projectRevokedSessions] });

/** What `npm run rebuild` truncates and replays. */
export const sessionReadModel: ReadModel = {
  category: 'session',
  projections: [projectRevokedSessions] as ReadModel['projections'],
  tables: ['revoked_sessions'],
};
