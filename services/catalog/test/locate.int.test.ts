import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Event } from '@beltway/contracts/catalog/events';
import { logger } from '@beltway/kit/logger';
import { transaction } from '@beltway/kit/postgres';
import { runJobs } from '@beltway/kit/testing';
import { geocoder, type FindLocation } from '../src/location/geocoder.ts';
import { lookupBudget, startLocating, type Locating } from '../src/location/locate.ts';
import { rebuild } from '../src/rebuild.ts';
import { startCatchingUp } from '../src/search/catch-up.ts';
import { startCatalog, type Catalog } from './catalog.ts';

const organizer = { id: 1, role: 'business' } as const;
const log = logger('catalog', 'silent');
let catalog: Catalog;
/** A fake geocoding service that records requests and returns fixed answers. */
let service: Server;
const asked: URL[] = [];
let answer: (query: URL) => { status?: number; body: string } | 'hangs';

const result = (lat: number, lng: number, more: object = {}, state = 'VA') => ({
  address_components: [{ short_name: state, types: ['administrative_area_level_1', 'political'] }],
  geometry: { location: { lat, lng }, location_type: 'ROOFTOP' },
  ...more,
});
const found = (...results: object[]) => ({ body: JSON.stringify({ status: 'OK', results }) });

beforeAll(async () => {
  catalog = await startCatalog();
  service = createServer((req, res) => {
    const url = new URL(req.url!, 'http://geocoding.test');
    asked.push(url);
    const now = answer(url);
    if (now === 'hangs') return;
    res.writeHead(now.status ?? 200, { 'content-type': 'application/json' }).end(now.body);
  }).listen(0, '127.0.0.1');
});
afterAll(async () => {
  service.closeAllConnections();
  service.close();
  await catalog.close();
});
beforeEach(async () => {
  asked.length = 0;
  await catalog.pool.query(`delete from jobs where queue = 'location-lookup'`);
});

const findWithin =
  (timeoutMs: number): FindLocation =>
  (location) =>
    geocoder({ url: `http://127.0.0.1:${(service.address() as AddressInfo).port}/json`, key: 'k1', timeoutMs })(
      location,
    );
const find = findWithin(20_000);
/** Runs the lookups that are due. */
const locate = (more: Partial<Locating> = {}) =>
  runJobs(startLocating({ pool: catalog.pool, log, find, restMs: 0, ...more }));
const placeOf = async ({ id }: Event) => (await catalog.call<Event>('GET', `/api/events/${id}`)).body.place;
const lookups = async () =>
  (
    await catalog.pool.query<{ location: string; status: string; at: Date }>(
      `select key as location, status, run_at as at from jobs where queue = 'location-lookup'`,
    )
  ).rows;
/** Makes all waiting lookups due. */
const due = () => catalog.pool.query(`update jobs set run_at = now() where queue = 'location-lookup'`);

test('a location unknown to the gazetteer gets the place that the service finds, on the map and in searches', async () => {
  const location = `14 Odd Fellows Lane, Nowhereton, VA`;
  const event = await catalog.publish(organizer, { location });
  const twin = await catalog.publish(organizer, { location });
  expect(await placeOf(event)).toBeNull();
  answer = () => found(result(38.9, -77.5));
  await locate();
  expect(asked.map(({ searchParams }) => [searchParams.get('address'), searchParams.get('key')])).toEqual([
    [location, 'k1'],
  ]);
  const place = { name: location, lat: 38.9, lon: -77.5, state: 'VA' };
  expect([await placeOf(event), await placeOf(twin)]).toEqual([place, place]);
  const { body } = await catalog.call<{ items: Event[] }>('GET', '/api/events?near=38.9,-77.5&radius=0.1&sort=nearest');
  expect(body.items.map(({ id, distanceMiles }) => [id, distanceMiles])).toEqual([
    [event.id, 0],
    [twin.id, 0],
  ]);
  await locate();
  // The result is stored, so the next event at this location needs no request.
  expect(await placeOf(await catalog.publish(organizer, { location }))).toEqual(place);
  expect(asked).toHaveLength(1);
});

test('a street in a town is looked up; a place of the gazetteer is not', async () => {
  const street = await catalog.publish(organizer, { location: 'The Odd Bar, Leesburg, VA' });
  await catalog.publish(organizer, { location: 'The Wharf, DC' });
  expect(await placeOf(street)).toMatchObject({ name: 'Leesburg' });
  answer = () => found(result(39.11, -77.56));
  await locate();
  expect(asked).toHaveLength(1);
  expect(await placeOf(street)).toMatchObject({ name: 'The Odd Bar, Leesburg, VA', lat: 39.11 });
});

test.each([
  ['nothing', () => ({ body: '{"status":"ZERO_RESULTS","results":[]}' })],
  ['only a part of it', () => found(result(38.9, -77.5, { partial_match: true }))],
  [
    'no more than about where',
    () => found(result(0, 0, { geometry: { location: { lat: 38.9, lng: -77.5 }, location_type: 'APPROXIMATE' } })),
  ],
  ['another part of the world', () => found(result(48.85, 2.35))],
  ['another state', () => found(result(38.9, -77.5, {}, 'WV'))],
])('if the service knows %s, the event has no marker, and the service is not called again', async (_name, says) => {
  const event = await catalog.publish(organizer, { location: `Somewhere ${Math.random()}` });
  answer = says;
  await locate();
  expect(await placeOf(event)).toBeNull();
  expect(await lookups()).toMatchObject([{ status: 'done' }]);
  await catalog.publish(organizer, { location: event.location });
  await locate();
  expect(asked).toHaveLength(1);
});

test.each<[string, () => ReturnType<typeof answer>]>([
  ['is down', () => ({ status: 503, body: '' })],
  ['hangs', () => 'hangs'],
  ['refuses the key', () => ({ body: '{"status":"REQUEST_DENIED","results":[]}' })],
  ['has no more quota', () => ({ body: '{"status":"OVER_QUERY_LIMIT","results":[]}' })],
  ['sends no JSON', () => ({ body: '<html>' })],
  ['sends numbers as text', () => found(result('38.9' as never, -77.5))],
  ['sends without end', () => ({ body: `{"status":"${'O'.repeat(300_000)}"` })],
  ['sends elsewhere', () => ({ status: 302, body: '' })],
])('a service that %s is called again later', async (_name, says) => {
  const event = await catalog.publish(organizer, { location: `Later ${Math.random()}` });
  answer = says;
  await locate({ find: findWithin(says() === 'hangs' ? 300 : 20_000) });
  const [job] = await lookups();
  expect(job!.status).toBe('waiting');
  expect(job!.at.getTime()).toBeGreaterThan(Date.now());
  await locate();
  expect(asked).toHaveLength(1);
  answer = () => found(result(38.95, -77.4));
  await due();
  await locate();
  expect(await placeOf(event)).toMatchObject({ lat: 38.95 });
});

test('an edit keeps the position, and a new location is looked up', async () => {
  const event = await catalog.publish(organizer, { location: 'Unheard Of 1' });
  answer = ({ searchParams }) => found(result(searchParams.get('address')!.endsWith('1') ? 38.91 : 38.92, -77.5));
  await locate();
  const change = (body: object) => catalog.call('PATCH', `/api/events/${event.id}`, { as: organizer, body });
  expect((await change({ title: 'Another Title' })).status).toBe(200);
  expect(await placeOf(event)).toMatchObject({ lat: 38.91 });
  expect((await change({ location: 'Unheard Of 2' })).status).toBe(200);
  expect(await placeOf(event)).toBeNull();
  await locate();
  expect(await placeOf(event)).toMatchObject({ lat: 38.92 });
});

test('an event that is launched during the lookup of its location also gets the position', async () => {
  await catalog.publish(organizer, { location: 'Racing Lane' });
  let late: Event | undefined;
  const slowly: FindLocation = async (location) => {
    late = await catalog.publish(organizer, { location });
    return { lat: 38.93, lon: -77.5, state: 'VA' };
  };
  await locate({ find: slowly });
  expect(await placeOf(late!)).toMatchObject({ lat: 38.93 });
});

test('a position is stored only while no event at its location is being written', async () => {
  const event = await catalog.publish(organizer, { location: 'Writing Way' });
  answer = () => found(result(38.97, -77.5));
  let kept: Promise<void>;
  await transaction(catalog.pool, async (tx) => {
    // While the job runs, the projection of another event queues the location and has not committed yet.
    const claimed = new Promise<void>((resolve) => {
      kept = locate({
        find: async (location) => {
          resolve();
          await noted;
          return find(location);
        },
      });
    });
    let tell = () => {};
    const noted = new Promise<void>((resolve) => (tell = resolve));
    await claimed;
    await tx.query(
      `insert into jobs (queue, key) values ('location-lookup', 'Writing Way')
       on conflict (queue, key) do update set priority = jobs.priority`,
    );
    tell();
    const state = await Promise.race([kept!, new Promise((resolve) => setTimeout(() => resolve('waits'), 500))]);
    expect(state).toBe('waits');
  });
  await kept!;
  expect(await placeOf(event)).toMatchObject({ lat: 38.97 });
});

test('a rebuild keeps the found positions', async () => {
  const event = await catalog.publish(organizer, { location: 'Rebuilt Road' });
  answer = () => found(result(38.96, -77.5));
  await locate();
  await rebuild(catalog.databaseUrl);
  expect(await placeOf(event)).toMatchObject({ lat: 38.96 });
  expect(asked).toHaveLength(1);
});

test('locations of events written by older code are queued when the events are indexed again', async () => {
  await catalog.publish(organizer, { location: 'Elder Way' });
  await catalog.pool.query(`delete from jobs where queue = 'location-lookup'`);
  await catalog.pool.query('update event_search set index_version = 0');
  await runJobs(await startCatchingUp({ pool: catalog.pool, log }));
  expect((await lookups()).map(({ location }) => location)).toContain('Elder Way');
});

test('lookups for many events with invented locations are limited per day, and the rest waits for the next day', async () => {
  let now = 0;
  const budget = lookupBudget(2, () => now);
  answer = () => found(result(38.9, -77.5));
  for (let n = 1; n <= 4; n++) await catalog.publish(organizer, { location: `${n} Made Up Lane, Nowhereton, VA` });
  await locate({ budget });
  expect(asked).toHaveLength(2);
  const waiting = (await lookups()).filter(({ status }) => status === 'waiting');
  expect(waiting).toHaveLength(2);
  for (const { at } of waiting) expect(at.getTime() - Date.now()).toBeGreaterThan(86_000_000);
  now += 86_400_000;
  answer = () => ({ status: 500, body: '' });
  // A failed lookup also uses the budget.
  for (let n = 0; n < 3; n++) {
    await due();
    await locate({ budget });
  }
  expect(asked).toHaveLength(4);
});

test('without a geocoding service lookups wait', async () => {
  const event = await catalog.publish(organizer, { location: 'Waiting Way' });
  await locate({ find: undefined });
  expect(await lookups()).toMatchObject([{ location: 'Waiting Way', status: 'waiting' }]);
  answer = () => found(result(38.9, -77.5));
  await due();
  await locate();
  expect(await placeOf(event)).toMatchObject({ lat: 38.9 });
});
