import { Event, EventState } from '../catalog/events.ts';
import { TicketEvent } from '../ticketing/tickets.ts';

/** What tests say of an event wherever it is shown. */
const shown = {
  title: 'Go-Go at the Wharf',
  location: 'The Wharf, DC',
  imageUrl: null,
  eventDate: '2030-06-01T04:00:00.000Z',
  eventStartTime: '19:00',
  eventEndTime: null,
};
/** And beside it, in answers and messages. */
const described = { ...shown, description: 'Three bands, one pier.', tags: ['#music'], hasTickets: true };

// Parsed, so that a field with a default need not be named here.
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

/** An event as the API answers it: 100 tickets on sale at $25.00, none sold. */
export const anEvent = (change: Partial<Event> = {}): Event => ({ ...EVENT, ...change });

/** The same as catalog's messages tell it. */
export const anEventState = (change: Partial<EventState> = {}): EventState => ({ ...STATE, ...change });

/** The same as ticketing answers it beside tickets. */
export const aTicketEvent = (change: Partial<TicketEvent> = {}): TicketEvent => ({ ...TICKET_EVENT, ...change });
