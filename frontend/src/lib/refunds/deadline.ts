import { spanText } from '@beltway/contracts/refund-promise';
import { DEFAULT_REFUND_DEADLINE_HOURS } from '@beltway/contracts/refunds';

/** What an organiser chooses from. */
export const REFUND_DEADLINES: readonly (readonly [value: string, label: string])[] = [
  ...[0, 2, 24, 48, 72, 168, 336].map(
    (hours) => [String(hours), hours === 0 ? 'Until the event begins' : `Until ${spanText(hours)} before`] as const,
  ),
  ['never', 'No refunds by the buyer'],
];

/** A deadline as the form holds it, for the API, and back. */
export const deadlineOf = (chosen: string): number | null => (chosen === 'never' ? null : Number(chosen));
export const chosenDeadline = (hours: number | null | undefined): string =>
  hours === null ? 'never' : String(hours ?? DEFAULT_REFUND_DEADLINE_HOURS);
