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
  wholeNumber: 'Enter a whole number from {min} to {max}',
  retry: 'Retry',
  minutesLeft: '{count, plural, one {# minute left} other {# minutes left}}',
  notLoaded: 'Couldn’t load {what}',
  loadAgain: 'Please reload the page.',
  noNetwork: 'You have no connection right now.',
  lastChanged: 'Last updated {when}',
  asTable: 'View as table',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
