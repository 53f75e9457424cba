import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  title: 'Contact messages',
  adminsOnly: 'Messages by the contact form are read by admins.',
  show: 'Show',
  notAnswered: 'Not answered',
  answered: 'Answered',
  what: 'messages',
  allAnswered: 'Everything is answered',
  noneAnswered: 'Nothing was answered yet',
  allAnsweredWhy: 'What people write by the contact form is listed here at once.',
  noneAnsweredWhy: 'What you mark as answered is kept here for a year.',
  notChanged: 'Not changed',
  from: 'From {email}',
  subject: 'Your message to Beltway',
  answerByMail: 'Answer by mail',
  markAnswered: 'Mark as answered',
  markOpen: 'Mark as open',
  answeredAt: 'Answered {when}',
} as const;
export const texts = catalog(english, { es: () => import('./messages.texts.es.ts') });
