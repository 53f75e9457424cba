import type { Translated } from '../../lib/i18n/catalogue.ts';
import type { texts as english } from './player.texts.en.ts';

export const texts = {
  deleted: 'Video eliminado',
  notDeleted: 'No se eliminó',
  linkCopied: 'Enlace copiado',
  linkCopiedWhy: '¡Se copió el enlace del video!',
  notCopied: 'No se copió',
  notCopiedWhy: 'Tu navegador no nos deja. El enlace está en la barra de direcciones.',
  cannotPlay: 'Tu navegador no puede reproducir este video. <link>Descárgalo</link>',
  byline: ' · {number} {count, plural, one {vista} other {vistas}} · {age}',
  deleteWhy: 'Sale de Lo más destacado con sus «me gusta» y sus vistas, y no vuelve.',
  deleteVideo: 'Eliminar video',
  keepIt: 'Conservarlo',
  share: 'Compartir',
  delete: 'Eliminar',
  report: 'Reportar',
  reportThis: 'Reportar este video',
  readers: 'Lo revisa el equipo de Beltway.',
  reported: 'Video reportado',
  reportedWhy: 'Gracias. Lo vamos a revisar.',
  spam: 'Spam o publicidad',
  abuse: 'Odio, amenazas o insultos',
  rights: 'Video o música de otra persona',
  privacy: 'Me muestra a mí o a alguien que no quiere',
  other: 'Otra cosa',
} as const satisfies Translated<typeof english>;
