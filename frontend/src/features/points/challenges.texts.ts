import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './challenges.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./challenges.texts.es.ts') });
