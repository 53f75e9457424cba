import { DEFAULT_REFUND_DEADLINE_HOURS } from '@beltway/contracts/refunds';

/** 24 → "24 hours", 48 → "2 days" */
const span = (hours: number): string => {
  if (hours >= 48 && hours % 24 === 0) return `${hours / 24} days`;
  return hours === 1 ? '1 hour' : `${hours} hours`;
};

/** What a buyer is promised, by the hours before the event until which they may cancel; null: they may not. */
export function refundPromise(hours: number | null = DEFAULT_REFUND_DEADLINE_HOURS): string {
  if (hours === null) return 'Tickets cannot be cancelled by their buyer.';
  const until = hours === 0 ? 'until it begins' : `until ${span(hours)} before it begins`;
  return `You can cancel tickets ${until} and get the whole price back.`;
}

/** What an organiser chooses from. */
export const REFUND_DEADLINES: readonly (readonly [value: string, label: string])[] = [
  ...[0, 2, 24, 48, 72, 168, 336].map(
    (hours) => [String(hours), hours === 0 ? 'Until the event begins' : `Until ${span(hours)} before`] as const,
  ),
  ['never', 'No refunds by the buyer'],
];

/** A deadline as the form holds it, for the API, and back. */
export const deadlineOf = (chosen: string): number | null => (chosen === 'never' ? null : Number(chosen));
export const chosenDeadline = (hours: number | null | undefined): string =>
  hours === null ? 'never' : String(hours ?? DEFAULT_REFUND_DEADLINE_HOURS);
