import { catalogue } from '../../../lib/i18n/catalogue.ts';
import { texts as english } from './saved.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./saved.texts.es.ts') });
