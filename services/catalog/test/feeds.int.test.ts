import ICAL from 'ical.js';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Event } from '@beltway/contracts/catalog/events';
import type { Problem } from '@beltway/contracts/common/basics';
import { logger } from '@beltway/kit/logger';
import { eventually, runJobs } from '@beltway/kit/testing';
import { rebuild } from '../src/rebuild.ts';
import { startCatchingUp } from '../src/search/catch-up.ts';
import { PUBLIC_URL, startCatalog, withTickets, type Catalog } from './catalog.ts';

const ann = { id: 1 };

let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());

let series = 0;
/** A new tag for the events of one test. */
const aTag = () => `f${++series}x`;
const publish = (title: string, more: object = {}) => catalog.publish(ann, { title, tags: ['#x'], ...more });
const update = async ({ id }: Event, change: object) => {
  const { status } = await catalog.call('PATCH', `/api/events/${id}`, { as: ann, body: change });
  expect(status).toBe(200);
};
const cancel = async ({ id }: Event) => {
  const { status } = await catalog.call('POST', `/api/events/${id}/cancel`, { as: ann });
  expect(status).toBe(200);
};

/** Sends a request without credentials, as feed readers do. */
const ask = (path: string) => fetch(catalog.url + path);
const address = (kind: 'ics' | 'rss', query: Record<string, string | number>) =>
  `/api/events.${kind}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`;

async function calendarAt(path: string) {
  const answer = await ask(path);
  const text = await answer.text();
  expect([answer.status, answer.headers.get('content-type')], text).toEqual([200, 'text/calendar; charset=utf-8']);
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  const events = calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    return {
      ...{ uid: event.uid, sequence: Number(event.sequence), title: event.summary, place: event.location },
      ...{ words: event.description, status: component.getFirstPropertyValue('status') },
      stamp: String(component.getFirstPropertyValue('dtstamp')),
      start: String(event.startDate),
      end: String(event.endDate),
      url: component.getFirstPropertyValue('url'),
      geo: component.getFirstPropertyValue('geo'),
    };
  });
  return { answer, text, calendar, events };
}
const calendar = async (query: Record<string, string | number>) => (await calendarAt(address('ics', query))).events;

/** Parses a feed as a reader does; fails if the XML is not well-formed. */
async function rssAt(query: Record<string, string | number>) {
  const answer = await ask(address('rss', query));
  const text = await answer.text();
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=utf-8']);
  const elements: Array<{ path: string; text: string; attributes: Record<string, string> }> = [];
  const open: typeof elements = [];
  const parser = new SaxesParser({ xmlns: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { path: [...open.map(({ path }) => path).slice(-1), name].join('/'), text: '', attributes };
    open.push(element);
    elements.push(element);
  });
  parser.on('text', (part) => {
    if (open.length > 0) open.at(-1)!.text += part;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  const all = (path: string) => elements.filter((element) => element.path === path);
  return { answer, text, all, texts: (path: string) => all(path).map((element) => element.text) };
}

const HOSTILE = [
  '</script><script>alert(1)</script>',
  ']]> <![CDATA[ &amp; "quotes" \'single\'',
  'שלום עולם, موسيقى',
  '👩🏽‍🍳 王 Café; a, b \\n',
];

describe('a calendar', () => {
  test('has a position only for a known location, not for "in Washington"', async () => {
    const tag = aTag();
    await publish('A spot', { tags: [`#${tag}`], location: 'The Anthem, Washington, DC' });
    await publish('Somewhere', { tags: [`#${tag}`], location: 'The Odd Bar, 14 Nowhere Lane, Washington, DC' });
    const found = await calendar({ tags: tag });
    expect(found.map(({ title, geo }) => [title, geo !== null])).toEqual([
      ['A spot', true],
      ['Somewhere', false],
    ]);
  });
  test('has the events of its search, each with its page, for every visitor', async () => {
    const tag = aTag();
    const event = await publish('Jazz', { tags: [`#${tag}`], ...withTickets });
    await publish('Elsewhere');
    const { answer, events, calendar: whole } = await calendarAt(address('ics', { tags: tag, q: 'jazz' }));
    expect(events).toMatchObject([
      {
        ...{
          uid: `event-${event.id}@beltway`,
          title: 'Jazz',
          place: 'The Wharf, DC',
          status: 'CONFIRMED',
          sequence: 0,
        },
        ...{ start: '2026-12-06T00:00:00Z', end: '2026-12-06T03:00:00Z', url: `${PUBLIC_URL}/event/${event.id}` },
        stamp: event.createdAt.replace(/\.\d+Z$/, 'Z'),
      },
    ]);
    expect(events[0]!.words).toBe(`Tickets $25.00\n\nThree bands, one pier.\n\n${PUBLIC_URL}/event/${event.id}`);
    expect(whole.getFirstPropertyValue('x-wr-calname')).toBe(`Beltway: jazz\\, ${tag}`);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=1');
    expect(answer.headers.get('cache-tag')).toBe('events');
  });

  test.each([
    ['the night clocks go back', '2027-11-06', '23:00', '03:00', '2027-11-07T03:00:00Z', '2027-11-07T08:00:00Z'],
    ['the night clocks go forward', '2027-03-13', '23:00', '04:00', '2027-03-14T04:00:00Z', '2027-03-14T08:00:00Z'],
    ['summer', '2027-07-04', '19:00', '', '2027-07-04T23:00:00Z', '2027-07-05T02:00:00Z'],
    ['winter', '2027-01-04', '19:00', '21:30', '2027-01-05T00:00:00Z', '2027-01-05T02:30:00Z'],
  ])('has the hours in New York on %s', async (_name, eventDate, eventStartTime, eventEndTime, start, end) => {
    const tag = aTag();
    await publish('Hours', { tags: [`#${tag}`], eventDate, eventStartTime, eventEndTime });
    expect(await calendar({ tags: tag })).toMatchObject([{ start, end }]);
  });

  test('follows changes: the same entry, with a later sequence and stamp', async () => {
    const tag = aTag();
    const event = await publish('Before', { tags: [`#${tag}`] });
    const [before] = await calendar({ tags: tag });
    await update(event, { title: 'After' });
    await update(event, { location: 'Anacostia, DC' });
    const [after] = await calendar({ tags: tag });
    expect(after).toMatchObject({ uid: before!.uid, title: 'After', place: 'Anacostia, DC', sequence: 2 });
    expect(after!.stamp >= before!.stamp).toBe(true);
    const { rows } = await catalog.pool.query<{ same: boolean }>(
      `select l.changed_at = e.occurred_at::timestamptz(3) as same from listings l join events e
         on e.stream = 'event-' || l.event_id and e.version = l.version where l.event_id = $1`,
      [event.id],
    );
    expect(rows).toEqual([{ same: true }]);
  });

  test('contains a canceled event, marked as canceled, until its end; a search no longer finds the event', async () => {
    const tag = aTag();
    const event = await publish('Off', { tags: [`#${tag}`], ...withTickets });
    await publish('On', { tags: [`#${tag}`], eventDate: '2026-12-20' });
    await cancel(event);
    const shown = (await calendar({ tags: tag, onSale: '' })).map(({ title, status, sequence }) => [
      title,
      status,
      sequence,
    ]);
    expect(shown).toEqual([
      ['Canceled: Off', 'CANCELLED', 1],
      ['On', 'CONFIRMED', 0],
    ]);
    expect(await calendar({ tags: tag, onSale: 1 })).toMatchObject([{ title: 'Canceled: Off', status: 'CANCELLED' }]);
    const found = await catalog.call<{ items: Event[] }>('GET', `/api/events?tags=${tag}`);
    expect(found.body.items.map(({ title }) => title)).toEqual(['On']);
    catalog.time.now = new Date('2026-12-06T12:00:00Z');
    expect(await calendar({ tags: tag })).toMatchObject([{ title: 'On' }]);
    catalog.time.now = new Date('2026-12-01T12:00:00Z');
  });

  test('shows a postponed event as canceled until it has a new date; if it is then canceled, the calendar contains it for a month', async () => {
    const tag = aTag();
    const event = await publish('Late', { tags: [`#${tag}`] });
    const postpone = () => catalog.call('POST', `/api/events/${event.id}/postpone`, { as: ann });
    expect((await postpone()).status).toBe(200);
    expect(await calendar({ tags: tag })).toMatchObject([
      { title: 'Postponed: Late', status: 'CANCELLED', sequence: 1 },
    ]);
    await update(event, { eventDate: '2026-12-24' });
    expect(await calendar({ tags: tag })).toMatchObject([
      { title: 'Late', status: 'CONFIRMED', sequence: 2, start: '2026-12-25T00:00:00Z' },
    ]);
    expect((await postpone()).status).toBe(200);
    await cancel(event);
    expect(await calendar({ tags: tag })).toMatchObject([
      { title: 'Canceled: Late', status: 'CANCELLED', sequence: 4 },
    ]);
    const { rows } = await catalog.pool.query<{ days: number }>(
      `select extract(day from ends_at - now())::int as days from canceled_search where event_id = $1`,
      [event.id],
    );
    expect(rows[0]!.days).toBeLessThanOrEqual(30);
  });

  test('has canceled events after a rebuild, even events that were canceled before feeds existed', async () => {
    const tag = aTag();
    const event = await publish('Gone', { tags: [`#${tag}`] });
    await cancel(event);
    await rebuild(catalog.databaseUrl);
    expect(await calendar({ tags: tag })).toMatchObject([
      { title: 'Canceled: Gone', status: 'CANCELLED', sequence: 1 },
    ]);
    await catalog.pool.query('delete from canceled_search');
    expect(await calendar({ tags: tag })).toEqual([]);
    await runJobs(await startCatchingUp({ pool: catalog.pool, log: logger('catalog', 'silent') }));
    expect(await calendar({ tags: tag })).toMatchObject([
      { title: 'Canceled: Gone', status: 'CANCELLED', sequence: 1 },
    ]);
  });

  test.each(HOSTILE)('shows %j as text', async (title) => {
    const tag = aTag();
    const description = `${title}\n\nBEGIN:VEVENT\nSUMMARY:forged`;
    await publish(title, { tags: [`#${tag}`], description, location: title });
    const [event, ...more] = await calendar({ tags: tag });
    expect(more).toEqual([]);
    expect(event).toMatchObject({ title, place: title });
    expect(event!.words).toContain(description);
  });

  test('has the exact address before the location, and a description without markup', async () => {
    const tag = aTag();
    const description = 'See [the form](https://example.com/form)';
    await publish('Porch', {
      tags: [`#${tag}`],
      address: '815 V St NW',
      location: 'Shaw, Washington, DC',
      description,
    });
    const [event] = await calendar({ tags: tag });
    expect(event).toMatchObject({ place: '815 V St NW, Shaw, Washington, DC' });
    expect(event!.words).toContain('See the form');
    expect(event!.words).not.toContain('example.com');
  });

  test('has the same entry in the file of a single event, even of a canceled event; for an unknown event it returns 404', async () => {
    const tag = aTag();
    const event = await publish('One', { tags: [`#${tag}`] });
    const one = await calendarAt(`/api/events/${event.id}.ics`);
    expect(one.events).toEqual(await calendar({ tags: tag }));
    expect(one.answer.headers.get('cache-tag')).toBe(`event-${event.id}`);
    await cancel(event);
    expect((await calendarAt(`/api/events/${event.id}.ics`)).events).toMatchObject([{ status: 'CANCELLED' }]);
    for (const id of ['999999', '0', 'x', '1e3']) expect((await ask(`/api/events/${id}.ics`)).status).toBe(404);
  });
});

describe('an RSS feed', () => {
  test.each(HOSTILE)('is well-formed, and shows %j as text', async (title) => {
    const tag = aTag();
    const event = await publish(title, { tags: [`#${tag}`], location: title, description: `${title}\nmore` });
    const { all, texts } = await rssAt({ tags: tag });
    const item = 'rss/channel/item';
    expect(texts(`${item}/title`)).toEqual([title]);
    expect(texts(`${item}/link`)).toEqual([`${PUBLIC_URL}/event/${event.id}`]);
    expect(texts(`${item}/category`)).toEqual([`#${tag}`]);
    expect(texts(`${item}/pubDate`).map((date) => Date.parse(date))).toEqual([
      Math.floor(Date.parse(event.createdAt) / 1_000) * 1_000,
    ]);
    // A reader shows the description as HTML, so it may contain only our own elements.
    const [html = ''] = texts(`${item}/description`);
    expect(html.match(/<[^>]*>/g)!.filter((element) => !['<p>', '</p>', '<br>'].includes(element))).toEqual([]);
    expect(all('rss')[0]!.attributes).toMatchObject({ version: '2.0' });
    expect(all('rss/channel/atom:link')[0]!.attributes['href']).toBe(`${PUBLIC_URL}/api/events.rss?tags=${tag}`);
  });

  test('shows the parameters of its URL as text', async () => {
    const q = '</title>"&]]>';
    const { texts } = await rssAt({ q });
    expect(texts('rss/channel/title')).toEqual([`Beltway: ${q}`]);
  });

  test('announces a cancellation as a new entry', async () => {
    const tag = aTag();
    const event = await publish('Show', { tags: [`#${tag}`] });
    const before = await rssAt({ tags: tag });
    await cancel(event);
    const after = await rssAt({ tags: tag });
    expect(after.texts('rss/channel/item/title')).toEqual(['Canceled: Show']);
    expect(after.texts('rss/channel/item/guid')).not.toEqual(before.texts('rss/channel/item/guid'));
  });
});

describe('calendars and RSS feeds', () => {
  test.each(['ics', 'rss'] as const)('refuse an invalid parameter and name it (%s)', async (kind) => {
    for (const [name, value] of [
      ['limit', '1e9'],
      ['limit', '101'],
      ['q', 'x'.repeat(10_000)],
      ['near', 'Atlantis'],
      ['from', 'soon'],
      ['category', 'jazz'],
      ['radius', '5'],
    ] as const) {
      const answer = await ask(address(kind, { [name]: value }));
      const { errors } = (await answer.json()) as Problem;
      expect([answer.status, errors?.[0]?.field]).toEqual([400, name]);
    }
    // A feed has no pages, so `cursor` is ignored.
    expect((await ask(address(kind, { cursor: 'tampered' }))).status).toBe(200);
  });

  // The gateway computes the entity tag from the bytes, and responds with 304 if it matches.
  test.each(['ics', 'rss'] as const)(
    'have the same bytes until an event changes, and contain each change (%s)',
    async (kind) => {
      const tag = aTag();
      const event = await publish('Still', { tags: [`#${tag}`] });
      const read = async () => (await ask(address(kind, { tags: tag }))).text();
      const before = await read();
      catalog.time.now = new Date(catalog.time.now.getTime() + 60_000);
      expect(await read()).toBe(before);
      await update(event, { description: 'Other words.' });
      expect(await read()).not.toBe(before);
    },
  );

  test('have the next 100 of 50,000 events, and stay within 256 KB', async () => {
    await catalog.pool.query(`
      insert into listings (event_id, organizer_id, status, title, description, location, tags, event_date, event_start_time, contact_email,
        has_tickets, ticket_sales_enabled, created_at, version)
      select id, 1, 'published', 'Event ' || id, case when id <= 1000500 then repeat('long words ', 450) else 'words' end, 'Somewhere', '{#many}',
        '2027-01-01T05:00Z', '19:00', 'a@b.test', false, false, now(), 1 from generate_series(1000001, 1050000) id;
      insert into event_search (event_id, starts_at, ends_at, created_at, popularity, document, event_version, index_version)
      select id, '2027-01-02'::timestamptz + (id - 1000000) * interval '1 minute', '2027-06-01', now(), 0, array_to_tsvector(array['#many']), 1, 1
      from generate_series(1000001, 1050000) id`);
    for (const kind of ['ics', 'rss'] as const) {
      const text = await (await ask(address(kind, { tags: 'many' }))).text();
      const ids = [...text.matchAll(/(?:UID:|<guid isPermaLink="false">)event-(\d+)/g)].map(([, id]) => Number(id));
      expect(ids).toEqual(Array.from({ length: 100 }, (_, at) => 1_000_001 + at));
      expect(Buffer.byteLength(text)).toBeLessThan(262_144);
    }
    expect(await calendar({ tags: 'many', limit: 3 })).toHaveLength(3);
  });

  test('that wait for the database do not delay searches; if too many wait, the next gets 503', async () => {
    const held = await Promise.all([catalog.feedPool.connect(), catalog.feedPool.connect()]);
    try {
      const waiting = Array.from({ length: 16 }, (_, n) => ask(address(n % 2 ? 'ics' : 'rss', { q: `jazz ${n}` })));
      await eventually(() => catalog.feedPool.waitingCount === 16);
      const late = await ask(address('ics', { q: 'late' }));
      expect([late.status, Number(late.headers.get('retry-after')) > 0]).toEqual([503, true]);
      for (const path of ['/api/events?q=jazz', '/embed?q=jazz', '/api/events'])
        expect([path, (await ask(path)).status]).toEqual([path, 200]);
      held.splice(0).forEach((client) => client.release());
      expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
    } finally {
      held.forEach((client) => client.release());
    }
  });
});
