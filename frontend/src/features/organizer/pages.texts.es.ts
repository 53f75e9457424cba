import type { Translated } from '../../lib/i18n/catalogue.ts';
import type { texts as english } from './pages.texts.en.ts';

export const texts = {
  organizerPage: 'Quien organiza',
  organizer: 'Organiza',
  notFound: 'No encontramos a quien organiza',
  notFoundWhy: 'Nadie ha publicado aquí un evento con esta dirección.',
  seeWhatIsOn: 'Ver qué hay',
  pageFailed: 'No se pudo cargar esta página',
  pageLoading: 'Cargando a quien organiza',
  upcoming: 'Próximos',
  nothingNow: 'Por ahora no hay nada anunciado. Pulsa Seguir y, cuando haya algo, lo encontrarás en Siguiendo.',
  past: 'Pasados',
  nextOf: 'Los próximos: {shown} de {all} eventos.',
  latestOf: 'Los últimos: {shown} de {all} eventos.',
  eventsFailed: 'No se pudieron cargar los eventos',
  eventsLoading: 'Cargando los eventos',
  following: 'Siguiendo',
  nobody: 'Todavía no sigues a nadie',
  nobodyWhy: 'Pulsa Seguir en la página de quien organiza o junto a un evento. Lo que anuncie aparece aquí.',
  comingUp: 'Próximamente',
  noneAnnounced: 'Por ahora nadie de tu lista ha anunciado nada.',
  organizers: 'A quién sigues',
  followingFailed: 'No se pudo cargar a quién sigues',
  followingLoading: 'Cargando a quién sigues',
} as const satisfies Translated<typeof english>;
