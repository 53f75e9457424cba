import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './owner.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./owner.texts.es.ts') });
