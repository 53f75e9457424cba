import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './bell.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./bell.texts.es.ts') });
