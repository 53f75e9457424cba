import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './views.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./views.texts.es.ts') });
