import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './mine.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./mine.texts.es.ts') });
