import { catalog } from '../i18n/catalog.ts';

const english = {
  notLoaded: 'Couldn’t load the order',
  loading: 'Loading the order',
  history: 'History',
  ticketLine: 'Ticket {number}: {price}, {status}',
  refundLine: '{when}: {amount}, {state}',
  valid: 'valid',
  frozen: 'on hold',
  canceled: 'canceled',
  refunding: 'refunding',
  refunded: 'refunded',
  disputed: 'disputed',
  requested: 'requested',
  unknown: 'unknown',
  failed: 'failed',
  historyLine: '{when}: {text}',
  help: 'Help the buyer',
  mailsGoTo: 'We send emails about this order to {email}.',
  aboutOrder: 'About order {number}.',
  correctAddress: 'Correct the email address',
  correctAddressWhy:
    'We’ll email the tickets to the corrected address. The link in earlier emails stops working. We’ll tell the old address that the email changed, but not the new one. QR codes stay the same.',
  buyersEmail: 'The buyer’s email',
  correctAndSend: 'Correct and send the tickets',
  correcting: 'Correcting…',
  addressCorrected: 'Address corrected',
  addressCorrectedWhy: 'The tickets are on their way to {email}.',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
