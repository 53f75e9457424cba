import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './section.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./section.texts.es.ts') });
