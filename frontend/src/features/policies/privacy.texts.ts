import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './privacy.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./privacy.texts.es.ts') });
