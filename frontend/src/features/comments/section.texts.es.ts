import type { Translated } from '../../lib/i18n/catalogue.ts';
import type { texts as english } from './section.texts.en.ts';

export const texts = {
  comments: 'Comentarios <total></total>',
} as const satisfies Translated<typeof english>;
