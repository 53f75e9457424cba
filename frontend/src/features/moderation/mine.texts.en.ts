import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  title: 'Decisions about yours',
  what: 'decisions',
  none: 'Nothing was decided',
  noneWhy: 'When something of yours is reported and we decide about it, you read it here.',
  ask: 'Ask for another look',
  asked: 'We look at it again',
  askedWhy: 'Somebody else decides, where there is one, and we write to you.',
  once: 'You can do this once, within 30 days.',
  openLink: 'Open the link in the mail that we sent you, or sign in to see what was decided.',
} as const;
export const texts = catalog(english, { es: () => import('./mine.texts.es.ts') });
