import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event, EventPage } from '@beltway/contracts/catalog/events';
import type { SitemapPart } from '@beltway/contracts/catalog/sitemap';
import { saleState } from '@beltway/contracts/ticketing/sale-state';
import { eventually } from '@beltway/kit/testing';
import { rebuild } from '../src/rebuild.ts';
import { continueSeries } from '../src/series/jobs.ts';
import { INTERNAL_TOKEN, startCatalog, withTickets, type Catalog } from './catalog.ts';

let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());

let lastId = 100;
const anOrganizer = () => ({ id: ++lastId });
const admin = { id: 9, role: 'admin' as const };

const get = async <Body>(path: string, as?: { id: number }, headers = {}) =>
  (await catalog.call<Body>('GET', path, { ...(as && { as }), headers })).body;
const read = (id: number) => get<Event>(`/api/events/${id}`);
const idsOf = (events: Event[]) => events.map(({ id }) => id);

/** The lists and feeds that contain the event. */
async function listsOf({ id, title }: Event, organizerId: number): Promise<string[]> {
  const q = encodeURIComponent(title);
  const feed = async (path: string) => {
    const response = await fetch(catalog.url + path);
    return (await response.text()).includes(`/event/${id}`);
  };
  const organizer = await catalog.call<{ upcoming: Event[] }>('GET', `/api/organizers/${organizerId}/events`);
  const internal = { 'x-internal-token': INTERNAL_TOKEN };
  const found: Record<string, boolean> = {
    list: idsOf(await get<Event[]>('/api/events')).includes(id),
    picker: idsOf(await get<Event[]>('/api/events/all')).includes(id),
    featured: idsOf(await get<Event[]>('/api/events/featured')).includes(id),
    search: idsOf((await get<EventPage>(`/api/events?q=${q}`)).items).includes(id),
    map: idsOf((await get<EventPage>(`/api/events?q=${q}&within=-78,38,-76,40`)).items).includes(id),
    calendar: await feed(`/api/events.ics?q=${q}`),
    rss: await feed(`/api/events.rss?q=${q}`),
    embed: await feed(`/embed?q=${q}`),
    organizer: organizer.status === 200 && idsOf(organizer.body.upcoming).includes(id),
    sitemap: (await get<SitemapPart>('/internal/sitemap/1', undefined, internal)).eventIds.includes(id),
  };
  return Object.keys(found).filter((name) => found[name]);
}
const EVERYWHERE = [
  ...['list', 'picker', 'featured', 'search', 'map', 'calendar', 'rss', 'embed', 'organizer', 'sitemap'],
];

test('the events of a suspended organizer are in no list and sell nothing until the account is reinstated', async () => {
  const organizer = anOrganizer();
  const event = await catalog.publish(organizer, { ...withTickets, title: 'Quokka Night' });
  const other = await catalog.publish(anOrganizer(), { ...withTickets, title: 'Quokka Morning' });
  await catalog.promote(event.id, 'featured');
  await catalog.heard();
  expect(await listsOf(event, organizer.id)).toEqual(EVERYWHERE);

  await catalog.suspend(organizer.id, 7);
  expect(await listsOf(event, organizer.id)).toEqual([]);
  expect((await catalog.call('GET', `/api/organizers/${organizer.id}`)).status).toBe(404);
  const page = await read(event.id);
  expect(page).toMatchObject({ status: 'published', isSuspended: true });
  expect(saleState(page, catalog.time.now)).toBe('suspended');
  expect(await read(other.id)).not.toHaveProperty('isSuspended');
  expect(idsOf((await get<EventPage>('/api/events?q=quokka')).items)).toEqual([other.id]);

  await catalog.suspend(organizer.id, 8, false);
  expect(await listsOf(event, organizer.id)).toEqual(EVERYWHERE);
  expect(await read(event.id)).not.toHaveProperty('isSuspended');
});

test('publishes the whole state with each change, so that sales close and open again', async () => {
  const organizer = anOrganizer();
  const { id } = await catalog.publish(organizer, withTickets);
  await catalog.suspend(organizer.id, 3);
  await catalog.call('PATCH', `/api/events/${id}`, { as: admin, body: { title: 'Corrected' } });
  await catalog.suspend(organizer.id, 4, false);
  const states = (await catalog.told())
    .filter(({ key }) => key === `event-${id}`)
    .map(({ data }) => {
      const { title, isSuspended = false, salesEnabled, version } = data as Record<string, unknown>;
      return [title, isSuspended, salesEnabled, version];
    });
  expect(states).toEqual([
    ['Go-Go at the Wharf', false, true, 1],
    ['Go-Go at the Wharf', true, false, 2],
    ['Corrected', true, false, 3],
    ['Corrected', false, true, 4],
  ]);
});

test('an older message that arrives late changes nothing; a repeated message changes nothing either', async () => {
  const organizer = anOrganizer();
  const { id } = await catalog.publish(organizer, withTickets);
  await catalog.suspend(organizer.id, 5);
  await catalog.suspend(organizer.id, 6, false);
  await catalog.suspend(organizer.id, 5);
  await catalog.suspend(organizer.id, 6, false);
  expect(await read(id)).not.toHaveProperty('isSuspended');
  expect((await read(id)).version).toBe(3);
  // The message about the end arrives before the one about the suspension.
  const early = anOrganizer();
  const event = await catalog.publish(early, withTickets);
  await catalog.suspend(early.id, 9, false);
  await catalog.suspend(early.id, 8);
  expect((await read(event.id)).version).toBe(1);
});

test('postponed and canceled events keep their status, and edits do not return a suspended event to the lists', async () => {
  const organizer = anOrganizer();
  const postponed = await catalog.publish(organizer, { ...withTickets, title: 'Wombat One' });
  const canceled = await catalog.publish(organizer, { ...withTickets, title: 'Wombat Two' });
  const edited = await catalog.publish(organizer, { ...withTickets, title: 'Wombat Three' });
  await catalog.call('POST', `/api/events/${postponed.id}/postpone`, { as: organizer });
  await catalog.call('POST', `/api/events/${canceled.id}/cancel`, { as: organizer });
  await catalog.suspend(organizer.id, 2);
  expect(await read(postponed.id)).toMatchObject({ status: 'postponed', isSuspended: true });
  expect(await read(canceled.id)).not.toHaveProperty('isSuspended');
  await catalog.call('PATCH', `/api/events/${edited.id}`, { as: admin, body: { title: 'Wombat Four' } });
  await catalog.call('PATCH', `/api/events/${postponed.id}`, { as: admin, body: { eventDate: '2026-12-12' } });
  expect((await get<EventPage>('/api/events?q=wombat')).items).toEqual([]);
  expect(await read(postponed.id)).toMatchObject({ status: 'published', isSuspended: true });
  const rows = async () => {
    const { rows: all } = await catalog.pool.query(
      'select event_id, status, title, version from listings where organizer_id = $1 order by event_id',
      [organizer.id],
    );
    return all as unknown[];
  };
  const before = await rows();
  for (const { table, before: had, after } of (await rebuild(catalog.databaseUrl)).tables)
    expect(after, table).toBe(had);
  expect(await rows()).toEqual(before);
  // A suspended event can still be canceled.
  await catalog.call('POST', `/api/events/${edited.id}/cancel`, { as: admin });
  await catalog.suspend(organizer.id, 3, false);
  expect(await read(edited.id)).toMatchObject({ status: 'canceled' });
  expect(idsOf((await get<EventPage>('/api/events?q=wombat')).items)).toEqual([postponed.id]);
});

test('an event published at the moment of the suspension is suspended, too, and a series waits for the end of the suspension', async () => {
  const organizer = anOrganizer();
  await catalog.suspend(organizer.id, 2);
  const late = await catalog.publish(organizer, withTickets);
  await eventually(async () => (await read(late.id)).isSuspended === true);

  const { id: seriesId } = await catalog.publish(anOrganizer(), withTickets);
  await catalog.pool.query(
    `insert into event_series (series_id, organizer_id, details, asked_at) values ($1, $2, '{}', now())`,
    [seriesId, organizer.id],
  );
  await continueSeries(catalog, '0 seconds');
  const { rows } = await catalog.pool.query('select published_at from event_series where series_id = $1', [seriesId]);
  expect(rows).toEqual([{ published_at: null }]);
});

test('a promotion that is paid while the event is suspended is refused, so that its payment is refunded', async () => {
  const organizer = anOrganizer();
  const { id } = await catalog.publish(organizer, withTickets);
  await catalog.suspend(organizer.id, 2);
  await catalog.promote(id, 'premium');
  await catalog.heard();
  const refused = (await catalog.told()).filter(
    ({ type, key }) => type === 'catalog.promotion-refused' && key === `event-${id}`,
  );
  expect(refused.map(({ data }) => (data as { reason: string }).reason)).toEqual(['event-suspended']);
});
