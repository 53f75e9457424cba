import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './packages.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./packages.texts.es.ts') });
