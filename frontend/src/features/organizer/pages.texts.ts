import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './pages.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./pages.texts.es.ts') });
