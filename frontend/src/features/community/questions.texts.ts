import { catalogue } from '../../lib/catalogue.ts';
import { texts as english } from './questions.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./questions.texts.es.ts') });
