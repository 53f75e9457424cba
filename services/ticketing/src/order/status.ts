import type { OrderStatus, TicketStatus } from '@beltway/contracts/ticketing/tickets';
import type { OrderRow } from './queries.ts';

/** Money went back, and nothing is or will be sold for it. */
const WITHOUT_TICKETS: ReadonlySet<OrderRow['status']> = new Set(['refunding', 'expired', 'released']);

/** The status in answers to the buyer. */
export function statusOf(order: Pick<OrderRow, 'status' | 'isVoid' | 'refundedAt' | 'reinstatedAt'>): OrderStatus {
  if (order.status === 'fulfilled' && order.isVoid) return 'disputed';
  return (WITHOUT_TICKETS.has(order.status) && moneyOf(order)) || order.status;
}

/** What disputes make of tickets that were not returned. */
export function disputeStatusOf({ frozen, isVoid }: Pick<OrderRow, 'frozen' | 'isVoid'>): TicketStatus {
  if (isVoid) return 'disputed';
  return frozen ? 'frozen' : 'valid';
}

/** Where the money of an order without tickets is, if it has moved since it was paid. */
export function moneyOf({
  refundedAt,
  reinstatedAt,
}: Pick<OrderRow, 'refundedAt' | 'reinstatedAt'>): 'refunded' | 'disputed' | undefined {
  if (refundedAt) return 'refunded';
  return reinstatedAt ? 'disputed' : undefined;
}
