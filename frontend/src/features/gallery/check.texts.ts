import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './check.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./check.texts.es.ts') });
