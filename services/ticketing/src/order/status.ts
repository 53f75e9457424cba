import type { OrderStatus } from '@beltway/contracts/ticketing';
import type { OrderRow } from './queries.ts';

/** Money went back, and nothing is or will be sold for it. */
const WITHOUT_TICKETS: ReadonlySet<OrderRow['status']> = new Set(['refunding', 'expired', 'released']);

/** What the buyer is told of an order. */
export const statusOf = (order: Pick<OrderRow, 'status' | 'refundedAt'>): OrderStatus =>
  order.refundedAt && WITHOUT_TICKETS.has(order.status) ? 'refunded' : order.status;
