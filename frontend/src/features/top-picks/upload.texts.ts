import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './upload.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./upload.texts.es.ts') });
