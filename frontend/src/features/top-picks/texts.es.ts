import type { Translated } from '../../lib/i18n/catalogue.ts';
import type { texts as english } from './texts.en.ts';

export const texts = {
  topPicks: 'Lo más destacado',
  all: 'Todo',
  categoryOfVideos: 'Categoría de los videos',
  videosWhat: 'los videos',
  videos: 'Videos',
  noVideos: 'Todavía no hay videos',
  noneAtAll: 'Aquí se muestran los videos que la gente sube.',
  noneOfCategory: 'No hay ninguno de esta categoría.',
  signIn: 'Iniciar sesión',
  uploadVideo: 'Subir video',
  play: 'Reproducir {title}',
  views: '{number} {count, plural, one {vista} other {vistas}} · {age}',
  like: 'Me gusta {title}, ',
  likes: '{count, plural, one { me gusta} other { me gusta}}',
  notSaved: 'No se guardó',
  promoted: 'Promocionado',
  featured: 'Destacado',
  notShown: 'No se muestra',
  event: 'Evento',
  venue: 'Local',
  highlight: 'Lo mejor',
  announcement: 'Anuncio',
} as const satisfies Translated<typeof english>;
