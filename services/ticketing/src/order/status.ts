import type { OrderStatus } from '@beltway/contracts/ticketing';
import type { OrderRow } from './queries.ts';

/** What the buyer is told of an order. */
export const statusOf = (order: Pick<OrderRow, 'status' | 'refundedAt'>): OrderStatus =>
  order.status === 'refunding' && order.refundedAt ? 'refunded' : order.status;
