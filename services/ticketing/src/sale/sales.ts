import { streams, type ReadModel, type Store, type Streams } from '@beltway/event-store';
import { HOLD_MINUTES, saleSnapshot, saleWithHoldsOf, type Sale } from './decider.ts';
import type { SaleCommand, SaleEvent } from './events.ts';
import { projectAvailability, projectOrders, projectTickets } from './projection.ts';

export type Sales = Streams<Sale, SaleCommand, SaleEvent>;

const projections = [projectAvailability, projectOrders, projectTickets];

/** The sales of this service's store. */
export const openSales = (store: Store, holdMinutes = HOLD_MINUTES): Sales =>
  streams(store, { category: 'sale', decider: saleWithHoldsOf(holdMinutes), projections, snapshot: saleSnapshot });

/** What `npm run rebuild` truncates and replays. */
export const saleReadModel: ReadModel = {
  category: 'sale',
  projections: projections as ReadModel['projections'],
  tables: ['availability', 'orders', 'tickets'],
};
