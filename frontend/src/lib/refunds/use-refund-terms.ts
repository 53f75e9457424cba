import type { Event } from '@beltway/contracts/catalog/events';
import { refundTerms, type RefundTerms } from '@beltway/contracts/ticketing/refund-promise';
import { useClock } from '../time/clock.ts';

/** Until when a buyer who pays now may cancel. Open pages notice when that time is over. */
export function useRefundTerms(event: Event): RefundTerms {
  const until = refundTerms(event.refundDeadlineHours, event, new Date(0)).refundableUntil;
  return refundTerms(event.refundDeadlineHours, event, useClock([until]));
}
