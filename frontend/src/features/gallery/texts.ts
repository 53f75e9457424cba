import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './texts.en.ts';

export const texts = catalogue(english, { es: () => import('./texts.es.ts') });
