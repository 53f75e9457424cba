import type { Event } from '@beltway/contracts/catalog';
import type { Session } from '@beltway/contracts/identity';

/** An event as GET /api/events answers it; tickets on sale at $25.00, 58 of 100 left. */
export const eventFixture = (changes: Partial<Event> = {}): Event => ({
  id: 7,
  title: 'Go-Go on the Roof',
  description: 'Live go-go band, a view over the city and food trucks downstairs.',
  location: 'U Street, Washington, DC',
  imageUrl: '/media/posters/7.webp',
  videoUrl: null,
  tags: ['#liveDJ', '#rooftop'],
  isSponsored: false,
  promotionLevel: 'none',
  eventDate: '2030-07-12T04:00:00.000Z',
  eventStartTime: '19:00',
  eventEndTime: '23:30',
  hasTickets: true,
  ticketSalesEnabled: true,
  ticketPrice: '25.00',
  totalTickets: 100,
  soldTickets: 42,
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
  createdAt: '2030-07-01T12:00:00.000Z',
  ...changes,
});

export const sessionFixture = (changes: Partial<Session['user']> = {}): Session => ({
  token: 'token-1',
  user: {
    id: 3,
    email: 'ann@example.com',
    name: 'Ann',
    role: 'user',
    subscriptionStatus: 'inactive',
    subscriptionPlan: 'free',
    createdAt: '2030-01-01T12:00:00.000Z',
    ...changes,
  },
});
