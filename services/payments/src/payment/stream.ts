import { streamsWithSharedCommits, type ReadModel, type Store, type Streams } from '@beltway/event-store';
import { payment, type Payment } from './decider.ts';
import type { PaymentCommand, PaymentEvent } from './events.ts';
import { paymentProjections, paymentTables } from './projection.ts';

export type Payments = Streams<Payment, PaymentCommand, PaymentEvent>;

/** The payments of this service's store. */
export const openPayments = (store: Store): Payments =>
  streamsWithSharedCommits(store, { category: 'payment', decider: payment, projections: paymentProjections });

/** What `npm run rebuild` truncates and replays. */
export const paymentReadModel: ReadModel = {
  category: 'payment',
  projections: paymentProjections as ReadModel['projections'],
  tables: paymentTables,
};
