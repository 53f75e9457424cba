import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  title: 'Notifications',
  unread: 'Notifications, {count} unread',
} as const;
export const texts = catalog(english, { es: () => import('./bell.texts.es.ts') });
