import { Event, EventState } from '../catalog/events.ts';
import { TicketEvent } from '../ticketing/tickets.ts';

/** Fields that the test event has in the API, in messages and in ticketing. */
const shown = {
  title: 'Go-Go at the Wharf',
  location: 'The Wharf, DC',
  imageUrl: null,
  eventDate: '2030-06-01T04:00:00.000Z',
  eventStartTime: '19:00',
  eventEndTime: null,
};
/** Adds the fields that only API responses and messages have. */
const described = { ...shown, description: 'Three bands, one pier.', tags: ['#music'], hasTickets: true };

// Parsed, so that the defaults of fields need not be listed.
const EVENT = Event.parse({
  ...described,
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
});
const STATE = EventState.parse({
  ...described,
  eventId: 7,
  version: 1,
  ownerId: 3,
  salesEnabled: true,
  salesStart: null,
  salesEnd: null,
  priceCents: 2500,
  capacity: 100,
  refundDeadlineHours: 24,
});
const TICKET_EVENT = TicketEvent.parse({ ...shown, id: 7, status: 'published' });

/** An event of the API: 100 tickets on sale at $25.00, none sold. */
export const anEvent = (change: Partial<Event> = {}): Event => ({ ...EVENT, ...change });

/** The same event in a message of the catalog. */
export const anEventState = (change: Partial<EventState> = {}): EventState => ({ ...STATE, ...change });

/** The same event in a response of ticketing. */
export const aTicketEvent = (change: Partial<TicketEvent> = {}): TicketEvent => ({ ...TICKET_EVENT, ...change });
