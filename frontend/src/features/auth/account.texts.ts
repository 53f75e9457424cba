import { catalogue } from '../../lib/catalogue.ts';
import { texts as english } from './account.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./account.texts.es.ts') });
