import type { Translated } from '../../lib/i18n/catalogue.ts';
import type { texts as english } from './texts.en.ts';

export const texts = {
  auto: 'Como el dispositivo del visitante',
  light: 'Claro',
  dark: 'Oscuro',
  title: 'Tus eventos en tu propio sitio',
  why: 'Una lista que se mantiene al día sola. Pega esta línea donde deba aparecer.',
  copied: 'Copiado. Pégalo en tu página.',
  notCopied: 'Tu navegador no nos deja copiar. Copia la línea a mano.',
  copy: 'Copiar',
  look: 'Aspecto',
  atMost: 'Máximo de eventos',
  line: 'Línea para tu página',
  preview: 'Vista previa',
  previewOf: 'Vista previa de la lista',
} as const satisfies Translated<typeof english>;
