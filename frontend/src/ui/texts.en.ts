import { catalog } from '../lib/i18n/catalog.ts';

const english = {
  cancel: 'Cancel',
  close: 'Close',
  dismiss: 'Dismiss',
  notification: 'Notification:',
  optional: 'Optional',
  hidePassword: 'Hide password',
  showPassword: 'Show password',
  oneLess: 'One less',
  oneMore: 'One more',
  wholeNumber: 'Please enter a whole number from {min} to {max}',
  retry: 'Retry',
  minutesLeft: '{count, plural, one {# minute left} other {# minutes left}}',
  notLoaded: '{what} could not be loaded',
  loadAgain: 'Please load the page again.',
  noNetwork: 'There is no network just now.',
  lastChanged: 'Last changed {when}',
  asTable: 'The same as a table',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
