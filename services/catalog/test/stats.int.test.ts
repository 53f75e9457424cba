import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HomeStats } from '@beltway/contracts/catalog/stats';
import { startCatalog } from './catalog.ts';

let catalog: Awaited<ReturnType<typeof startCatalog>>;
beforeEach(async () => void (catalog = await startCatalog()));
afterEach(() => catalog.close());

const organizer = { id: 7 };
const stats = async () => (await catalog.call<HomeStats>('GET', '/api/stats')).body;
/** Advances the clock. The counts are cached for 30 s. */
const later = (ms: number) => (catalog.time.now = new Date(catalog.time.now.getTime() + ms));
const MONTH_MS = 31 * 24 * 3_600_000;

test('counts events today in New York, new places once in any case, and active accounts', async () => {
  catalog.time.now = new Date('2026-12-01T12:00:00Z');
  const on = (day: string, location: string) => catalog.publish(organizer, { eventDate: day, location });
  await on('2026-12-01', 'Blues Alley');
  await on('2026-12-01', 'blues alley');
  await on('2026-12-02', 'The Wharf');
  const { id } = await on('2026-12-01', 'Canceled Hall');
  await catalog.call('POST', `/api/events/${id}/cancel`, { as: organizer });
  // In New York it is 11 PM on December 1.
  catalog.time.now = new Date('2026-12-02T04:00:00Z');
  expect(await stats()).toEqual({
    activeUsers: 7,
    eventsToday: 2,
    newVenues: 2,
    eventsThisMonth: 3,
    engagementPercent: null,
  });
  later(3_600_000);
  expect(await stats()).toMatchObject({ eventsToday: 1 });
});

test('a month is today and the next 29 days; engagement is reactions per hundred visits', async () => {
  catalog.time.now = new Date('2026-12-01T12:00:00Z');
  for (const eventDate of ['2026-12-01', '2026-12-30', '2026-12-31', '2027-03-01'])
    await catalog.publish(organizer, { eventDate, location: 'Blues Alley' });
  await catalog.pool.query(
    `insert into event_counts (event_id, likes, interested, comments, shares, going, views)
     select event_id, 1, 1, 1, 0, 9, 10 from listings order by event_id limit 2`,
  );
  expect(await stats()).toMatchObject({ eventsThisMonth: 2, engagementPercent: 30 });
});

test('a place is new for 30 days from its first event', async () => {
  await catalog.publish(organizer, { eventDate: '2027-03-01', location: 'Blues Alley' });
  await catalog.pool.query(`update listings set created_at = $1`, [new Date(catalog.time.now.getTime() - MONTH_MS)]);
  await catalog.publish(organizer, { eventDate: '2027-03-01', location: 'Blues Alley' });
  await catalog.publish(organizer, { eventDate: '2027-03-01', location: 'Somewhere New' });
  expect(await stats()).toMatchObject({ newVenues: 1 });
});

test('omits the number of accounts until identity responds once, and then uses the last number while identity is down', async () => {
  const away = () => Promise.reject(new Error('away'));
  catalog.accounts.answer = away;
  expect(await stats()).toMatchObject({ activeUsers: null, eventsToday: 0, newVenues: 0 });
  catalog.accounts.answer = () => ({ count: 12 });
  later(31_000);
  expect(await stats()).toMatchObject({ activeUsers: 12 });
  catalog.accounts.answer = away;
  later(31_000);
  expect(await stats()).toMatchObject({ activeUsers: 12 });
});

test('calls identity once for many requests, and the response is cacheable for every visitor', async () => {
  await Promise.all(Array.from({ length: 50 }, stats));
  expect(catalog.accounts.asked).toEqual(['/internal/active-accounts']);
  const { headers } = await catalog.call('GET', '/api/stats');
  expect(headers.get('cache-control')).toBe('public, max-age=30');
  expect(catalog.accounts.asked).toHaveLength(1);
});
