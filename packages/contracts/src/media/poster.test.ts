import { expect, test } from 'vitest';
import { posterUrl, posterVersion } from './poster.ts';
import type { PosterEvent } from './poster.ts';

const event: PosterEvent = {
  id: 42,
  title: 'Jazz in the Garden',
  location: 'Sculpture Garden',
  eventDate: '2027-05-28T04:00:00.000Z',
  eventStartTime: '17:00',
  tags: ['#music'],
};

test('an event has the same poster URL, whether the event comes from the API or the bus', () => {
  const { id, ...rest } = event;
  expect(posterUrl({ ...rest, eventId: 42 })).toBe(posterUrl(event));
  expect(posterUrl({ ...event, eventDate: '2027-05-28T00:00:00-04:00' })).toBe(posterUrl(event));
});

test('both sizes have a URL', () => {
  expect(posterUrl(event)).toMatch(/^\/media\/posters\/42-[0-9a-f]{14}\.webp$/);
  expect(posterUrl(event, 'small')).toBe(posterUrl(event).replace('.webp', '-small.webp'));
});

test.for<Partial<PosterEvent>>([
  { id: 43 },
  { title: 'Jazz in the garden' },
  { location: 'Wharf' },
  { eventDate: '2027-05-29T04:00:00.000Z' },
  { eventStartTime: '17:30' },
  { tags: [] },
])('a poster’s version changes with %o', (change) =>
  expect(posterVersion({ ...event, ...change })).not.toBe(posterVersion(event)),
);

test('an event with an invalid date still has a poster URL', () =>
  expect(posterUrl({ ...event, eventDate: 'soon' })).toMatch(/^\/media\/posters\/42-/));
