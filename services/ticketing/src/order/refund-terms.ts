import { refundTerms, type RefundTerms } from '@beltway/contracts/ticketing/refund-promise';
import type { Listing } from '../listing/listings.ts';
import type { OrderRow } from './queries.ts';

/** What the buyer's right to cancel depends on: the terms promised at the hold, and the current event. */
export type Promised = Pick<OrderRow, 'status' | 'frozen' | 'isVoid' | 'refundDeadlineHours'>;
export type Planned = Pick<Listing, 'status' | 'eventDate' | 'eventStartTime'>;

/** Until when the buyer may cancel, if only the deadline is considered. */
export const promisedTerms = ({ refundDeadlineHours }: Promised, event: Planned, now: Date): RefundTerms =>
  refundTerms(refundDeadlineHours, event, now);

/** Whether and until when the buyer of a held or bought order may cancel it. */
export function orderTerms(order: Promised, event: Planned, now: Date): RefundTerms {
  const { status, frozen, isVoid } = order;
  const mayStand = (status === 'held' || status === 'fulfilled') && !frozen && !isVoid && event.status !== 'canceled';
  if (!mayStand) return { refundable: false, refundableUntil: null };
  const terms = promisedTerms(order, event, now);
  return { ...terms, refundable: terms.refundable && status === 'fulfilled' };
}
