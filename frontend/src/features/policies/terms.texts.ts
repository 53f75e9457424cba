import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './terms.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./terms.texts.es.ts') });
