import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './questions.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./questions.texts.es.ts') });
