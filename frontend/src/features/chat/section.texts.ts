import { catalogue } from '../../lib/catalogue.ts';
import { texts as english } from './section.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./section.texts.es.ts') });
