import type { ContentKind } from '@beltway/contracts/identity/moderation';
import { plannedWhenText } from '@beltway/contracts/common/when';
import type { Change } from './noted.ts';
import type { MailScope } from './preferences.ts';
import type { BellTexts, Decided } from './texts.en.ts';

/** Badges by id. A new badge is shown in English until it is added here. */
const BADGES: Record<string, { name: string; description: string }> = {
  'first-event': { name: 'Primera salida', description: 'Ve a un evento' },
  'five-events': { name: 'Asiduo', description: 'Ve a 5 eventos' },
  'twenty-five-events': { name: 'Leyenda local', description: 'Ve a 25 eventos' },
  'hundred-events': { name: 'La vuelta al Beltway', description: 'Ve a 100 eventos' },
  'first-photo': { name: 'Primera foto', description: 'Comparte una foto en la galería' },
  'twenty-photos': { name: 'Fotógrafo', description: 'Comparte 20 fotos en la galería' },
  'four-weeks': { name: 'Cuatro seguidas', description: 'Ve a eventos 4 semanas seguidas' },
  'ten-music-events': { name: 'Amante de la música', description: 'Ve a 10 eventos de música' },
  'five-places': { name: 'Explorador', description: 'Ve a eventos en 5 lugares' },
  'first-connection': { name: 'Buena compañía', description: 'Conéctate con alguien con quien coincidiste' },
};

const CHANGES: Record<Change, string> = {
  time: 'tiene nueva hora',
  place: 'tiene nuevo lugar',
  'time-and-place': 'tiene nueva hora y nuevo lugar',
  postponed: 'se pospuso',
  rescheduled: 'tiene nueva fecha',
  suspended: 'no está a la venta por ahora',
  resumed: 'está a la venta otra vez',
};

const THINGS: Record<ContentKind, string> = {
  comment: 'comentario',
  photo: 'foto',
  video: 'video',
  message: 'mensaje en un chat',
  post: 'publicación',
  'post-comment': 'comentario en una publicación',
  question: 'pregunta',
  answer: 'respuesta',
  event: 'evento',
  account: 'cuenta',
  ad: 'anuncio',
};

const DECIDED: Record<Decided['action'], (thing: string) => string> = {
  hide: (thing) => `Tu ${thing} no se muestra`,
  restore: (thing) => `Tu ${thing} se muestra otra vez`,
  remove: (thing) => `Quitamos tu ${thing}`,
  warn: (thing) => `Una advertencia sobre tu ${thing}`,
  suspend: () => 'Tu cuenta está suspendida',
  reinstate: () => 'Tu cuenta está activa otra vez',
};

const ENDS: Record<MailScope, string> = {
  'ticket-sold': 'correos sobre los boletos que vendes',
  'organizer-published': 'correos sobre quienes sigues',
  'search-matched': 'correos sobre tus búsquedas guardadas',
  'comment-answered': 'correos sobre respuestas a tus comentarios',
  daily: 'estos correos diarios',
};

export const spanish: BellTexts = {
  anEvent: 'Un evento',
  planned: (event) => plannedWhenText(event, 'es'),
  ticketBought: (count, title) => (count === 1 ? `Tu boleto para ${title}` : `Tus ${count} boletos para ${title}`),
  ticketSold: (count, title) =>
    count === 1 ? `1 boleto vendido para ${title}` : `${count} boletos vendidos para ${title}`,
  paidByBuyers: (money) => `Los compradores pagaron ${money}.`,
  changed: (title, change) => `${title} ${(change && CHANGES[change]) ?? 'cambió'}`,
  stayValid: 'Tus boletos siguen siendo válidos.',
  stayValidForNewDate: 'Tus boletos siguen siendo válidos para la nueva fecha.',
  now: (when) => `Ahora: ${when}. Tus boletos siguen siendo válidos.`,
  canceled: (title) => `${title} se canceló`,
  ticketsVoid: 'Tus boletos ya no son válidos. Te reembolsamos lo que pagaste a tu tarjeta.',
  fromOrganizer: 'De alguien a quien sigues.',
  isNew: (title) => `Nuevo: ${title}`,
  newEvents: (count) => `${count} eventos nuevos`,
  latest: (title) => `De alguien a quien sigues. El más reciente: ${title}`,
  foundBy: (names, others) => {
    const all = [...names.map((name) => `«${name}»`), ...(others > 0 ? [`${others} más`] : [])];
    const list = all.length > 1 ? `${all.slice(0, -1).join(', ')} y ${all.at(-1)}` : all.join('');
    return names.length + others === 1
      ? `Coincide con tu búsqueda guardada ${list}.`
      : `Coincide con tus búsquedas guardadas ${list}.`;
  },
  commentAnswered: (count) =>
    count === 1 ? 'Nueva respuesta a tu comentario' : `${count} respuestas nuevas a tu comentario`,
  below: (title) => `En ${title}`,
  replied: (count) =>
    count === 1 ? 'Nueva respuesta a una pregunta que sigues' : `${count} respuestas nuevas a una pregunta que sigues`,
  onBoard: 'En Preguntas',
  about: (title) => `Sobre ${title}`,
  refunded: (money) => `${money} reembolsados`,
  refundedFor: (title) => `Por ${title}. Los bancos lo muestran en unos días.`,
  decided: (action, kind) => DECIDED[action](THINGS[kind]),
  decisionReversed: 'Cambiamos nuestra decisión',
  decisionStays: 'Mantenemos nuestra decisión',
  lookedAgain: (kind) => `Nuestro equipo volvió a revisar tu ${THINGS[kind]}.`,
  decisionChanged: 'Cambiamos una decisión anterior.',
  seeWhy: 'Mira por qué y pide una revisión si es un error.',
  badge: (name) => `Ganaste una insignia: ${name}`,
  aBadge: 'Ganaste una insignia',
  connection: 'Alguien con quien coincidiste quiere conectarse',
  sameEvent: 'Estuvieron en el mismo evento.',
  ofBadge: ({ id, ...english }) => BADGES[id] ?? english,

  daily: 'Tu día en Beltway',
  searchedFor: (count) => `${count} eventos nuevos coinciden con tus búsquedas`,
  stop: (scope) => `No recibir más ${ENDS[scope]}`,
  open: 'Verlo en Beltway',
  help: (support) => `¿Preguntas? Escribe a ${support}.`,
};
