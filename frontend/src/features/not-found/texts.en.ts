import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  title: 'Page not found',
  missed: 'You missed the exit',
  why: 'There is no page at this address. It may have been mistyped, or the event has been taken down.',
  back: 'Back to the feed',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
