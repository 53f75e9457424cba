import { catalogue } from '../../lib/catalogue.ts';
import { texts as english } from './shared.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./shared.texts.es.ts') });
