import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './reported.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./reported.texts.es.ts') });
