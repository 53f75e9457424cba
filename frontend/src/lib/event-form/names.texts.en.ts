import { catalog } from '../i18n/catalog.ts';

/** What each field of an event is called. */
const english = {
  title: 'Title',
  description: 'Description',
  imageUrl: 'Picture',
  location: 'Place',
  tags: 'Tags',
  eventDate: 'Date',
  eventStartTime: 'Start time',
  eventEndTime: 'End time',
  ticketPrice: 'Ticket price',
  totalTickets: 'Total tickets',
  refundDeadlineHours: 'Refunds',
} as const;
export const texts = catalog(english, { es: () => import('./names.texts.es.ts') });
