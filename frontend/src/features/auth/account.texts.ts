import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './account.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./account.texts.es.ts') });
