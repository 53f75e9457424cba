import type { Event } from '@beltway/contracts/catalog/events';
import { refundTerms, type RefundTerms } from '@beltway/contracts/ticketing/refund-promise';
import { DEFAULT_REFUND_DEADLINE_HOURS } from '@beltway/contracts/ticketing/refunds';
import { useClock } from '../time/clock.ts';

/** The organizer's choices: hours before the event, or `never`. */
export const REFUND_DEADLINES: readonly string[] = ['0', '2', '24', '48', '72', '168', '336', 'never'];

/** Converts between the form's deadline and the API's. */
export const deadlineOf = (chosen: string): number | null => (chosen === 'never' ? null : Number(chosen));
export const chosenDeadline = (hours: number | null | undefined): string =>
  hours === null ? 'never' : String(hours ?? DEFAULT_REFUND_DEADLINE_HOURS);

/** The time until which a buyer who pays now may cancel. Open pages update when the deadline passes. */
export function useRefundTerms(event: Event): RefundTerms {
  const until = refundTerms(event.refundDeadlineHours, event, new Date(0)).refundableUntil;
  return refundTerms(event.refundDeadlineHours, event, useClock([until]));
}
