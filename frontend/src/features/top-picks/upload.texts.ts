import { catalogue } from '../../lib/catalogue.ts';
import { texts as english } from './upload.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./upload.texts.es.ts') });
