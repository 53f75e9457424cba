import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  title: 'Moderation decisions',
  what: 'decisions',
  none: 'No decisions yet',
  noneWhy: 'If your content or account is reported, you’ll see our decision here.',
  ask: 'Ask for a review',
  asked: 'We’ll review it',
  askedWhy: 'If possible, someone else on our team reviews it. We’ll email you the decision.',
  once: 'You can do this once, within 30 days.',
  openLink: 'Open the link in our email, or sign in to see the decision.',
} as const;
export const texts = catalog(english, { es: () => import('./mine.texts.es.ts') });
