import { catalog } from '../i18n/catalog.ts';

const english = {
  noAnswerYet: 'We have no answer yet whether this payment went through.',
  paymentError: 'Payment Error',
  notKnown: 'It is not known whether this payment went through.',
  notAccepted: 'Your card was not accepted. Please try another one.',
  paymentFailed: 'Payment Failed',
  checkCard: 'Please check your card details.',
  sandbox:
    'This Beltway runs with a card sandbox: no real money moves. Pay with <card></card>, any later date and any CVC. <more>More test cards</more>',
  setupError: 'Setup Error',
  notInitialized: 'Unable to initialize payment. Please try again.',
  processing: 'Processing…',
  checking: 'Checking your payment…',
  checkingLabel: 'Checking your payment',
  doNotPay: '{problem} Please do not pay again yet: this page keeps asking, and {anyway}.',
  notLoaded: 'The card form could not be loaded. Please try again.',
  notInitializedTitle: 'Unable to initialize payment',
  loading: 'Loading the payment form',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
