import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './queue.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./queue.texts.es.ts') });
