import { expect, test } from 'vitest';
import type { NotedEvent } from './noted.ts';
import { wordsOf, type Told } from './texts.ts';

const EVENT: NotedEvent = {
  ...{ eventId: 7, ownerId: 1, title: 'Noche', location: 'The Anthem', version: 1, status: 'published' },
  ...{
    isSuspended: false,
    eventDate: new Date('2030-12-04T05:00:00.000Z'),
    eventLastDate: null,
    eventStartTime: '19:00',
    eventEndTime: null,
  },
};
const inSpanish = (told: Pick<Told, 'kind'> & Partial<Told>, event: Partial<NotedEvent> = {}) => {
  const whole = { eventId: 7, subjectId: 3, count: 1, amountCents: 2_500, detail: null, ...told };
  const { title, text } = wordsOf(whole, { ...EVENT, ...event }, 'es');
  return [title, text];
};
const DAY = 'mié, 4 de dic de 2030, 7 p.m. ET';

test.each<[Pick<Told, 'kind'> & Partial<Told>, string, string]>([
  [{ kind: 'ticket-bought', count: 2 }, 'Tus 2 boletos para Noche', DAY],
  [{ kind: 'ticket-sold', count: 2 }, '2 boletos vendidos para Noche', 'Los compradores pagaron $25.00.'],
  [
    { kind: 'event-changed', detail: 'time' },
    'Noche tiene nueva hora',
    `Ahora: ${DAY}, The Anthem. Tus boletos siguen siendo válidos.`,
  ],
  [
    { kind: 'event-canceled' },
    'Noche se canceló',
    'Tus boletos ya no son válidos. Te reembolsamos lo que pagaste a tu tarjeta.',
  ],
  [{ kind: 'organizer-published' }, 'Nuevo: Noche', `De alguien a quien sigues. ${DAY}`],
  [{ kind: 'organizer-published', count: 3 }, '3 eventos nuevos', 'De alguien a quien sigues. El más reciente: Noche'],
  [
    { kind: 'search-matched', detail: '["a","b","c","d"]' },
    'Nuevo: Noche',
    `Coincide con tus búsquedas guardadas «a», «b», «c» y 1 más. ${DAY}`,
  ],
  [{ kind: 'comment-answered', count: 2 }, '2 respuestas nuevas a tu comentario', 'En Noche'],
  [{ kind: 'reply', eventId: null }, 'Nueva respuesta a una pregunta que sigues', 'En Preguntas'],
  [{ kind: 'refund-sent' }, '$25.00 reembolsados', 'Por Noche. Los bancos lo muestran en unos días.'],
  [
    { kind: 'moderated', detail: '{"kind":"photo","action":"hide"}' },
    'Tu foto no se muestra',
    'Mira por qué y pide una revisión si es un error.',
  ],
  [{ kind: 'badge', detail: 'first-event' }, 'Ganaste una insignia: Primera salida', 'Ve a un evento'],
])('%o has a Spanish text', (told, title, text) => expect(inSpanish(told)).toEqual([title, text]));

test('a postponement is announced in Spanish', () =>
  expect(inSpanish({ kind: 'event-changed', detail: 'postponed' }, { status: 'postponed' })).toEqual([
    'Noche se pospuso',
    'Tus boletos siguen siendo válidos para la nueva fecha.',
  ]));
