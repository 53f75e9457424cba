import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event } from '@beltway/contracts/catalog/events';
import {
  type Followed,
  Following,
  MAX_FOLLOWED,
  Organizer,
  OrganizerEvents,
  type OrganizerEvents as OwnEvents,
  type Organizing,
} from '@beltway/contracts/catalog/organizers';
import { rebuild } from '../src/rebuild.ts';
import type { SitemapPart } from '@beltway/contracts/catalog/sitemap';
import { INTERNAL_TOKEN, startCatalog, withTickets, type Catalog } from './catalog.ts';

let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());

let lastId = 100;
const somebody = () => ({ id: ++lastId });
/** Creates an account that identity and catalog know, and publishes an event with it. */
async function organizer(name = 'Wharf Nights', more: object = {}) {
  const person = somebody();
  await catalog.introduce(person, name);
  await catalog.publish(person, more);
  return person;
}
const get = <Body>(path: string) => catalog.call<Body>('GET', path);
const follow = (as: { id: number }, id: number) =>
  catalog.call<Followed & { code?: string }>('PUT', `/api/organizers/${id}/follow`, { as });
const unfollow = (as: { id: number }, id: number) =>
  catalog.call<Followed>('DELETE', `/api/organizers/${id}/follow`, { as });
const followers = async (id: number) => (await get<Organizer>(`/api/organizers/${id}`)).body.followers;

test('a page has the name unchanged, and no address', async () => {
  const name = `</script><b>"Ann" & 'Söhne' مرحبا 🎷`;
  const { id } = await organizer(name);
  const { status, headers, body } = await get<Organizer>(`/api/organizers/${id}`);
  expect(status).toBe(200);
  const none = { about: '', links: [], pictureUrl: null, coverUrl: null };
  expect(Organizer.strict().parse(body)).toEqual({ id, name, followers: 0, ...none });
  expect(headers.get('cache-control')).toBe('public, max-age=1');
  expect(headers.get('cache-tag')).toBe(`organizer-${id}`);
  const events = await get<OwnEvents>(`/api/organizers/${id}/events`);
  expect(OrganizerEvents.strict().parse(events.body).upcoming).toHaveLength(1);
  expect(JSON.stringify([body, events.body])).not.toContain('@');
});

test('an organizer writes the profile of the page; media keeps its pictures', async () => {
  const person = await organizer();
  const profile = {
    about: 'Concerts on the water.\nEvery Friday.',
    links: ['https://wharf.example/'],
    pictureUrl: '/media/images/round-large.webp',
    coverUrl: '/media/images/wide-large.webp',
  };
  const put = (as: { id: number }, body: object) => catalog.call<Organizer>('PUT', '/api/me/organizer', { as, body });
  const { status, body } = await put(person, profile);
  expect(status).toBe(200);
  expect(body).toMatchObject({ id: person.id, ...profile });
  expect((await get<Organizer>(`/api/organizers/${person.id}`)).body).toMatchObject(profile);
  expect(catalog.media.kept).toEqual(expect.arrayContaining([profile.pictureUrl, profile.coverUrl]));
  // A field that is absent from the request is removed.
  expect((await put(person, { about: 'Only words.' })).body).toMatchObject({
    ...{ about: 'Only words.', links: [], pictureUrl: null, coverUrl: null },
  });
  expect((await put(person, { links: ['javascript:alert(1)'] })).status).toBe(400);
  expect((await put(person, { pictureUrl: 'https://elsewhere.example/a.png' })).status).toBe(400);
  expect((await put(somebody(), { about: 'No events yet.' })).status).toBe(404);
  expect((await catalog.call('PUT', '/api/me/organizer', { body: { about: 'Nobody.' } })).status).toBe(401);
});

test('an account can read how many events it has published', async () => {
  const person = somebody();
  const count = async () => (await catalog.call<Organizing>('GET', '/api/me/organizer', { as: person })).body;
  expect(await count()).toEqual({ events: 0 });
  await catalog.publish(person);
  expect(await count()).toEqual({ events: 1 });
});

test('an event contains its organizer’s name, except in lists', async () => {
  const person = await organizer('Blues Union');
  const { id } = await catalog.publish(person);
  expect((await get<Event>(`/api/events/${id}`)).body.organizerName).toBe('Blues Union');
  const [inList] = (await get<Event[]>('/api/events')).body;
  expect(inList).not.toHaveProperty('organizerName');
});

test('the name comes from the session, and is null if it is unknown', async () => {
  const person = somebody();
  const event = await catalog.publish(person);
  const ofSession = (await get<Organizer>(`/api/organizers/${person.id}`)).body.name;
  expect(ofSession).toBeTruthy();
  expect((await get<Event>(`/api/events/${event.id}`)).body.organizerName).toBe(ofSession);
  await catalog.pool.query('delete from accounts where user_id = $1', [person.id]);
  expect((await get<Organizer>(`/api/organizers/${person.id}`)).body.name).toBeNull();
  expect((await get<Event>(`/api/events/${event.id}`)).body.organizerName).toBeNull();
  await catalog.introduce(person, 'Late Bloomer');
  expect((await get<Organizer>(`/api/organizers/${person.id}`)).body.name).toBe('Late Bloomer');
});

test.each(['0', '-1', '1.5', 'x', '99999999999', '1%27', '4242'])('there is no page of %s', async (id) => {
  expect((await get(`/api/organizers/${id}`)).status).toBe(404);
  expect((await get(`/api/organizers/${id}/events`)).status).toBe(404);
  expect((await follow(somebody(), id as never)).status).toBe(404);
  expect((await unfollow(somebody(), id as never)).status).toBe(404);
});

test('an account without an event has no page', async () => {
  const person = somebody();
  await catalog.introduce(person, 'Only a Guest');
  expect((await get(`/api/organizers/${person.id}`)).status).toBe(404);
});

test('upcoming and past events are listed separately, with postponed events last and without canceled events', async () => {
  const person = await organizer('Two Lists', { title: 'Next', eventDate: '2026-12-05' });
  await catalog.publish(person, { title: 'First', eventDate: '2026-12-02' });
  await catalog.publish(person, { title: 'On right now', eventDate: '2026-12-01', eventStartTime: '09:00' });
  await catalog.publish(person, { title: 'Then', eventDate: '2026-12-06' });
  const { id } = await catalog.publish(person, { title: 'Never' });
  await catalog.call('POST', `/api/events/${id}/cancel`, { as: person });
  const moved = await catalog.publish(person, { title: 'Some day', eventDate: '2026-12-03' });
  await catalog.call('POST', `/api/events/${moved.id}/postpone`, { as: person });
  const before = catalog.time.now;
  catalog.time.now = new Date('2026-12-05T20:00:00Z');
  const { body } = await get<OwnEvents>(`/api/organizers/${person.id}/events`);
  catalog.time.now = before;
  expect(body.upcoming.map(({ title }) => title)).toEqual(['Next', 'Then', 'Some day']);
  expect(body.past.map(({ title }) => title)).toEqual(['First', 'On right now']);
  expect(body).toMatchObject({ upcomingCount: 3, pastCount: 2 });
});

test('lists are limited, and their counts are complete', async () => {
  const person = await organizer('Very Busy');
  // Copies one listing, because publishing this many takes too long.
  await catalog.pool.query(
    `insert into listings select (jsonb_populate_record(l, jsonb_build_object('event_id', 100000 + n))).* from listings l, generate_series(1, 130) n where l.organizer_id = $1`,
    [person.id],
  );
  await catalog.pool.query(
    `insert into event_search select (jsonb_populate_record(null::event_search, to_jsonb(e) || jsonb_build_object('event_id', 100000 + n, 'position', null,
       'starts_at', e.starts_at - interval '10 days' * (n % 2), 'ends_at', e.ends_at - interval '10 days' * (n % 2)))).*
     from event_search e join listings l using (event_id), generate_series(1, 130) n where l.organizer_id = $1 and event_id < 100000`,
    [person.id],
  );
  const { body } = await get<OwnEvents>(`/api/organizers/${person.id}/events`);
  await catalog.pool.query('delete from listings where event_id > 100000');
  await catalog.pool.query('delete from event_search where event_id > 100000');
  expect(body.upcoming).toHaveLength(66);
  expect(body.past).toHaveLength(24);
  expect(body).toMatchObject({ upcomingCount: 66, pastCount: 65 });
});

test('following needs a session, and excludes one’s own page', async () => {
  const person = await organizer();
  expect((await catalog.call('PUT', `/api/organizers/${person.id}/follow`)).status).toBe(401);
  expect((await catalog.call('DELETE', `/api/organizers/${person.id}/follow`)).status).toBe(401);
  expect((await catalog.call('GET', '/api/me/following')).status).toBe(401);
  expect(await follow(person, person.id)).toMatchObject({ status: 409, body: { code: 'own-page' } });
  expect(await followers(person.id)).toBe(0);
});

test('a hundred follow requests of one account make one follower, and a hundred unfollow requests leave none', async () => {
  const { id } = await organizer();
  const fan = somebody();
  const all = await Promise.all(Array.from({ length: 100 }, () => follow(fan, id)));
  for (const { status, body } of all)
    expect({ status, body }).toEqual({ status: 200, body: { following: true, followers: 1 } });
  expect(await followers(id)).toBe(1);
  await Promise.all(Array.from({ length: 100 }, () => unfollow(fan, id)));
  expect(await followers(id)).toBe(0);
  expect((await unfollow(fan, id)).body).toEqual({ following: false, followers: 0 });
});

test('each of several concurrent follows counts, and a concurrent follow and unfollow end either followed or not followed', async () => {
  const { id } = await organizer();
  const fans = Array.from({ length: 60 }, somebody);
  await Promise.all(fans.map((fan) => follow(fan, id)));
  expect(await followers(id)).toBe(60);
  await Promise.all(fans.flatMap((fan) => [unfollow(fan, id), follow(fan, id), unfollow(fan, id)]));
  const count = await followers(id);
  const { rows } = await catalog.pool.query('select count(*)::int as n from follows where organizer_id = $1', [id]);
  expect(rows[0]).toEqual({ n: count });
  await Promise.all(fans.map((fan) => unfollow(fan, id)));
  expect(await followers(id)).toBe(0);
});

test('an account sees only the organizers that it follows, the latest first', async () => {
  const [one, other] = [await organizer('One'), await organizer('Other')];
  const [fan, stranger] = [somebody(), somebody()];
  await follow(fan, one.id);
  await follow(fan, other.id);
  await catalog.publish(other, { title: 'Sooner', eventDate: '2026-12-03' });
  const mine = await catalog.call<Following>('GET', '/api/me/following', { as: fan });
  expect(Following.strict().parse(mine.body).organizers).toEqual([
    { id: other.id, name: 'Other' },
    { id: one.id, name: 'One' },
  ]);
  expect(mine.body.upcoming.map(({ title, userId }) => [title, userId])).toEqual([
    ['Sooner', other.id],
    ['Go-Go at the Wharf', one.id],
    ['Go-Go at the Wharf', other.id],
  ]);
  expect(mine.headers.get('cache-control')).toBe('private, no-store');
  expect((await catalog.call<Following>('GET', '/api/me/following', { as: stranger })).body).toEqual({
    organizers: [],
    upcoming: [],
  });
});

test('the answer to a follow has the cache tag of its change, and is private to its account', async () => {
  const { id } = await organizer();
  const { headers } = await follow(somebody(), id);
  expect(headers.get('cache-control')).toBe('private, no-store');
  expect(headers.get('cache-tag')).toBe(`organizer-${id}`);
});

test('follows per account are limited, and repeats are allowed', async () => {
  const { id } = await organizer();
  const other = await organizer();
  const fan = somebody();
  await catalog.pool.query('insert into follows select $1, 500000 + n from generate_series(1, $2::int) n', [
    fan.id,
    MAX_FOLLOWED - 1,
  ]);
  expect((await follow(fan, id)).status).toBe(200);
  expect(await follow(fan, other.id)).toMatchObject({ status: 409, body: { code: 'too-many-followed' } });
  expect((await follow(fan, id)).status).toBe(200);
  await unfollow(fan, id);
  expect((await follow(fan, other.id)).status).toBe(200);
});

test('a rebuild keeps names and followers', async () => {
  const { id } = await organizer('Rebuilt');
  await follow(somebody(), id);
  await rebuild(catalog.databaseUrl);
  expect((await get<Organizer>(`/api/organizers/${id}`)).body).toMatchObject({ id, name: 'Rebuilt', followers: 1 });
});

test('similar events share tags, category or place; past, canceled, sold-out and unrelated events, and events with the same title, are left out', async () => {
  const person = await organizer('Similar', { eventDate: '2027-02-01' });
  const at = (title: string, more: object) =>
    catalog.publish(person, { title, eventDate: '2027-03-05', location: 'Nowhere Known', tags: [], ...more });
  const event = await at('Quasar', { tags: ['#theremin', '#jazz'], location: 'Blues Alley' });
  await at('quasar', { tags: ['#theremin', '#jazz'], eventDate: '2027-03-06' });
  const shared = await at('Both tags', { tags: ['#Theremin', '#jazz'], eventDate: '2027-03-20' });
  await at('Both tags', { tags: ['#theremin', '#jazz'], eventDate: '2027-03-21' });
  const one = await at('One tag', { tags: ['#theremin'], location: 'Blues Alley' });
  const gone = await at('Canceled', { tags: ['#theremin', '#jazz'] });
  await catalog.call('POST', `/api/events/${gone.id}/cancel`, { as: person });
  const full = await at('Sold out', { ...withTickets, tags: ['#theremin', '#jazz'] });
  await catalog.hear(full.id, { sold: 100, held: 0, version: 9 });
  await catalog.heard();
  await at('Nothing alike', { tags: ['#pottery'] });
  const similar = async (id: number | string) => {
    const { body } = await get<Event[]>(`/api/events/${id}/similar`);
    return body.map((each) => each.title);
  };
  const found = await similar(event.id);
  expect(found.slice(0, 2)).toEqual([shared.title, one.title]);
  expect(found).toHaveLength(3);
  expect(found).not.toContain('Nothing alike');
  expect((await get('/api/events/999999/similar')).status).toBe(404);
  catalog.time.now = new Date('2027-03-20T12:00:00Z');
  expect((await similar(event.id)).slice(0, 1)).toEqual(['Both tags']);
  catalog.time.now = new Date('2027-04-20T12:00:00Z');
  expect(await similar(event.id)).toEqual([]);
  catalog.time.now = new Date('2026-12-01T12:00:00Z');
});

test('a tag that looks like a query is treated as a tag', async () => {
  const person = await organizer('Odd Tags');
  const event = await catalog.publish(person, { title: 'Odd', tags: ['#ßß', '#مرحبا'], location: 'Nowhere Known' });
  const like = await catalog.publish(person, { title: 'Like it', tags: ['#مرحبا'], location: 'Nowhere Known' });
  const { body } = await get<Event[]>(`/api/events/${event.id}/similar`);
  expect(body.map(({ id }) => id)).toEqual([like.id]);
});

test('the sitemap lists visible events, in parts by id, for our own services only', async () => {
  const person = await organizer('In the sitemap');
  const { id } = await catalog.publish(person);
  const gone = await catalog.publish(person);
  await catalog.call('POST', `/api/events/${gone.id}/cancel`, { as: person });
  const ask = <Body>(path: string) =>
    catalog.call<Body>('GET', path, { headers: { 'x-internal-token': INTERNAL_TOKEN } });
  expect((await get('/internal/sitemap')).status).toBe(403);
  expect((await get('/internal/sitemap/1')).status).toBe(403);
  expect((await ask('/internal/sitemap')).body).toEqual({ lastEventId: gone.id });
  const { body } = await ask<SitemapPart>('/internal/sitemap/1');
  expect(body.eventIds).toContain(id);
  expect(body.eventIds).not.toContain(gone.id);
  expect(body.organizerIds.filter((one) => one === person.id)).toHaveLength(1);
  expect((await ask('/internal/sitemap/2')).body).toEqual({ eventIds: [], organizerIds: [] });
  for (const part of ['0', '-1', 'x', '300000']) expect((await ask(`/internal/sitemap/${part}`)).status).toBe(404);
});

test("only other services read an organizer's followers, page by page", async () => {
  const { id } = await organizer();
  const fans = [somebody(), somebody(), somebody()];
  for (const fan of fans) await follow(fan, id);
  const path = `/internal/followers/${id}?limit=2`;
  const page = (after: number) =>
    catalog.call<{ accounts: number[] }>('GET', `${path}&after=${after}`, {
      headers: { 'x-internal-token': INTERNAL_TOKEN },
    });
  expect((await page(0)).body).toEqual({ accounts: [fans[0]!.id, fans[1]!.id] });
  expect((await page(fans[1]!.id)).body).toEqual({ accounts: [fans[2]!.id] });
  expect((await get(path)).status).toBe(403);
});

test("only other services read an account's follows", async () => {
  const [one, other, fan] = [await organizer(), await organizer(), somebody()];
  await follow(fan, one.id);
  await follow(fan, other.id);
  await follow(somebody(), one.id);
  const path = `/internal/following/${fan.id}`;
  const headers = { 'x-internal-token': INTERNAL_TOKEN };
  const ids = [one.id, other.id].toSorted((a, b) => a - b);
  expect((await catalog.call('GET', path, { headers })).body).toEqual({ accounts: ids });
  expect((await catalog.call('GET', `/internal/following/${somebody().id}`, { headers })).body).toEqual({
    accounts: [],
  });
  expect((await get(path)).status).toBe(403);
});
