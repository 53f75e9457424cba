import { textsNow } from '../../lib/i18n/catalog.ts';
import { fieldErrorsOf, type Messages } from '../../lib/forms/form.ts';
import { explain, HttpError, isLasting } from '../../lib/http/http.ts';
import { AlreadyPaid, type Details } from './api.ts';
import { texts } from './texts.en.ts';

/** The sale's error codes that have their own texts here. */
const WORDS = {
  'sold-out': 'saidSoldOut',
  'all-held': 'saidAllHeld',
  'not-on-sale': 'notCurrently',
  'not-on-sale-yet': 'saidNotYet',
  'sales-ended': 'saidEnded',
  'event-over': 'saidOver',
  'payment-under-way': 'saidUnderWay',
} as const;

export const codeOf = (error: unknown): string => (error instanceof HttpError ? (error.problem?.code ?? '') : '');

/** The text for a rejected hold or payment. */
export function refusalText(error: unknown): string {
  const code = codeOf(error);
  return code in WORDS ? textsNow(texts)(WORDS[code as keyof typeof WORDS]) : explain(error);
}

/**
 * True when the sale rejected the request, or this buyer holds too many tickets. The text is then shown beside the
 * quantity, not as an error.
 */
export const isRefusal = (error: unknown): boolean =>
  (error instanceof HttpError && error.status === 409) || isLasting(error);

/** True when the order is already paid: in another tab, or by a payment whose answer was lost. */
export const isAlreadyPaid = (error: unknown): boolean =>
  error instanceof AlreadyPaid || codeOf(error) === 'already-paid';

/** The server's errors, mapped to the form's fields. */
export function errorsOfBuyer(error: unknown): Messages<Pick<Details, 'name' | 'email'>> {
  const { ticketHolderName: name, ticketHolderEmail: email } = fieldErrorsOf(error);
  return { ...(name && { name }), ...(email && { email }) };
}
