import { catalog } from '../i18n/catalog.ts';

const english = {
  noAnswerYet: 'We’re waiting to hear if your payment went through.',
  paymentError: 'Payment Error',
  notKnown: 'We don’t know yet if this payment went through.',
  notAccepted: 'Your card was declined. Try another one.',
  paymentFailed: 'Payment Failed',
  checkCard: 'Check your card details.',
  sandbox: 'Test mode: no real charges. Use <card></card>, any future date and any CVC. <more>More test cards</more>',
  setupError: 'Setup Error',
  notInitialized: 'Unable to initialize payment. Please try again.',
  processing: 'Processing…',
  checking: 'Checking your payment…',
  checkingLabel: 'Checking your payment',
  doNotPay: '{problem} Don’t pay again yet. We’re still checking, and {anyway}.',
  notLoaded: 'Couldn’t load the card form. Please try again.',
  notInitializedTitle: 'Unable to initialize payment',
  loading: 'Loading the payment form',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
