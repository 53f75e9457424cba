import { fieldErrorsOf, type Messages } from '../../lib/form.ts';
import { explain, HttpError } from '../../lib/http.ts';
import { AlreadyPaid, type Details } from './api.ts';

const words: Record<string, string> = {
  'sold-out': 'Sold out: the last ticket went to somebody else just now.',
  'all-held':
    'The last tickets are in other baskets right now. Some may come back within minutes, so it is worth another try.',
  'not-on-sale': 'Ticket sales are not currently available for this event.',
  'not-on-sale-yet': 'Ticket sales have not started yet.',
  'sales-ended': 'Ticket sales for this event have ended.',
  'event-over': 'This event is over, and no more tickets are sold.',
  'payment-under-way':
    'A payment for these tickets is under way, perhaps in another tab. Please wait a moment before you change them.',
};

export const codeOf = (error: unknown): string => (error instanceof HttpError ? (error.problem?.code ?? '') : '');

/** The text for a refused hold or payment. */
export const refusalText = (error: unknown): string => words[codeOf(error)] ?? explain(error);

/** True when the sale refused, which is no fault: its text is shown beside the quantity. */
export const isRefusal = (error: unknown): boolean => error instanceof HttpError && error.status === 409;

/** True when the order is paid already, in another tab or by a payment whose answer was lost. */
export const isAlreadyPaid = (error: unknown): boolean =>
  error instanceof AlreadyPaid || codeOf(error) === 'already-paid';

/** What the server found wrong with what was typed, by the form's own fields. */
export function errorsOfBuyer(error: unknown): Messages<Pick<Details, 'name' | 'email'>> {
  const { ticketHolderName: name, ticketHolderEmail: email } = fieldErrorsOf(error);
  return { ...(name && { name }), ...(email && { email }) };
}
