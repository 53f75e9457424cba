import { streams, type ReadModel, type Store, type Streams } from '@beltway/event-store';
import { saleWith, type Sale, type SaleRules } from './decider.ts';
import type { SaleCommand } from './command.ts';
import type { SaleEvent } from './events.ts';
import { saleSnapshot } from './snapshot.ts';
import { projectAvailability, projectOrders, projectRefunds, projectTickets } from './projection.ts';

export type Sales = Streams<Sale, SaleCommand, SaleEvent>;

const projections = [projectAvailability, projectOrders, projectTickets, projectRefunds];

/** The sales of this service's store. */
export const openSales = (store: Store, rules: Partial<SaleRules> = {}): Sales =>
  streams(store, { category: 'sale', decider: saleWith(rules), projections, snapshot: saleSnapshot });

/** The read model that `npm run rebuild` truncates and replays. */
export const saleReadModel: ReadModel = {
  category: 'sale',
  projections: projections as ReadModel['projections'],
  tables: ['availability', 'orders', 'tickets', 'order_refunds'],
};
