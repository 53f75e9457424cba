import { catalog } from '../../../lib/i18n/catalog.ts';

const english = {
  saved: 'Saved',
  nothing: 'Nothing saved yet',
  nothingWhy: 'Tap the bookmark on any event to keep it here.',
  seeWhatIsOn: 'See what’s on',
} as const;
export const texts = catalog(english, { es: () => import('./saved.texts.es.ts') });
