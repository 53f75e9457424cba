import { catalog } from '../i18n/catalog.ts';

const english = {
  event: 'Report this event',
  account: 'Report this account',
  ad: 'Report this ad',
} as const;
export const texts = catalog(english, { es: () => import('./button.texts.es.ts') });
