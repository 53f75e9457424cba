import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  comments: 'Comments <total></total>',
} as const;
export const texts = catalog(english, { es: () => import('./section.texts.es.ts') });
