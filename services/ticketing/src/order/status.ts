import type { OrderStatus } from '@beltway/contracts/ticketing/tickets';
import type { TicketStatus } from '@beltway/contracts/ticketing/ticket-status';
import { sql } from 'kysely';
import type { Listing } from '../listing/listings.ts';

/** The statuses of an order in the log of its sale. The row of its checkout has the state of the money. */
export const ORDER_STATES = ['held', 'fulfilled', 'refunding', 'released', 'expired'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** Whether the order is paid: it has tickets, or its money is refunded. */
export const isPaid = (state: OrderState): boolean => state === 'fulfilled' || state === 'refunding';

/** Whether the order has ended without tickets; money that arrives is refunded. */
const isOver = (state: OrderState): boolean => state !== 'held' && state !== 'fulfilled';

/**
 * The paid states as a SQL list, `('fulfilled', 'refunding')`. It is SQL text, because partial indexes contain the same
 * text. With a parameter, PostgreSQL would not use these indexes.
 */
export const PAID_STATES = `(${ORDER_STATES.filter(isPaid)
  .map((state) => `'${state}'`)
  .join(', ')})`;
/** The same list for the query builder: `.where('o.status', 'in', IN_PAID_STATES)`. */
export const IN_PAID_STATES = sql.raw<OrderState>(PAID_STATES);

/**
 * The facts that determine the status of an order and its tickets. They come from the order's row and the row of its
 * checkout.
 */
interface OrderFacts {
  status: OrderState;
  frozen: boolean;
  isVoid: boolean;
  refundedAt: Date | null;
  reinstatedAt: Date | null;
}

/** The status that the buyer sees. */
export function statusOf(order: Pick<OrderFacts, 'status' | 'isVoid' | 'refundedAt' | 'reinstatedAt'>): OrderStatus {
  if (order.status === 'fulfilled' && order.isVoid) return 'disputed';
  return (isOver(order.status) && moneyOf(order)) || order.status;
}

/** The refund state of a paid order; null if it was neither refunded as a whole nor disputed. */
export function refundStateOf(
  order: Pick<OrderFacts, 'status' | 'isVoid' | 'refundedAt' | 'reinstatedAt'>,
): 'refunding' | 'refunded' | 'disputed' | null {
  if (order.status === 'refunding') return moneyOf(order) ?? 'refunding';
  return order.isVoid ? 'disputed' : null;
}

/** The facts that determine a ticket's status. */
export type TicketFacts = Pick<OrderFacts, 'frozen' | 'isVoid' | 'refundedAt' | 'reinstatedAt'> & {
  isReturned: boolean;
  /** When this ticket was refunded separately. */
  partRefundedAt?: Date | null;
};

export function ticketStatusOf(
  { isReturned, partRefundedAt, frozen, isVoid, ...money }: TicketFacts,
  event: Pick<Listing, 'status'>,
): TicketStatus {
  if (isReturned) return partRefundedAt ? 'refunded' : (moneyOf(money) ?? 'refunding');
  // Orders of a canceled event are returned one after the other, but all their tickets are invalid from the
  // cancellation on.
  if (event.status === 'canceled') return 'canceled';
  if (isVoid) return 'disputed';
  return frozen ? 'frozen' : 'valid';
}

/** For an order without tickets: where its money is, if the money moved after the payment. */
function moneyOf({
  refundedAt,
  reinstatedAt,
}: Pick<OrderFacts, 'refundedAt' | 'reinstatedAt'>): 'refunded' | 'disputed' | undefined {
  if (refundedAt) return 'refunded';
  return reinstatedAt ? 'disputed' : undefined;
}
