import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  title: 'Page not found',
  missed: 'You missed the exit',
  why: 'We couldn’t find this page. The link may be mistyped, or the event was taken down.',
  back: 'Back to the feed',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
