import { DEFAULT_REFUND_DEADLINE_HOURS } from '@beltway/contracts/ticketing/refunds';

/** What an organiser chooses from: hours before the event, or `never`. */
export const REFUND_DEADLINES: readonly string[] = ['0', '2', '24', '48', '72', '168', '336', 'never'];

/** A deadline as the form holds it, for the API, and back. */
export const deadlineOf = (chosen: string): number | null => (chosen === 'never' ? null : Number(chosen));
export const chosenDeadline = (hours: number | null | undefined): string =>
  hours === null ? 'never' : String(hours ?? DEFAULT_REFUND_DEADLINE_HOURS);
