import type { Translated } from '../../lib/i18n/catalogue.ts';
import type { texts as english } from './challenges.texts.en.ts';

export const texts = {
  challenges: 'Retos',
  challengesLead: 'Se hacen cada semana con lo que hay. Todos participan; lo que haces cuenta por sí solo.',
  yourPoints: 'Tus puntos',
  whatList: 'los retos',
  none: 'Todavía no hay retos',
  noneWhy: 'Se hacen cuando hay eventos con boletos esta semana.',
  twoEvents: 'Dos salidas',
  twoEventsWhy: 'Ve a dos eventos esta semana',
  town: 'Una noche en {place}',
  townWhy: 'Ve a un evento en {place} esta semana',
  photo: 'Muestra cómo estuvo',
  photoWhy: 'Comparte esta semana una foto de un evento al que fuiste',
  gain: '+{number} puntos',
  progressOf: 'Avance de {title}',
  progress: '{done} de {all}',
  met: 'Lo lograste: sus puntos son tuyos.',
  noPlace: 'Lo lograste, pero todos los lugares estaban ocupados. Si uno se devuelve, aún puede ser tuyo.',
  placesLeft: '{count, plural, one {Queda} other {Quedan}} {number} de {all} lugares',
  placesGone: 'Todos los lugares están ocupados',
  until: 'Hasta {when}',
  over: 'Terminado',
  signIn: 'Inicia sesión para ver cuánto llevas',
} satisfies Translated<typeof english>;
