import { explain, HttpError } from '../../lib/http.ts';

const words: Record<string, string> = {
  'sold-out': 'Sold out: the last ticket went to somebody else just now.',
  'all-held':
    'The last tickets are in other baskets right now. Some may come back within minutes, so it is worth another try.',
  'not-on-sale': 'Ticket sales are not currently available for this event.',
  'not-on-sale-yet': 'Ticket sales have not started yet.',
  'sales-ended': 'Ticket sales for this event have ended.',
};

/** Why there are no tickets, in plain words. */
export const refusalText = (error: unknown): string =>
  (error instanceof HttpError && words[error.problem?.code ?? '']) || explain(error);

/** The quantity is what can be changed about it. */
export const isAboutQuantity = (error: unknown): boolean =>
  error instanceof HttpError && ['sold-out', 'all-held', 'not-enough-left'].includes(error.problem?.code ?? '');
