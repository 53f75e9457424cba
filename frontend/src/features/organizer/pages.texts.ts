import { catalogue } from '../../lib/catalogue.ts';
import { texts as english } from './pages.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./pages.texts.es.ts') });
