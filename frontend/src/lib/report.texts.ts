import { catalogue } from './catalogue.ts';
import { texts as english } from './report.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./report.texts.es.ts') });
