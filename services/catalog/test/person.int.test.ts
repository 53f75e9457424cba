import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event } from '@beltway/contracts/catalog/events';
import type { Organizer } from '@beltway/contracts/catalog/organizers';
import { HIGHEST_ACCOUNT, erasePerson } from '../src/person.ts';
import { rebuild } from '../src/rebuild.ts';
import { INTERNAL_TOKEN, startCatalog, withTickets, type Catalog } from './catalog.ts';

const ada = { id: 901, name: 'Ada Lovelace-Erased', role: 'business' as const };
const bob = { id: 902, name: 'Bob' };
const internal = { headers: { 'x-internal-token': INTERNAL_TOKEN } };

let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());

const erase = (userId: number) =>
  erasePerson({ pool: catalog.pool, listings: catalog.listings, clock: () => catalog.time.now }, userId);
const like = (as: typeof bob, eventId: number) => catalog.call('PUT', `/api/events/${eventId}/like`, { as });

/** All contents of the catalog's database, as text. */
async function everything(): Promise<string> {
  const { rows: tables } = await catalog.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const contents = await Promise.all(
    tables.map(({ name }) => catalog.pool.query(`select to_json(t)::text as row from "${name}" t`)),
  );
  return JSON.stringify(contents.map(({ rows }) => rows as unknown));
}

test('an erased person is removed from events, likes and names, and a rebuild brings nothing back', async () => {
  const contactEmail = 'ada-booking@example.test';
  const coming = await catalog.publish(ada, { ...withTickets, contactEmail, eventDate: '2026-12-20T05:00:00.000Z' });
  const past = await catalog.publish(ada, { contactEmail });
  await catalog.call('PATCH', `/api/events/${past.id}`, { as: ada, body: { title: 'Go-Go, longer' } });
  const other = await catalog.publish(bob);
  await like(ada, other.id);
  await like(bob, other.id);
  await catalog.call('PUT', `/api/organizers/${bob.id}/follow`, { as: ada });
  await catalog.call('PUT', '/api/me/organizer', { as: ada, body: { about: 'Countess of engines' } });
  catalog.time.now = new Date('2026-12-10T12:00:00Z');

  const part = await catalog.call<Record<string, unknown[]>>('GET', `/internal/people/${ada.id}`, internal);
  expect(part.body).toMatchObject({
    events: [{ contactEmail }, { contactEmail }],
    organizerProfile: { about: 'Countess of engines' },
    isComplete: true,
  });
  expect(part.body['reactions']!.length).toBeGreaterThan(0);
  expect((await catalog.call('GET', `/internal/people/${ada.id}`)).status).toBe(403);

  const { rows } = await catalog.pool.query(`select (${HIGHEST_ACCOUNT}) as highest`);
  expect(rows).toEqual([{ highest: bob.id }]);
  const likes = async () => (await catalog.call<Event>('GET', `/api/events/${other.id}`)).body.counts!.likes;
  const before = await likes();
  await erase(ada.id);
  await erase(ada.id);

  expect(await everything()).not.toMatch(/Ada Lovelace|ada-booking|Countess/);
  expect(await likes()).toBe(before - 1);
  expect((await catalog.call<Event>('GET', `/api/events/${coming.id}`)).body.status).toBe('canceled');
  expect((await catalog.call<Event>('GET', `/api/events/${past.id}`)).body.status).toBe('published');
  expect((await catalog.call<Organizer>('GET', `/api/organizers/${ada.id}`)).body.name).toBe('Deleted account');

  const { tables } = await rebuild(catalog.databaseUrl);
  for (const { table, before: was, after } of tables) expect(after, table).toBe(was);
  expect(await everything()).not.toMatch(/ada-booking/);
  // Log events that are appended later contain no address either.
  await catalog.promote(past.id, 'featured');
  await catalog.heard();
  expect(await everything()).not.toMatch(/ada-booking/);
  expect((await catalog.told()).filter(({ type }) => type === 'catalog.event-canceled')).toHaveLength(1);
});
