import type { Translated } from '../../lib/i18n/catalogue.ts';
import type { texts as english } from './texts.en.ts';

export const texts = {
  translation:
    'Esta es una traducción. Si dice algo distinto del <english>texto en inglés</english>, vale el texto en inglés.',
} as const satisfies Translated<typeof english>;
