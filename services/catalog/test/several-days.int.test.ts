import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { EventPublishedV1, EventUpdatedV1, type Event, type EventPage } from '@beltway/contracts/catalog/events';
import type { HomeStats } from '@beltway/contracts/catalog/stats';
import type { Problem } from '@beltway/contracts/common/basics';
import { rebuild } from '../src/rebuild.ts';
import { INTERNAL_TOKEN, concert, startCatalog, withTickets, type Catalog } from './catalog.ts';

const ann = { id: 1 };
const bob = { id: 2 };
const NOW = new Date('2026-12-01T12:00:00Z');
let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());
beforeEach(() => void (catalog.time.now = NOW));

let series = 0;
/** A new tag for the events of one test. */
const aTag = () => `d${++series}x`;
/** From Friday to Sunday, 10 AM to 11 PM. */
const DAYS = { eventDate: '2026-12-04', eventLastDate: '2026-12-06', eventStartTime: '10:00', eventEndTime: '23:00' };
const publish = (title: string, tag: string, more: object = {}) =>
  catalog.publish(ann, { title, tags: [tag], ...more });
const change = (id: number, body: object) => catalog.call<Event>('PATCH', `/api/events/${id}`, { as: ann, body });
const titles = async (query: Record<string, string>) => {
  const { body } = await catalog.call<EventPage>('GET', `/api/events?${new URLSearchParams(query)}`);
  return body.items.map(({ title }) => title);
};
const list = async (path = '/api/events') => (await catalog.call<Event[]>('GET', path)).body.map(({ id }) => id);
const text = async (path: string) => (await fetch(catalog.url + path)).text();
/** An instant in New York's winter time. */
const at = (day: string, time = '12:00') => new Date(`${day}T${time}:00-05:00`);

test('an event has its last day in every response and message, and the last day can be removed', async () => {
  const event = await publish('Festival', aTag(), DAYS);
  expect(event).toMatchObject({
    eventDate: '2026-12-04T05:00:00.000Z',
    eventLastDate: '2026-12-06T05:00:00.000Z',
  });
  const moved = await change(event.id, { eventDate: '2026-12-11' });
  expect(moved.body.eventLastDate).toBe('2026-12-13T05:00:00.000Z');
  const single = await change(event.id, { eventLastDate: '' });
  expect(single.body.eventLastDate).toBeNull();
  const [published, updated, last] = (await catalog.told()).filter(({ key }) => key === `event-${event.id}`);
  expect(EventPublishedV1.parse(published).data.eventLastDate).toBe('2026-12-06T05:00:00.000Z');
  expect(EventUpdatedV1.parse(updated).data.eventLastDate).toBe('2026-12-13T05:00:00.000Z');
  expect(EventUpdatedV1.parse(last).data).not.toHaveProperty('eventLastDate');
});

test.each(['2026-12-03', '2027-01-04', 'tomorrow'])(
  'the last day %s is refused at its field',
  async (eventLastDate) => {
    const { status, body } = await catalog.call<Problem>('POST', '/api/events', {
      as: ann,
      body: { ...concert, ...DAYS, eventLastDate },
    });
    expect([status, body.errors?.map(({ field }) => field)]).toEqual([400, ['eventLastDate']]);
  },
);

test('a search for a day finds an event of several days on each of its days, and on no other day', async () => {
  const tag = aTag();
  await publish('Festival', tag, DAYS);
  await publish('Saturday', tag, { eventDate: '2026-12-05', eventStartTime: '20:00' });
  const on = (day: string) => titles({ tags: tag, from: day, to: day });
  expect(await on('2026-12-03')).toEqual([]);
  expect(await on('2026-12-04')).toEqual(['Festival']);
  expect(await on('2026-12-05')).toEqual(['Festival', 'Saturday']);
  expect(await on('2026-12-06')).toEqual(['Festival']);
  expect(await on('2026-12-07')).toEqual([]);
});

test('‘tonight’ and ‘today’ find the event on its second day; after its last day the event has ended', async () => {
  const tag = aTag();
  const { id } = await publish('Festival', tag, DAYS);
  catalog.time.now = at('2026-12-05', '18:00');
  for (const q of ['tonight', 'today', 'tomorrow', 'this weekend'])
    expect([q, await titles({ tags: tag, q })]).toEqual([q, ['Festival']]);
  expect(await titles({ tags: tag })).toEqual(['Festival']);
  expect(await titles({ tags: tag, sort: 'soonest', limit: '1' })).toEqual(['Festival']);
  catalog.time.now = at('2026-12-06', '22:59');
  expect(await titles({ tags: tag, q: 'tonight' })).toEqual(['Festival']);
  catalog.time.now = at('2026-12-06', '23:00');
  expect(await titles({ tags: tag })).toEqual([]);
  // The list of current events contains it until 6 AM.
  const plain = async () => (await list()).indexOf(id);
  const { id: next } = await publish('Monday', aTag(), { eventDate: '2026-12-07', eventStartTime: '20:00' });
  catalog.time.now = at('2026-12-07', '05:59');
  expect(await plain()).toBeLessThan((await list()).indexOf(next));
  catalog.time.now = at('2026-12-07', '06:01');
  expect(await plain()).toBeGreaterThan((await list()).indexOf(next));
});

test('pages with one-day events and events of several days neither repeat nor skip an event', async () => {
  const tag = aTag();
  await publish('A month', tag, { ...DAYS, eventDate: '2026-12-02', eventLastDate: '2027-01-01' });
  await publish('Festival', tag, DAYS);
  for (const day of ['05', '06', '07'])
    await publish(day, tag, { eventDate: `2026-12-${day}`, eventStartTime: '21:00' });
  catalog.time.now = at('2026-12-05', '18:00');
  const all = ['A month', 'Festival', '05', '06', '07'];
  for (const more of [{}, { sort: 'soonest' }, { sort: 'popular' }]) {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query = new URLSearchParams({ tags: tag, limit: '2', ...more, ...(cursor && { cursor }) });
      const { body }: { body: EventPage } = await catalog.call<EventPage>('GET', `/api/events?${query}`);
      seen.push(...body.items.map(({ title }) => title));
      cursor = body.nextCursor;
    }
    expect(seen).toEqual(all);
  }
  expect(await titles({ tags: tag, sort: 'newest' })).toEqual(all.toReversed().with(3, 'Festival').with(4, 'A month'));
});

test('a saved search for a day finds the event in the same way as a search', async () => {
  const tag = aTag();
  const search = { tags: tag, from: '2026-12-05', to: '2026-12-05' };
  const saved = await catalog.call('POST', '/api/me/saved-searches', { as: bob, body: { name: 'Saturday', search } });
  expect(saved.status).toBe(201);
  const { id } = await publish('Festival', tag, DAYS);
  const { body } = await catalog.call<{ accounts: Array<{ id: number }> }>(
    'GET',
    `/internal/saved-searches/matches?event=${id}&after=0`,
    { headers: { 'x-internal-token': INTERNAL_TOKEN } },
  );
  expect(JSON.stringify(body)).toContain('Saturday');
});

test('calendars, feeds and embeds have the first and the last day of an event', async () => {
  const tag = aTag();
  const { id } = await publish('Festival', tag, DAYS);
  catalog.time.now = at('2026-12-05', '18:00');
  const calendar = await text(`/api/events.ics?tags=${tag}`);
  expect(calendar).toContain('DTSTART:20261204T150000Z');
  expect(calendar).toContain('DTEND:20261207T040000Z');
  expect(await text(`/api/events/${id}.ics`)).toContain('DTEND:20261207T040000Z');
  expect(await text(`/api/events.rss?tags=${tag}`)).toContain('Fri, Dec 4, 2026 – Sun, Dec 6, 2026, 10 AM ET');
  expect(await text(`/embed?tags=${tag}`)).toContain('Fri, Dec 4 – Tomorrow, 10 AM ET');
  expect((await catalog.call('POST', `/api/events/${id}/cancel`, { as: ann })).status).toBe(200);
  expect(await text(`/api/events.ics?tags=${tag}`)).toContain('STATUS:CANCELLED');
  catalog.time.now = at('2026-12-06', '23:01');
  expect(await text(`/api/events.ics?tags=${tag}`)).not.toContain('Festival');
});

test('for saved events, promotions, interest and the figures of the day, the event is current until its last day', async () => {
  const tag = aTag();
  const event = await publish('Festival', tag, DAYS);
  await catalog.promote(event.id, 'premium');
  await catalog.heard();
  await catalog.call('PUT', `/api/events/${event.id}/bookmark`, { as: bob, body: {} });
  catalog.time.now = at('2026-12-06', '12:00');
  const eventsToday = async () => (await catalog.call<HomeStats>('GET', '/api/stats')).body.eventsToday;
  const saved = async (part: string) =>
    (await catalog.call<EventPage>('GET', `/api/me/bookmarks?part=${part}`, { as: bob })).body.items.map(
      ({ id }) => id,
    );
  expect(await saved('upcoming')).toContain(event.id);
  expect(await eventsToday()).toBeGreaterThan(0);
  const interest = await catalog.call('PUT', `/api/events/${event.id}/interest`, {
    as: bob,
    body: { interest: 'going' },
  });
  expect(interest.status).toBe(200);
  catalog.time.now = at('2026-12-08', '12:00');
  expect(await saved('upcoming')).not.toContain(event.id);
  expect(await saved('past')).toContain(event.id);
});

test('all dates of a series take the same number of days', async () => {
  const tag = aTag();
  await publish('Weekend', tag, { ...DAYS, repeat: { every: 'week', count: 3 } });
  const { body } = await catalog.call<EventPage>('GET', `/api/events?tags=${tag}&sort=soonest`);
  expect(
    body.items.map(({ eventDate, eventLastDate }) => [eventDate.slice(0, 10), eventLastDate?.slice(0, 10)]),
  ).toEqual([
    ['2026-12-04', '2026-12-06'],
    ['2026-12-11', '2026-12-13'],
    ['2026-12-18', '2026-12-20'],
  ]);
});

test('no search for a day finds a postponed event of several days, and a rebuild changes nothing', async () => {
  const tag = aTag();
  const { id } = await publish('Festival', tag, DAYS);
  await publish('Other', tag, { ...DAYS, eventDate: '2026-12-05' });
  await catalog.call('POST', `/api/events/${id}/postpone`, { as: ann });
  const all = async () => [
    await titles({ tags: tag, from: '2026-12-06', to: '2026-12-06' }),
    await titles({ tags: tag }),
    await text(`/api/events.ics?tags=${tag}`),
  ];
  const before = await all();
  expect(before.slice(0, 2)).toEqual([['Other'], ['Other', 'Festival']]);
  await rebuild(catalog.databaseUrl);
  expect(await all()).toEqual(before);
});

test('an event of one day is stored in the same way if its last day is absent, null or equal to the first day', async () => {
  const forms = [{}, { eventLastDate: null }, { eventLastDate: '' }, { eventLastDate: '2026-12-05' }];
  const shown = await Promise.all(
    forms.map(async (form) => {
      const tag = aTag();
      const { id, ...event } = await publish('One evening', tag, { ...withTickets, ...form });
      const messages = (await catalog.told()).filter(({ key }) => key === `event-${id}`).map(({ data }) => data);
      const { rows } = await catalog.pool.query<{ data: object }>('select data from events where stream = $1', [
        `event-${id}`,
      ]);
      const feeds = [
        await text(`/api/events.ics?tags=${tag}`),
        await text(`/api/events.rss?tags=${tag}`),
        await text(`/embed?tags=${tag}`),
      ];
      return JSON.stringify([event, messages, rows, feeds])
        .replaceAll(new RegExp(`(?<=event[-/]|Id":)${id}\\b`, 'g'), '0')
        .replaceAll(tag, 'tag')
        .replaceAll(/posters\/[\w-]+/g, '')
        .replaceAll(/"createdAt":"[^"]*"|<pubDate>[^<]*<|DTSTAMP:\w+|LAST-MODIFIED:\w+/g, '""');
    }),
  );
  for (const one of shown) expect(one).toBe(shown[0]);
  expect(shown[0]).toContain('Sat, Dec 5');
  // The last day is absent both from messages and from the log.
  expect(shown[0]!.match(/eventLastDate/g)).toHaveLength(1);
});
