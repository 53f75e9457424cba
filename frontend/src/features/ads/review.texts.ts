import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './review.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./review.texts.es.ts') });
