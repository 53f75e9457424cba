import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event, EventPage } from '@beltway/contracts/catalog/events';
import type { Problem } from '@beltway/contracts/common/basics';
import { rebuild } from '../src/rebuild.ts';
import { startCatalog, withTickets, type Catalog } from './catalog.ts';

const ann = { id: 1 };
const bob = { id: 2 };
let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());

type Answered = Event & Omit<Problem, 'status'>;
const postpone = (id: number, as = ann, headers: Record<string, string> = {}) =>
  catalog.call<Answered>('POST', `/api/events/${id}/postpone`, { as, headers });
const change = (id: number, body: object, headers: Record<string, string> = {}) =>
  catalog.call<Answered>('PATCH', `/api/events/${id}`, { as: ann, body, headers });
const read = async (id: number) => (await catalog.call<Event>('GET', `/api/events/${id}`)).body;
const found = async (query: string) => {
  const { body } = await catalog.call<EventPage>('GET', `/api/events?${query}`);
  return body.items.map(({ id }) => id);
};
const listed = async () => (await catalog.call<Event[]>('GET', '/api/events')).body.map(({ id }) => id);

test('a postponed event is shown as postponed; text searches list it last, and searches by date or for events on sale do not find it', async () => {
  const { id } = await catalog.publish(ann, { ...withTickets, title: 'Zydeco Brunch' });
  const later = await catalog.publish(ann, { ...withTickets, title: 'Zydeco Supper', eventDate: '2026-12-30' });
  expect(await found('q=zydeco')).toEqual([id, later.id]);

  const { status, body } = await postpone(id);
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'postponed', version: 2, eventDate: '2026-12-05T05:00:00.000Z' });
  expect((await read(id)).status).toBe('postponed');

  expect(await found('q=zydeco')).toEqual([later.id, id]);
  expect(await found('q=zydeco&limit=1')).toEqual([later.id]);
  const page = await catalog.call<EventPage>('GET', '/api/events?q=zydeco&limit=1');
  expect(await found(`q=zydeco&limit=1&cursor=${page.body.nextCursor}`)).toEqual([id]);
  expect(await found('q=zydeco&from=2026-12-01&to=2026-12-31')).toEqual([later.id]);
  expect(await found('q=zydeco&onSale=1')).toEqual([later.id]);
  const all = await listed();
  expect(all.indexOf(id)).toBeGreaterThan(all.indexOf(later.id));

  // Two weeks after its old date the event is still listed and not over.
  catalog.time.now = new Date('2026-12-20T12:00:00Z');
  expect(await found('q=zydeco')).toEqual([later.id, id]);
  expect(await listed()).toContain(id);
  catalog.time.now = new Date('2026-12-01T12:00:00Z');

  const moved = await change(id, { eventDate: '2026-12-12' });
  expect(moved.body).toMatchObject({ status: 'published', eventDate: '2026-12-12T05:00:00.000Z', version: 3 });
  expect(await found('q=zydeco&from=2026-12-12&to=2026-12-12&onSale=1')).toEqual([id]);
});

test('a postponement publishes that the event’s sale is closed, and a new date publishes that the sale is open again', async () => {
  const { id } = await catalog.publish(ann, withTickets);
  await postpone(id);
  await change(id, { title: 'Still no date' });
  await change(id, { eventDate: '2026-12-12' });
  const told = (await catalog.told()).filter(({ key }) => key === `event-${id}`);
  const states = told.map(({ type, data }) => {
    const { isPostponed = false, salesEnabled, version } = data as Record<string, unknown>;
    return [type, isPostponed, salesEnabled, version];
  });
  expect(states).toEqual([
    ['catalog.event-published', false, true, 1],
    ['catalog.event-updated', true, false, 2],
    ['catalog.event-updated', true, false, 3],
    ['catalog.event-updated', false, true, 4],
  ]);
});

test('a postponement is refused for another user, if the event changed since the organizer read it, and if it is already postponed', async () => {
  const { id } = await catalog.publish(ann, withTickets);
  expect((await postpone(id, bob)).status).toBe(403);
  await change(id, { title: 'Changed meanwhile' });
  const stale = await postpone(id, ann, { 'if-match': '"1"' });
  expect([stale.status, stale.body.code]).toEqual([412, 'changed-meanwhile']);
  const key = { 'idempotency-key': 'postpone-once', 'if-match': '"2"' };
  expect((await postpone(id, ann, key)).body.status).toBe('postponed');
  expect((await postpone(id, ann, key)).status).toBe(200);
  const twice = await postpone(id);
  expect([twice.status, twice.body.code]).toEqual([409, 'already-postponed']);
  expect((await change(id, { eventDate: '2026-11-01' })).body.errors).toMatchObject([{ field: 'eventDate' }]);
  const canceled = await catalog.call<Event>('POST', `/api/events/${id}/cancel`, { as: ann });
  expect(canceled.body.status).toBe('canceled');
});

test('of concurrent edits and a postponement of the same version, only one succeeds', async () => {
  const { id } = await catalog.publish(ann, withTickets);
  const seen = { 'if-match': '"1"' };
  const answers = await Promise.all([
    change(id, { title: 'One' }, seen),
    postpone(id, ann, seen),
    change(id, { location: 'Elsewhere' }, seen),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
  expect((await read(id)).version).toBe(2);
});

test('a rebuild gives the same events, postponed or with a new date', async () => {
  const [one, other] = [await catalog.publish(ann, withTickets), await catalog.publish(ann, withTickets)];
  await postpone(one.id);
  await change(one.id, { title: 'No date yet' });
  await postpone(other.id);
  await change(other.id, { eventDate: '2026-12-13' });
  for (const { table, before, after } of await rebuild(catalog.databaseUrl).then(({ tables }) => tables))
    expect(after, table).toBe(before);
  expect((await read(one.id)).status).toBe('postponed');
  expect((await read(other.id)).status).toBe('published');
});
