import { catalogue } from '../../lib/catalogue.ts';
import { texts as english } from './check.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./check.texts.es.ts') });
