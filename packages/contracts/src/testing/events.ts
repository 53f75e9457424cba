import type { Event, EventState } from '../catalog.ts';

/** What tests say of an event wherever it is shown; tickets at $25.00. */
const shown = {
  title: 'Go-Go at the Wharf',
  description: 'Three bands, one pier.',
  location: 'The Wharf, DC',
  imageUrl: null,
  tags: ['#music'],
  eventDate: '2030-06-01T04:00:00.000Z',
  eventStartTime: '19:00',
  eventEndTime: null,
  hasTickets: true,
};

/** An event as the API answers it: 100 tickets on sale, none sold. */
export const anEvent = (change: Partial<Event> = {}): Event => ({
  ...shown,
  id: 7,
  videoUrl: null,
  isSponsored: false,
  promotionLevel: 'none',
  ticketSalesEnabled: true,
  ticketPrice: '25.00',
  totalTickets: 100,
  soldTickets: 0,
  heldTickets: 0,
  stockVersion: 0,
  ticketSalesStartTime: null,
  ticketSalesEndTime: null,
  isLivestream: false,
  livestreamUrl: null,
  livestreamStatus: 'scheduled',
  livestreamStartTime: null,
  livestreamEndTime: null,
  contactEmail: null,
  status: 'published',
  userId: 3,
  createdAt: '2030-05-01T12:00:00.000Z',
  ...change,
});

/** An event as catalog's messages tell it: 100 tickets on sale. */
export const anEventState = (change: Partial<EventState> = {}): EventState => ({
  ...shown,
  eventId: 7,
  ownerId: 3,
  salesEnabled: true,
  salesStart: null,
  salesEnd: null,
  priceCents: 2500,
  capacity: 100,
  ...change,
});
