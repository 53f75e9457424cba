import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  title: 'Contact messages',
  adminsOnly: 'Only admins can read contact messages.',
  show: 'Show',
  notAnswered: 'Not answered',
  answered: 'Answered',
  what: 'messages',
  allAnswered: 'All caught up',
  noneAnswered: 'Nothing answered yet',
  allAnsweredWhy: 'Messages from the contact form appear here.',
  noneAnsweredWhy: 'Messages you mark as answered stay here for a year.',
  notChanged: 'Not changed',
  from: 'From {email}',
  subject: 'Your message to Beltway',
  answerByMail: 'Reply by email',
  markAnswered: 'Mark as answered',
  markOpen: 'Mark as open',
  answeredAt: 'Answered {when}',
} as const;
export const texts = catalog(english, { es: () => import('./messages.texts.es.ts') });
