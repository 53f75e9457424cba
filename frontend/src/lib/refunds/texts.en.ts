import { catalog } from '../i18n/catalog.ts';

const english = {
  cancelTitle: 'Cancel tickets',
  cancelKeep: 'Keep my tickets',
  cancelDone: 'Tickets canceled',
  cancelUnder: 'Canceling…',
  refundTitle: 'Refund tickets',
  refundKeep: 'Keep the order',
  refundDone: 'Refund requested',
  refundUnder: 'Refunding…',
  doneWhat: '{count, plural, one {{sum} for # ticket.} other {{sum} for # tickets.}}',
  cancelWhat: '{count, plural, one {Cancel # ticket · {sum}} other {Cancel # tickets · {sum}}}',
  refundWhat: '{count, plural, one {Refund # ticket · {sum}} other {Refund # tickets · {sum}}}',
  which: 'Which tickets',
  ticketNumber: 'Ticket {number}',
  notValid: ' · no longer valid',
  reason: 'Reason',
  reasonHint: 'The buyer will see this.',
  atOnce:
    'The QR codes stop working and the tickets go back on sale. The refund goes to the original card. This can’t be undone.',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
