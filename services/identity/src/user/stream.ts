import { streams, type ReadModel, type Store, type Streams } from '@beltway/event-store';
import { user, type UserState } from './decider.ts';
import type { UserCommand, UserEvent } from './events.ts';
import { projectUsers } from './projection.ts';

export type Users = Streams<UserState, UserCommand, UserEvent>;

/** The accounts of this service's store. */
export const openUsers = (store: Store): Users =>
  streams(store, { category: 'user', decider: user, projections: [projectUsers] });

/** What `npm run rebuild` truncates and replays. */
export const userReadModel: ReadModel = {
  category: 'user',
  projections: [projectUsers] as ReadModel['projections'],
  tables: ['users', 'erased_users', 'referrals'],
};
