import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './accessibility.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./accessibility.texts.es.ts') });
