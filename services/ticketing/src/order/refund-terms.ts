import { refundTerms, type RefundTerms } from '@beltway/contracts/ticketing/refund-promise';
import type { Listing } from '../listing/listings.ts';
import type { OrderRow } from './queries.ts';

/** What decides whether an order's buyer may cancel: what they were promised, and the event as it is. */
export type Promised = Pick<OrderRow, 'status' | 'frozen' | 'isVoid' | 'refundDeadlineHours'>;
export type Planned = Pick<Listing, 'status' | 'eventDate' | 'eventStartTime'>;

/** Until when the buyer may cancel, if nothing but the time stood against it. */
export const promisedTerms = ({ refundDeadlineHours }: Promised, event: Planned, now: Date): RefundTerms =>
  refundTerms(refundDeadlineHours, event, now);

/** Whether and until when the buyer of an order, held or bought, may cancel it. */
export function orderTerms(order: Promised, event: Planned, now: Date): RefundTerms {
  const { status, frozen, isVoid } = order;
  const mayStand = (status === 'held' || status === 'fulfilled') && !frozen && !isVoid && event.status !== 'canceled';
  if (!mayStand) return { refundable: false, refundableUntil: null };
  const terms = promisedTerms(order, event, now);
  return { ...terms, refundable: terms.refundable && status === 'fulfilled' };
}
