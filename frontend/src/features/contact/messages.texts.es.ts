import type { Translated } from '../../lib/i18n/catalogue.ts';
import type { texts as english } from './messages.texts.en.ts';

export const texts = {
  title: 'Mensajes de contacto',
  adminsOnly: 'Los mensajes del formulario de contacto los leen los administradores.',
  show: 'Mostrar',
  notAnswered: 'Sin responder',
  answered: 'Respondidos',
  what: 'mensajes',
  allAnswered: 'Todo está respondido',
  noneAnswered: 'Todavía no se ha respondido nada',
  allAnsweredWhy: 'Lo que se escribe en el formulario de contacto aparece aquí al momento.',
  noneAnsweredWhy: 'Lo que marcas como respondido se guarda aquí por un año.',
  notChanged: 'No se cambió',
  from: 'De {email}',
  subject: 'Tu mensaje a Beltway',
  answerByMail: 'Responder por correo',
  markAnswered: 'Marcar como respondido',
  markOpen: 'Marcar como pendiente',
  answeredAt: 'Respondido: {when}',
} as const satisfies Translated<typeof english>;
