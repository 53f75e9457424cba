import { catalog } from '../lib/i18n/catalog.ts';

const english = {
  preview: 'Preview',
  card: 'In lists',
  page: 'Event page',
  noTitle: 'Your event title',
  noPlace: 'Your location',
} as const;
export const texts = catalog(english, { es: () => import('./preview.texts.es.ts') });
