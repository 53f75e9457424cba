import { catalog } from '../i18n/catalog.ts';

const english = {
  cancelTitle: 'Cancel tickets',
  cancelKeep: 'Keep my tickets',
  cancelDone: 'Tickets canceled',
  cancelUnder: 'Canceling…',
  refundTitle: 'Refund tickets',
  refundKeep: 'Do not refund',
  refundDone: 'Refund requested',
  refundUnder: 'Refunding…',
  doneWhat: '{count, plural, one {{sum} for # ticket.} other {{sum} for # tickets.}}',
  cancelWhat: '{count, plural, one {Cancel # ticket · {sum}} other {Cancel # tickets · {sum}}}',
  refundWhat: '{count, plural, one {Refund # ticket · {sum}} other {Refund # tickets · {sum}}}',
  which: 'Which tickets',
  ticketNumber: 'Ticket {number}',
  notValid: ' · not valid any more',
  reason: 'Reason',
  reasonHint: 'The buyer reads it.',
  atOnce:
    'Their codes end at once, and the tickets are on sale again. The money goes back to the card that paid. This cannot be undone.',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
