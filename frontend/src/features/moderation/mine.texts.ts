import { catalogue } from '../../lib/catalogue.ts';
import { texts as english } from './mine.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./mine.texts.es.ts') });
