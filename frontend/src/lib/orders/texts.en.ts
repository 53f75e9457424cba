import { catalog } from '../i18n/catalog.ts';

const english = {
  mailedAgain: 'On its way',
  mailedAgainWhy: 'We’ll email your tickets to {email} again.',
  notSent: 'Not sent',
  sending: 'Sending…',
  mailAgain: 'Send the email again',
  messageOrganizer: 'Message the organizer',
  messageBuyer: 'Message the buyer',
  messageOf: 'About your order for {title}.',
  messageHides: 'It goes by email, and neither of you sees the other’s address. Answers come by email, too.',
  yourMessage: 'Your message',
  send: 'Send',
  messageSent: 'Message sent',
  messageSentWhy: 'It is on its way by email. You get the answer by email, too.',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
