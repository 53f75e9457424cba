import type { Translated } from '../../../lib/i18n/catalogue.ts';
import type { texts as english } from './saved.texts.en.ts';

export const texts = {
  saved: 'Guardados',
  nothing: 'Todavía no guardaste nada',
  nothingWhy: 'Pulsa el marcador de un evento y te espera aquí.',
  seeWhatIsOn: 'Ver qué hay',
} as const satisfies Translated<typeof english>;
