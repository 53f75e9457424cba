import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EventPage, type Event } from '@beltway/contracts/catalog/events';
import { dayAt } from '@beltway/contracts/common/times';
import type { Problem } from '@beltway/contracts/common/basics';
import { eventually, runJobs } from '@beltway/kit/testing';
import { logger } from '@beltway/kit/logger';
import { rebuild } from '../src/rebuild.ts';
import { startCatchingUp } from '../src/search/catch-up.ts';
import { startCatalog, withTickets, type Catalog } from './catalog.ts';

const ann = { id: 1 };

let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());

const addressOf = (query: Record<string, string | number>) =>
  `/api/events?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`;
const ask = <Body = EventPage>(query: Record<string, string | number>) => catalog.call<Body>('GET', addressOf(query));

/** The events that a search finds; checks the response against its contract. */
async function found(query: Record<string, string | number>): Promise<Event[]> {
  const { status, body } = await ask(query);
  expect(body).toMatchObject({ items: expect.any(Array) as unknown });
  expect(status).toBe(200);
  return EventPage.parse(body).items;
}
const titles = async (query: Record<string, string | number>) => (await found(query)).map(({ title }) => title);

/** A new tag for the events of one test. */
let series = 0;
const aTag = () => `t${++series}x`;
const publish = (title: string, more: object = {}) =>
  catalog.publish(ann, { title, description: 'Words.', location: 'Elsewhere', tags: ['#x'], ...more });

const PLACES = [
  ['In Baltimore', 'Baltimore, MD'],
  ['In Bethesda', 'Bethesda, MD'],
  ['In Shaw', 'Shaw, Washington, DC'],
  ['Nobody knows', 'The back room'],
] as const;

describe('the URL', () => {
  test('without a parameter returns a list, with any parameter a page', async () => {
    await publish('One');
    const plain = await catalog.call<unknown>('GET', '/api/events?utm_source=mail');
    expect(Array.isArray(plain.body)).toBe(true);
    const page = await ask({ limit: 1 });
    expect(Object.keys(page.body).sort()).toEqual(['items', 'nextCursor']);
    expect(page.headers.get('cache-control')).toBe('public, max-age=1');
    expect(page.headers.get('cache-tag')).toBe('events');
  });

  test('an invalid parameter is named', async () => {
    for (const [name, value] of [
      ['limit', '1e9'],
      ['q', 'x'.repeat(10_000)],
      ['near', 'Atlantis'],
      ['near', '91,0'],
      ['from', 'soon'],
      ['category', 'jazz'],
    ] as const) {
      const { status, body } = await ask<Problem>({ [name]: value });
      expect([status, body.errors?.[0]?.field]).toEqual([400, name]);
    }
  });

  test('refuses a repeated parameter', async () => {
    for (const query of ['q=jazz&q=film', 'limit=2&limit=3', 'category=Music&category=Food']) {
      const { status, body } = await catalog.call<Problem>('GET', `/api/events?${query}`);
      expect([status, body.errors?.[0]?.field]).toEqual([400, query.split('=')[0]]);
    }
  });

  test('never returns the contact address', async () => {
    await publish('Private matters');
    const { body } = await catalog.call<EventPage>('GET', addressOf({ q: 'private matters' }), { as: ann });
    expect(body.items.map(({ contactEmail }) => contactEmail)).toEqual([null]);
  });
});

describe('any search text', () => {
  test.each([
    '%',
    '_',
    "'",
    "' or 1=1 --",
    '"',
    '\\',
    '\\u0000',
    '& | ! <-> :*',
    "jazz:* | 'x'",
    '(((',
    '$1',
    '{}[]',
    'שלום עולם',
    'مرحبا',
    '\u202egnp.exe',
    '東京',
    '🎷🎉',
    '👨‍👩‍👧‍👦',
    'x'.repeat(200),
    'a '.repeat(100),
    '😀'.repeat(100),
    '#',
    '#'.repeat(200),
    '"'.repeat(200),
    '-- drop table events;',
    '%00',
    '../../etc/passwd',
    'Ǆ ﬃ ﷺ',
    'toString constructor __proto__',
  ])('%j gets a response', async (q) => expect(Array.isArray(await found({ q }))).toBe(true));

  test('events in any script are found by their words', async () => {
    const all = ['Опера сегодня', '東京ナイト', 'ليلة الجاز', 'ערב מוזיקה', 'Fête 🎷', 'Łódź Straße'];
    for (const title of all) await publish(title);
    for (const [q, title] of [
      ['опера', all[0]],
      ['京ナ', all[1]],
      ['الجاز', all[2]],
      ['מוזיקה', all[3]],
      ['fete', all[4]],
      ['🎷', all[4]],
      ['lodz strasse', all[5]],
    ] as const)
      expect(await titles({ q }), q).toEqual([title]);
  });

  test('punctuation in a search does not restrict the results', async () => {
    const tags = [aTag()];
    await publish('A sign', { tags });
    expect(await titles({ q: '%', tags: tags[0]! })).toEqual(['A sign']);
  });
});

describe('words', () => {
  const tag = aTag();
  const inTag = (q: string) => titles({ q, tags: tag });
  beforeAll(async () => {
    const tags = [`#${tag}`];
    await publish('Anything', { tags, description: 'Bluegrass is played as well.', eventDate: '2026-12-02' });
    await publish('Picking party', { tags, location: 'Bluegrass Hall', eventDate: '2026-12-03' });
    await publish('Strings attached', { tags: [...tags, '#bluegrass'], eventDate: '2026-12-04' });
    await publish('Bluegrass Brunch', { tags, eventDate: '2026-12-05' });
    await publish('Bluegrasses of Virginia', { tags, eventDate: '2026-12-06' });
    await publish('Crossword Contest', { tags, eventDate: '2026-12-07' });
    await publish('Go-Go Marathon', { tags, eventDate: '2026-12-08' });
    await publish('Dancing till dawn', { tags, location: '9:30 Club', eventDate: '2026-12-09' });
    await publish('The Who Tribute', { tags, eventDate: '2026-12-10' });
  });

  test('are found in the title first, then in tags, the place, the description', async () =>
    expect(await inTag('bluegrass ')).toEqual([
      'Bluegrass Brunch',
      'Bluegrasses of Virginia',
      'Strings attached',
      'Picking party',
      'Anything',
    ]));
  test('an explicit sort takes precedence', async () =>
    expect((await titles({ q: 'bluegrass', tags: tag, sort: 'soonest' }))[0]).toBe('Anything'));
  test('all words must be found, in any field', async () => {
    expect(await inTag('bluegrass virginia')).toEqual(['Bluegrasses of Virginia']);
    expect(await inTag('crossword virginia')).toEqual([]);
  });
  test.each([
    ['blu', 'Bluegrass Brunch'],
    ['crossw', 'Crossword Contest'],
    ['dancin', 'Dancing till dawn'],
    ['dances', 'Dancing till dawn'],
    ['crosswrod', 'Crossword Contest'],
    ['croswords contest', 'Crossword Contest'],
    ['blugrass brunch', 'Bluegrass Brunch'],
    ['conetst', 'Crossword Contest'],
    ['gogo', 'Go-Go Marathon'],
    ['go go', 'Go-Go Marathon'],
    ['cross word', 'Crossword Contest'],
    ['930 club', 'Dancing till dawn'],
    ['9:30', 'Dancing till dawn'],
    ['the who', 'The Who Tribute'],
    ['zzyzx', null],
  ])('%j finds %j first', async (q, title) => expect((await inTag(q))[0] ?? null).toBe(title));
  test('a correct word is not replaced by a similar one', async () =>
    expect(await inTag('anything ')).toEqual(['Anything']));
});

describe('filters', () => {
  test('tags: an event needs all of them; they match as whole tags, in upper or lower case', async () => {
    const tag = aTag();
    await publish('Both', { tags: [`#${tag}`, '#LiveDJ'] });
    await publish('One of them', { tags: [tag, '#live'] });
    expect(await titles({ tags: `${tag},#livedj` })).toEqual(['Both']);
    expect(await titles({ tags: `#${tag.toUpperCase()},live` })).toEqual(['One of them']);
    expect(await titles({ tags: tag.slice(0, -1) })).toEqual([]);
    expect(await titles({ q: `#${tag} #live ` })).toEqual(['One of them']);
  });

  test('categories: an event needs one of them', async () => {
    const tag = aTag();
    await publish('Jazz', { tags: [tag, '#jazz'] });
    await publish('Yoga', { tags: [tag, '#yoga'] });
    await publish('Puppets', { tags: [tag, '#kids'] });
    expect(await titles({ tags: tag, category: 'music' })).toEqual(['Jazz']);
    expect(await titles({ tags: tag, category: 'sports,family' })).toEqual(['Yoga', 'Puppets']);
    expect((await found({ tags: tag })).map(({ category }) => category)).toEqual(['music', 'sports', 'family']);
  });

  test('times: from and to, days read in New York', async () => {
    const tag = aTag();
    for (const [title, eventDate, eventStartTime] of [
      ['Late on the 4th', '2026-12-04', '23:30'],
      ['Early on the 5th', '2026-12-05', '00:30'],
      ['Late on the 5th', '2026-12-05', '23:30'],
      ['On the 6th', '2026-12-06', '00:00'],
    ])
      await publish(title!, { tags: [tag], eventDate, eventStartTime });
    expect(await titles({ tags: tag, from: '2026-12-05', to: '2026-12-05' })).toEqual([
      'Early on the 5th',
      'Late on the 5th',
    ]);
    expect(await titles({ tags: tag, from: '2026-12-05T23:30' })).toEqual(['Late on the 5th', 'On the 6th']);
    expect(await titles({ tags: tag, to: '2026-12-05T05:30:00Z' })).toEqual(['Late on the 4th']);
  });

  test('past events are found only if `from` is an earlier day', async () => {
    const tag = aTag();
    const { now } = catalog.time;
    await publish('Over', { tags: [tag], eventDate: '2026-12-01', eventStartTime: '19:00', eventEndTime: '20:00' });
    await publish('Still on', { tags: [tag], eventDate: '2026-12-01', eventStartTime: '19:00', eventEndTime: '19:00' });
    catalog.time.now = new Date('2026-12-02T20:00:00Z');
    expect(await titles({ tags: tag })).toEqual(['Still on']);
    expect(await titles({ tags: tag, from: '2026-12-02' })).toEqual([]);
    expect(await titles({ tags: tag, from: '2026-12-01' })).toEqual(['Over', 'Still on']);
    catalog.time.now = now;
  });

  test('prices: a maximum price finds free entry, but no event without a price', async () => {
    const tag = aTag();
    await publish('Free entry', { tags: [tag, '#free'] });
    await publish('Free, as stated', { tags: [tag], freeEntry: true });
    await publish('Says nothing', { tags: [tag] });
    await publish('Ten', { tags: [tag, '#free'], ...withTickets, ticketPrice: 10 });
    await publish('Thirty', { tags: [tag], ...withTickets, ticketPrice: 30 });
    expect(await titles({ tags: tag, free: 1 })).toEqual(['Free entry', 'Free, as stated']);
    expect(await titles({ tags: tag, maxPrice: 10 })).toEqual(['Free entry', 'Free, as stated', 'Ten']);
    expect(await titles({ tags: tag, maxPrice: '9.99' })).toEqual(['Free entry', 'Free, as stated']);
    expect(await titles({ tags: tag, q: 'under $10' })).toEqual(['Free entry', 'Free, as stated', 'Ten']);
    expect(await titles({ tags: tag, q: 'ten free' })).toEqual([]);
  });

  test('on sale: within its hours and not sold out', async () => {
    const tag = aTag();
    const sold = await publish('Sold out', { tags: [tag], ...withTickets, totalTickets: 2 });
    await publish('Not yet', { tags: [tag], ...withTickets, ticketSalesStartTime: '2026-12-02T12:00:00Z' });
    await publish('Not switched on', { tags: [tag], ...withTickets, ticketSalesEnabled: false });
    await publish('No tickets', { tags: [tag] });
    await publish('On sale', { tags: [tag], ...withTickets });
    await catalog.hear(sold.id, { sold: 2, held: 0, version: 1 });
    await catalog.heard();
    expect(await titles({ tags: tag, onSale: 1 })).toEqual(['On sale']);
  });

  test('near: within the radius, nearest first, with the distance', async () => {
    const tag = aTag();
    for (const [title, location] of PLACES) await publish(title!, { tags: [tag], location });
    const near = await found({ tags: tag, near: 'Shaw, Washington, DC', sort: 'nearest' });
    expect(near.map(({ title }) => title)).toEqual(['In Shaw', 'In Bethesda']);
    expect(near[0]!.distanceMiles).toBe(0);
    expect(near[1]!.distanceMiles).toBeGreaterThan(6);
    expect(near[1]!.place).toMatchObject({ name: 'Bethesda', state: 'MD' });
    expect(await titles({ tags: tag, near: '39.2904,-76.6122', radius: 5 })).toEqual(['In Baltimore']);
    expect(await titles({ tags: tag, near: 'bethesda-md', radius: '0.5' })).toEqual(['In Bethesda']);
    const all = await found({ tags: tag });
    expect(all.map(({ place }) => place?.name ?? null)).toEqual(['Baltimore', 'Bethesda', 'Shaw', null]);
    expect(all.some((event) => 'distanceMiles' in event)).toBe(false);
  });

  test('within: a part of the map; unplaced: events that no map can show', async () => {
    const tag = aTag();
    for (const [title, location] of [...PLACES, ['Somewhere in it', 'The Odd Bar, 14 Nowhere Lane, Washington, DC']])
      await publish(title!, { tags: [tag], location });
    expect(await titles({ tags: tag, within: '-77.2,38.8,-76.9,39.05' })).toEqual(['In Bethesda', 'In Shaw']);
    expect(await titles({ tags: tag, within: '-77.05,38.8,-76.4,39.5' })).toEqual(['In Baltimore', 'In Shaw']);
    expect(await titles({ tags: tag, within: '-77.05,38.8,-76.4,39.5', near: 'Shaw, Washington, DC' })).toEqual([
      'In Shaw',
    ]);
    expect(await titles({ tags: tag, unplaced: 1 })).toEqual(['Nobody knows', 'Somewhere in it']);
    const [nearest] = await found({ tags: tag, q: 'somewhere', near: 'washington-dc' });
    expect(nearest).toMatchObject({ title: 'Somewhere in it', distanceMiles: null, place: { isApproximate: true } });
    for (const within of ['1,2,3', '-76,38,-77,39', '-77,39,-76,38', '-200,38,-76,39', 'a,b,c,d', '-77,,-76,39']) {
      const { status, body } = await ask<Problem>({ within });
      expect([within, status, body.errors?.[0]?.field]).toEqual([within, 400, 'within']);
    }
  });

  test('newest and popular; popular in steps, and within a step the soonest first', async () => {
    const tag = aTag();
    const ids = [];
    for (const title of ['Later', 'Loved', 'Soon'])
      ids.push(
        (
          await publish(title, {
            tags: [tag],
            ...withTickets,
            totalTickets: 500,
            eventDate: title === 'Soon' ? '2026-12-03' : '2026-12-09',
          })
        ).id,
      );
    expect(await titles({ tags: tag, sort: 'newest' })).toEqual(['Soon', 'Loved', 'Later']);
    await catalog.hear(ids[1]!, { sold: 400, held: 0, version: 1 });
    await catalog.hear(ids[0]!, { sold: 10, held: 0, version: 1 });
    await catalog.hear(ids[2]!, { sold: 10, held: 0, version: 1 });
    await catalog.heard();
    expect(await titles({ tags: tag, sort: 'popular' })).toEqual(['Loved', 'Soon', 'Later']);
    await catalog.hear(ids[1]!, { sold: 0, held: 0, version: 2 });
    await catalog.hear(ids[1]!, { sold: 400, held: 0, version: 1 });
    await catalog.heard();
    expect(await titles({ tags: tag, sort: 'popular' })).toEqual(['Soon', 'Later', 'Loved']);
  });

  test('words for times: ‘tonight’ means the same night on all pages', async () => {
    const tag = aTag();
    const { now } = catalog.time;
    catalog.time.now = new Date('2026-12-12T04:00:00Z');
    for (const title of ['One', 'Two', 'Three'])
      await publish(title, { tags: [tag], eventDate: '2026-12-11', eventStartTime: '23:30' });
    await publish('The next night', { tags: [tag], eventDate: '2026-12-12', eventStartTime: '23:30' });
    const first = await ask({ tags: tag, q: 'tonight', limit: 2 });
    expect(first.body.items.map(({ title }) => title)).toEqual(['One', 'Two']);
    catalog.time.now = new Date('2026-12-12T18:00:00Z');
    expect(await titles({ tags: tag, q: 'tonight', limit: 2, cursor: first.body.nextCursor! })).toEqual(['Three']);
    catalog.time.now = now;
  });
});

describe('pages', () => {
  const pagesOf = async (query: Record<string, string | number>, between: (page: number) => Promise<unknown>) => {
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null; page++) {
      const { status, body }: { status: number; body: EventPage } = await ask({ ...query, ...(cursor && { cursor }) });
      expect(status).toBe(200);
      seen.push(...body.items.map(({ title }) => title));
      cursor = body.nextCursor;
      if (cursor !== null) await between(page);
    }
    return seen;
  };

  test.each(['', 'soonest', 'nearest', 'newest', 'popular'])(
    'neither repeat nor skip an event while events are added, with the sort %j',
    async (sort) => {
      const tag = aTag();
      const add = async (title: string, at: number) => {
        const place = ['Shaw, Washington, DC', 'Bethesda, MD', 'Silver Spring, MD'][at % 3]!;
        const event = await publish(title, {
          tags: [tag],
          location: place,
          // Each field is the best match for some events, and many events begin at the same hour.
          description: at % 4 === 0 ? 'A quokka.' : at % 4 === 1 ? 'Quokkas everywhere.' : 'Nothing.',
          eventDate: `2026-12-0${3 + (at % 3)}`,
          ...withTickets,
        });
        if (at % 5 === 0) await catalog.hear(event.id, { sold: at % 2 ? 1 : 9, held: 0, version: 1 });
      };
      const before = Array.from({ length: 23 }, (_, at) => (at % 4 > 1 ? `Quokka ${at}` : `Event ${at}`));
      for (const [at, title] of before.entries()) await add(title, at);
      await catalog.heard();
      let added = 0;
      const seen = await pagesOf(
        {
          q: 'quokka',
          tags: tag,
          limit: 4,
          ...(sort && { sort }),
          ...(sort === 'nearest' && { near: '38.9,-77.0', radius: 50 }),
        },
        async (page) => {
          // Adds words that would change the meaning of the search, and events that sort before and after the page.
          await add(`Quokkas ${page}`, added++);
          await add(`Quokkaville Added ${page}`, added++);
          await catalog.heard();
        },
      );
      expect(added).toBeGreaterThan(8);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toEqual(expect.arrayContaining(before));
    },
  );

  test('the largest limit is respected', async () => {
    const tag = aTag();
    for (let at = 0; at < 3; at++) await publish(`E${at}`, { tags: [tag] });
    expect(await titles({ tags: tag, limit: 100 })).toHaveLength(3);
    const { body } = await ask({ tags: tag, limit: 3 });
    expect(body.nextCursor).toBeNull();
  });

  test('a tampered cursor, or a cursor of another search, is refused with the name of the parameter', async () => {
    const tag = aTag();
    for (let at = 0; at < 3; at++) await publish(`E${at}`, { tags: [tag] });
    const { nextCursor } = (await ask({ tags: tag, limit: 1 })).body;
    const [body, signature] = nextCursor!.split('.') as [string, string];
    const forged = Buffer.from(
      Buffer.from(body, 'base64url')
        .toString()
        .replace(/"after":\[0/, '"after":[9'),
    ).toString('base64url');
    for (const query of [
      { tags: tag, cursor: 'x' },
      { tags: tag, cursor: `${forged}.${signature}` },
      { tags: tag, cursor: `${body}.${signature.slice(0, -2)}` },
      { tags: tag, cursor: body },
      { tags: tag, cursor: `${nextCursor!}.x` },
      { tags: tag, cursor: '.' },
      { tags: tag, cursor: '🎉' },
      { tags: tag, free: 1, cursor: nextCursor! },
      { q: 'other', cursor: nextCursor! },
    ]) {
      const answer = await ask<Problem>(query);
      expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([400, 'cursor']);
    }
    expect(await titles({ tags: tag, limit: 2, cursor: nextCursor! })).toEqual(['E1', 'E2']);
  });
});

describe('the index', () => {
  test('contains each change, and no canceled event', async () => {
    const tag = aTag();
    const event = await publish('Polka', { tags: [tag], location: 'Bethesda, MD' });
    await catalog.call('PATCH', `/api/events/${event.id}`, {
      as: ann,
      body: { title: 'Waltz', location: 'Reston, VA' },
    });
    expect(await titles({ tags: tag, q: 'polka ' })).toEqual([]);
    expect((await found({ tags: tag, q: 'waltz reston' }))[0]?.place?.name).toBe('Reston');
    await catalog.call('POST', `/api/events/${event.id}/cancel`, { as: ann, body: {} });
    expect(await titles({ tags: tag })).toEqual([]);
  });

  test('is unchanged after a rebuild, including popularity', async () => {
    const { tables } = await rebuild(catalog.databaseUrl);
    expect(tables.map(({ table }) => table)).toEqual(
      expect.arrayContaining(['canceled_search', 'event_search', 'listings', 'search_words']),
    );
    for (const { table, before, after } of tables) expect([table, after]).toEqual([table, before]);
  });

  test('is created at startup for events written by older code, and only for these events', async () => {
    const tag = aTag();
    const { pool } = catalog;
    const old = await publish('From before', { tags: [tag], location: 'Bethesda, MD' });
    const stale = await publish('Stale', { tags: [tag] });
    const gone = await publish('Gone', { tags: [tag] });
    await catalog.call('POST', `/api/events/${gone.id}/cancel`, { as: ann, body: {} });
    const dump = async () => {
      const { rows } = await pool.query(
        'select e.*, e.position::text, l.place_id, l.lat from event_search e join listings l using (event_id) order by event_id',
      );
      return JSON.stringify(rows);
    };
    const before = await dump();
    await pool.query('delete from event_search where event_id = $1', [old.id]);
    await pool.query(
      'update listings set place_id = null, place_name = null, lat = null, lon = null where event_id = $1',
      [old.id],
    );
    await pool.query(`update event_search set index_version = 0, document = '' where event_id = $1`, [stale.id]);
    expect(await titles({ tags: tag })).toEqual([]);
    await runJobs(await startCatchingUp({ pool, log: logger('catalog', 'silent') }));
    expect(await dump()).toBe(before);
    expect(await titles({ tags: tag })).toEqual(['From before', 'Stale']);
  });

  test('a search that takes too long is refused, and the response states when to retry', async () => {
    const client = await catalog.pool.connect();
    try {
      await client.query('begin; lock table event_search in access exclusive mode');
      const asked = ask<Problem>({ q: 'anything' });
      await eventually(async () => {
        const { rows } = await catalog.pool.query<{ pid: number }>(
          `select pg_cancel_backend(pid), pid from pg_stat_activity
           where wait_event_type = 'Lock' and datname = current_database()`,
        );
        return rows.length > 0;
      });
      const { status, headers, body } = await asked;
      expect([status, body.code]).toEqual([503, 'unavailable']);
      expect(headers.get('retry-after')).not.toBeNull();
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

describe('people’s words', () => {
  // The clock is at Tuesday, December 1.
  const on = (day: string) => ({ eventDate: `${day}T12:00:00.000Z` });
  let tag = '';
  beforeAll(async () => {
    expect(dayAt(catalog.time.now)).toBe('2026-12-01');
    tag = aTag();
    await publish('Quartet', { ...on('2026-12-04'), tags: [`#${tag}`, '#jazz'] });
    await publish('Gospel', { ...on('2026-12-04'), tags: [`#${tag}`, '#free'] });
    await publish('Late Quartet', { ...on('2026-12-05'), tags: [`#${tag}`, '#jazz'] });
    await publish('Story Hour', { ...on('2026-12-05'), tags: [`#${tag}`, '#family'] });
    await publish('Puppets for children', { ...on('2026-12-05'), tags: [`#${tag}`], description: 'Un museo.' });
    await publish('Vigil', { ...on('2026-12-01'), eventStartTime: '21:00', tags: [`#${tag}`] });
  });
  const all = ['Gospel', 'Late Quartet', 'Puppets for children', 'Quartet', 'Story Hour', 'Vigil'];
  test.each([
    ['events', all],
    ['eventos', all],
    ['things to do', all],
    ['qué hacer', all],
    ['events tonight', ['Vigil']],
    ['eventos esta noche', ['Vigil']],
    ['events dec 4', ['Gospel', 'Quartet']],
    ['4 dic', ['Gospel', 'Quartet']],
    ['jazz friday', ['Quartet']],
    ['jazz viernes', ['Quartet']],
    ['jazz sábado', ['Late Quartet']],
    ['free events', ['Gospel']],
    ['gratis', ['Gospel']],
    ['kids', ['Puppets for children', 'Story Hour']],
    ['niños', ['Puppets for children', 'Story Hour']],
    ['para niños', ['Puppets for children', 'Story Hour']],
    ['museum', ['Puppets for children']],
  ])('%s', async (q, expected) => expect((await titles({ q, tags: tag })).toSorted()).toEqual(expected));
});
