import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event } from '@beltway/contracts/catalog/events';
import type { Problem } from '@beltway/contracts/common/basics';
import { openStore } from '@beltway/event-store';
import { openListings } from '../src/event/stream.ts';
import { rebuild } from '../src/rebuild.ts';
import { continueSeries } from '../src/series/jobs.ts';
import { keepSeries, publishSeries, type SeriesDeps } from '../src/series/series.ts';
import { toMessages } from '../src/publish.ts';
import { concert, startCatalog, withTickets, type Catalog } from './catalog.ts';

const ann = { id: 1 };
let catalog: Catalog;
let deps: SeriesDeps;
let closeStore: () => Promise<void>;
beforeAll(async () => {
  catalog = await startCatalog();
  const store = openStore({ url: catalog.databaseUrl, toMessages });
  deps = { pool: catalog.pool, listings: openListings(store) };
  closeStore = () => store.close();
});
afterAll(async () => {
  await closeStore();
  await catalog.close();
});

type Answered = Event & Omit<Problem, 'status'>;
const launch = (more: object, key?: string) =>
  catalog.call<Answered>('POST', '/api/events', {
    as: ann,
    body: { ...concert, ...withTickets, ...more },
    headers: key ? { 'idempotency-key': key } : {},
  });
const datesOf = async (id: number) => (await catalog.call<Event[]>('GET', `/api/events/${id}/dates`)).body;
const inSeries = async (seriesId: number) =>
  (await catalog.pool.query<{ n: number }>('select count(*)::int as n from listings where series_id = $1', [seriesId]))
    .rows[0]!.n;

test('a weekly series has an event per date, each with its own tickets, at the same hour in New York', async () => {
  const { status, body } = await launch({ eventDate: '2027-03-06', repeat: { every: 'week', count: 4 } });
  expect(status).toBe(201);
  expect(body).toMatchObject({ eventDate: '2027-03-06T05:00:00.000Z', seriesId: body.id, totalTickets: 100 });
  const others = await datesOf(body.id);
  expect(others.map(({ eventDate, eventStartTime }) => [eventDate, eventStartTime])).toEqual([
    ['2027-03-13T05:00:00.000Z', '19:00'],
    ['2027-03-20T04:00:00.000Z', '19:00'],
    ['2027-03-27T04:00:00.000Z', '19:00'],
  ]);
  expect(new Set(others.map(({ seriesId }) => seriesId))).toEqual(new Set([body.id]));
  const of = others[1]!;
  expect((await datesOf(of.id)).map(({ id }) => id)).toEqual([body.id, others[0]!.id, others[2]!.id]);

  // Each event of the series changes independently.
  await catalog.call('POST', `/api/events/${of.id}/cancel`, { as: ann });
  await catalog.call('POST', `/api/events/${others[0]!.id}/postpone`, { as: ann });
  await catalog.call('PATCH', `/api/events/${others[2]!.id}`, { as: ann, body: { title: 'The Last One' } });
  expect((await datesOf(body.id)).map(({ title, status: is }) => [title, is])).toEqual([
    ['The Last One', 'published'],
    [concert.title, 'postponed'],
  ]);
  const told = (await catalog.told()).filter(({ data }) => (data as { seriesId?: number }).seriesId === body.id);
  expect(told.map(({ type }) => type)).toEqual([
    ...Array.from({ length: 4 }, () => 'catalog.event-published'),
    ...['catalog.event-updated', 'catalog.event-updated'],
  ]);
});

test('if daylight saving time skips the hour of a date, only this date begins an hour later; the same is true for a change', async () => {
  const { body } = await launch({
    ...{ eventDate: '2027-03-07', eventStartTime: '02:30', eventEndTime: '04:00' },
    repeat: { every: 'week', count: 3 },
  });
  const all = [body, ...(await datesOf(body.id))];
  expect(all.map((event) => [event.eventDate.slice(0, 10), event.eventStartTime, event.eventEndTime])).toEqual([
    ['2027-03-07', '02:30', '04:00'],
    ['2027-03-14', '03:30', '04:00'],
    ['2027-03-21', '02:30', '04:00'],
  ]);
  const file = await fetch(`${catalog.url}/api/events/${all[1]!.id}.ics`);
  expect(await file.text()).toContain('DTSTART:20270314T073000Z');
  const { body: moved } = await catalog.call<Event>('PATCH', `/api/events/${all[2]!.id}`, {
    ...{ as: ann, body: { eventDate: '2028-03-12' } },
  });
  expect([moved.eventStartTime, moved.eventEndTime]).toEqual(['03:30', '04:00']);
});

test('sales end the same number of days before each date, at the same hour; sales of all dates begin together', async () => {
  const times = { ticketSalesStartTime: '2026-12-02T15:00:00Z', ticketSalesEndTime: '2027-03-05T22:00:00Z' };
  const { body } = await launch({ ...times, eventDate: '2027-03-06', repeat: { every: 'week', count: 3 } });
  const all = [body, ...(await datesOf(body.id))];
  expect(all.map((event) => [event.ticketSalesStartTime, event.ticketSalesEndTime])).toEqual([
    ['2026-12-02T15:00:00.000Z', '2027-03-05T22:00:00.000Z'],
    ['2026-12-02T15:00:00.000Z', '2027-03-12T22:00:00.000Z'],
    ['2026-12-02T15:00:00.000Z', '2027-03-19T21:00:00.000Z'],
  ]);
});

test('requests with the same key return the same series, even if they are concurrent', async () => {
  const repeat = { every: 'date', dates: ['2027-05-03', '2027-05-01', '2027-05-03'] };
  const asked = { eventDate: '2027-05-02', repeat };
  const answers = await Promise.all([1, 2, 3].map(() => launch(asked, 'one-launch-key')));
  const again = await launch(asked, 'one-launch-key');
  const ids = new Set([...answers, again].map(({ body }) => body.id));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(ids.size).toBe(1);
  expect(await inSeries(again.body.id)).toBe(3);
  expect(again.body.eventDate).toBe('2027-05-01T04:00:00.000Z');
  const other = await launch({ ...asked, title: 'Another' }, 'one-launch-key');
  expect(other.status).toBe(422);
});

/** Simulates a process that dies after publishing `events` events of the series. */
const dyingAfter = (events: number): SeriesDeps => {
  let left = events;
  return {
    ...deps,
    listings: {
      ...deps.listings,
      handle: async (...call) => {
        if (left-- === 0) throw new Error('the process died');
        return deps.listings.handle(...call);
      },
    },
  };
};

test.each([0, 1, 2, 3])(
  'after a crash when %d of 4 events exist, the job publishes the others, and no event twice',
  async (events) => {
    const [seriesId] = (await catalog.pool.query(`select nextval('event_ids')::int as id`)).rows.map(({ id }) => id);
    const one = await catalog.publish(ann);
    const { rows } = await catalog.pool.query(
      `select data->'details' as details from events where stream = $1 and version = 1`,
      [`event-${one.id}`],
    );
    const series = { organizerId: ann.id, details: rows[0].details, askedAt: catalog.time.now.toISOString() };
    const days = ['2026-12-05', '2026-12-12', '2026-12-19', '2026-12-26'];
    await keepSeries(deps, seriesId, series, days);
    await expect(publishSeries(dyingAfter(events), seriesId, { correlationId: 'test' })).rejects.toThrow('died');
    expect(await inSeries(seriesId)).toBe(events);
    await Promise.all([continueSeries(deps, '0 seconds'), continueSeries(deps, '0 seconds')]);
    await continueSeries(deps, '0 seconds');
    expect(await inSeries(seriesId)).toBe(4);
    const published = await catalog.pool.query(
      `select count(*)::int as n from events e join series_dates d on e.stream = 'event-' || d.event_id where d.series_id = $1`,
      [seriesId],
    );
    expect(published.rows[0].n).toBe(4);
    expect(
      (await catalog.pool.query('select details from event_series where series_id = $1', [seriesId])).rows,
    ).toEqual([{ details: null }]);
    // Repeating the request creates nothing.
    await keepSeries(deps, seriesId, series, days);
    expect(await inSeries(seriesId)).toBe(4);
  },
);

test.each([
  ['too many dates', { every: 'week', count: 53 }, 'repeat.count'],
  ['only one', { every: 'date', dates: ['2026-12-05'] }, 'repeat'],
  ['a date that is past', { every: 'date', dates: ['2026-11-01'] }, 'eventDate'],
  ['dates beyond all calendars', { every: 'date', dates: ['2101-01-01'] }, 'repeat'],
  ['a last Saturday that is none', { every: 'month', by: 'last-weekday', count: 3 }, 'repeat'],
  ['no rule', { every: 'moon' }, 'repeat.every'],
])('refuses %s, names the field, and publishes no event', async (_what, repeat, field) => {
  const before = await catalog.pool.query('select count(*) from listings');
  const { status, body } = await launch({ repeat });
  expect(status).toBe(400);
  expect(body.errors?.[0]?.field).toBe(field);
  expect((await catalog.pool.query('select count(*) from listings')).rows).toEqual(before.rows);
});

test('a series refused by the rules of events leaves nothing to retry', async () => {
  const times = { ticketSalesStartTime: '2027-01-01T00:00:00Z', ticketSalesEndTime: '2026-12-05T00:00:00Z' };
  const { status, body } = await launch({ ...times, repeat: { every: 'week', count: 2 } });
  expect([status, body.code]).toEqual([400, 'sales-end-before-start']);
  expect((await catalog.pool.query('select 1 from event_series where published_at is null')).rowCount).toBe(0);
});

test('an event without a series, or an unknown one, has no other dates', async () => {
  const { id } = await catalog.publish(ann);
  expect(await datesOf(id)).toEqual([]);
  expect(await datesOf(2_000_000_000)).toEqual([]);
});

test('a rebuild gives the same series', async () => {
  for (const { table, before, after } of (await rebuild(catalog.databaseUrl)).tables) expect(after, table).toBe(before);
});
