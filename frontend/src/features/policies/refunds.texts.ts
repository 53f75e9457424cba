import { catalogue } from '../../lib/catalogue.ts';
import { texts as english } from './refunds.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./refunds.texts.es.ts') });
