import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './refunds.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./refunds.texts.es.ts') });
