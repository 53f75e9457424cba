import { streams, type ReadModel, type Store, type Streams } from '@beltway/event-store';
import { payoutAccount, type PayoutAccount } from './decider.ts';
import type { PayoutCommand, PayoutEvent } from './events.ts';
import { payoutTables, projectPayouts } from './projection.ts';

export type PayoutAccounts = Streams<PayoutAccount, PayoutCommand, PayoutEvent>;

const CATEGORY = 'payout';
const projections = [projectPayouts];

/** The payout accounts of this service's store. */
export const openPayoutAccounts = (store: Store): PayoutAccounts =>
  streams(store, { category: CATEGORY, decider: payoutAccount, projections });

/** The id within the category; the whole stream name is `payout-account-<userId>`. */
export const streamIdOf = (userId: number): string => `account-${userId}`;

/** What `npm run rebuild` truncates and replays. */
export const payoutReadModel: ReadModel = {
  category: CATEGORY,
  projections: projections as ReadModel['projections'],
  tables: payoutTables,
};
