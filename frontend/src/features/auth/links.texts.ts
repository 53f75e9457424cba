import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './links.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./links.texts.es.ts') });
