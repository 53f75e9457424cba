import type { Translated } from '../../lib/i18n/catalogue.ts';
import type { texts as english } from './bell.texts.en.ts';

export const texts = {
  title: 'Notificaciones',
  unread: 'Notificaciones, {count} sin leer',
} as const satisfies Translated<typeof english>;
