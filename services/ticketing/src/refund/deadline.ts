import { HOUR_MS, startOf } from '@beltway/contracts/times';
import type { Listing } from '../listing/listings.ts';
import type { OrderRow } from '../order/queries.ts';

/** What decides whether an order's buyer may cancel: what they were promised, and the event as it is. */
export type Promised = Pick<OrderRow, 'status' | 'frozen' | 'isVoid' | 'refundDeadlineHours'>;
export type Planned = Pick<Listing, 'status' | 'eventDate' | 'eventStartTime'>;

/** Until then the buyer may cancel: the promised hours before the event begins. Null: never, or no date to count from. */
export const refundDeadline = ({ refundDeadlineHours: hours }: Promised, event: Planned): Date | null =>
  hours === null || event.status === 'postponed' ? null : new Date(startOf(event).getTime() - hours * HOUR_MS);

/** Whether the buyer's time is not over: while the event is postponed it is not, unless they never had any. */
export function isInTime(order: Promised, event: Planned, now: Date): boolean {
  const deadline = refundDeadline(order, event);
  return order.refundDeadlineHours !== null && (deadline === null || now < deadline);
}

/** Whether the buyer may cancel now. */
export const isRefundable = (order: Promised, event: Planned, now: Date): boolean =>
  order.status === 'fulfilled' &&
  !order.frozen &&
  !order.isVoid &&
  event.status !== 'cancelled' &&
  isInTime(order, event, now);
