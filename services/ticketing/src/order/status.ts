import type { OrderStatus } from '@beltway/contracts/ticketing/tickets';
import type { TicketStatus } from '@beltway/contracts/ticketing/ticket-status';
import { sql } from 'kysely';
import type { Listing } from '../listing/listings.ts';

/** The status of an order as its sale's log says it. Where its money is follows from the checkout's row. */
export const ORDER_STATES = ['held', 'fulfilled', 'refunding', 'released', 'expired'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** Its money came: it has tickets, or the money goes back. */
export const isPaid = (state: OrderState): boolean => state === 'fulfilled' || state === 'refunding';

/** It is over without tickets, and its money, if any came, goes back. */
const isOver = (state: OrderState): boolean => state !== 'held' && state !== 'fulfilled';

/** As SQL lists them, `('fulfilled', 'refunding')`: partial indexes have the same text, and no parameter matches it. */
export const PAID_STATES = `(${ORDER_STATES.filter(isPaid)
  .map((state) => `'${state}'`)
  .join(', ')})`;
/** The same for the query builder: `.where('o.status', 'in', IN_PAID_STATES)`. */
export const IN_PAID_STATES = sql.raw<OrderState>(PAID_STATES);

/** What the status of an order and of its tickets follows from: its row and its checkout's. */
interface OrderFacts {
  status: OrderState;
  frozen: boolean;
  isVoid: boolean;
  refundedAt: Date | null;
  reinstatedAt: Date | null;
}

/** The status in answers to the buyer. */
export function statusOf(order: Pick<OrderFacts, 'status' | 'isVoid' | 'refundedAt' | 'reinstatedAt'>): OrderStatus {
  if (order.status === 'fulfilled' && order.isVoid) return 'disputed';
  return (isOver(order.status) && moneyOf(order)) || order.status;
}

/** The state of the refund of an order that was paid; null: nothing of it as a whole was refunded or disputed. */
export function refundStateOf(
  order: Pick<OrderFacts, 'status' | 'isVoid' | 'refundedAt' | 'reinstatedAt'>,
): 'refunding' | 'refunded' | 'disputed' | null {
  if (order.status === 'refunding') return moneyOf(order) ?? 'refunding';
  return order.isVoid ? 'disputed' : null;
}

/** What decides what a ticket is good for. */
export type TicketFacts = Pick<OrderFacts, 'frozen' | 'isVoid' | 'refundedAt' | 'reinstatedAt'> & {
  isReturned: boolean;
  /** When the money of this ticket alone went back. */
  partRefundedAt?: Date | null;
};

export function ticketStatusOf(
  { isReturned, partRefundedAt, frozen, isVoid, ...money }: TicketFacts,
  event: Pick<Listing, 'status'>,
): TicketStatus {
  if (isReturned) return partRefundedAt ? 'refunded' : (moneyOf(money) ?? 'refunding');
  // Orders of a canceled event are returned one after the other; none of their tickets is good meanwhile.
  if (event.status === 'canceled') return 'canceled';
  if (isVoid) return 'disputed';
  return frozen ? 'frozen' : 'valid';
}

/** Where the money of an order without tickets is, if it has moved since it was paid. */
function moneyOf({
  refundedAt,
  reinstatedAt,
}: Pick<OrderFacts, 'refundedAt' | 'reinstatedAt'>): 'refunded' | 'disputed' | undefined {
  if (refundedAt) return 'refunded';
  return reinstatedAt ? 'disputed' : undefined;
}
