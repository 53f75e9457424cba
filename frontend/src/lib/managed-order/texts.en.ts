import { catalog } from '../i18n/catalog.ts';

const english = {
  notLoaded: 'The order could not be loaded',
  loading: 'The order is loading',
  history: 'History',
  ticketLine: 'Ticket {number}: {price}, {status}',
  refundLine: '{when}: {amount}, {state}',
  valid: 'valid',
  frozen: 'frozen',
  canceled: 'canceled',
  refunding: 'refunding',
  refunded: 'refunded',
  disputed: 'disputed',
  requested: 'requested',
  unknown: 'unknown',
  failed: 'failed',
  historyLine: '{when}: {text}',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
