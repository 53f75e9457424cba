import { catalog } from '../../../lib/i18n/catalog.ts';

const english = {
  saved: 'Saved',
  nothing: 'Nothing saved yet',
  nothingWhy: 'Press the bookmark of an event, and it waits for you here.',
  seeWhatIsOn: 'See what is on',
} as const;
export const texts = catalog(english, { es: () => import('./saved.texts.es.ts') });
