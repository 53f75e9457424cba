import type { Translated } from '../../lib/i18n/catalogue.ts';
import type { texts as english } from './texts.en.ts';

export const texts = {
  title: 'Página no encontrada',
  missed: 'Te pasaste de la salida',
  why: 'No hay ninguna página en esta dirección. Puede estar mal escrita o el evento ya se retiró.',
  back: 'Volver a los eventos',
} as const satisfies Translated<typeof english>;
