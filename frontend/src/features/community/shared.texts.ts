import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './shared.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./shared.texts.es.ts') });
