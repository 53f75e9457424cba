import { catalogue } from '../../lib/catalogue.ts';
import { texts as english } from './bell.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./bell.texts.es.ts') });
