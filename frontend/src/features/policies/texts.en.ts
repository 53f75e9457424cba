import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  translation:
    'This is a translation. If it differs from the <english>English text</english>, the English text applies.',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
