import { catalogue } from '../../lib/catalogue.ts';
import { texts as english } from './messages.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./messages.texts.es.ts') });
