import { catalogue } from '../../lib/i18n/catalogue.ts';
import { texts as english } from './player.texts.en.ts';

export const texts = catalogue(english, { es: () => import('./player.texts.es.ts') });
