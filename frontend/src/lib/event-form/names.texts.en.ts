import { catalog } from '../i18n/catalog.ts';

/** The name of each field of an event. */
const english = {
  title: 'Title',
  description: 'Description',
  imageUrl: 'Photo',
  location: 'Location',
  address: 'Address',
  tags: 'Tags',
  eventDate: 'Date',
  eventLastDate: 'Last day',
  eventStartTime: 'Start time',
  eventEndTime: 'End time',
  freeEntry: 'Free entry',
  ticketPrice: 'Ticket price',
  totalTickets: 'Total tickets',
  ticketSalesStartTime: 'Sales start',
  ticketSalesEndTime: 'Sales end',
  refundDeadlineHours: 'Refunds',
} as const;
export const texts = catalog(english, { es: () => import('./names.texts.es.ts') });
