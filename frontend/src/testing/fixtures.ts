import type { Event } from '@beltway/contracts/catalog/events';
import { anEvent } from '@beltway/contracts/testing/events';
import type { Session } from '@beltway/contracts/identity/accounts';

/** An event as returned by GET /api/events. Tickets are on sale at $25.00, 58 of 100 are left. */
export const eventFixture = (changes: Partial<Event> = {}): Event =>
  anEvent({
    title: 'Go-Go on the Roof',
    description: 'Live go-go band, a view over the city and food trucks downstairs.',
    location: 'U Street, Washington, DC',
    imageUrl: '/media/posters/7.webp',
    tags: ['#liveDJ', '#rooftop'],
    eventDate: '2030-07-12T04:00:00.000Z',
    eventEndTime: '23:30',
    soldTickets: 42,
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
    emailVerified: true,
    createdAt: '2030-01-01T12:00:00.000Z',
    ...changes,
  },
});
