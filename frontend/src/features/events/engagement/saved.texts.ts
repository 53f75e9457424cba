import { catalogue } from '../../../lib/catalogue.ts';
import { texts as english } from './saved.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./saved.texts.es.ts') });
