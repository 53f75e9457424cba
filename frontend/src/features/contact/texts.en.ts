import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  title: 'Contact Us',
  missing: 'Required Fields Missing',
  missingWhy: 'Please fill in your email and comments.',
  sent: 'Message Sent!',
  sentWhy: "Thank you for contacting us. We'll get back to you soon.",
  failed: 'Error',
  failedWhy: 'Failed to send your message. Please try again.',
  email: 'Email',
  phone: 'Phone',
  comments: 'Comments',
  sending: 'Sending…',
  send: 'Send message',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
