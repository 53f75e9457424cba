import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './messages.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./messages.texts.es.ts') });
