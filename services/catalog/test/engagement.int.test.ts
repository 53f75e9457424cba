import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Event, EventPage } from '@beltway/contracts/catalog/events';
import type { Problem } from '@beltway/contracts/common/basics';
import type { EventCounts, MyEngagements } from '@beltway/contracts/identity/engagement';
import { transaction } from '@beltway/kit/postgres';
import { addToCounts } from '../src/engagement/counts.ts';
import { openReactions } from '../src/engagement/reactions.ts';
import { rebuild } from '../src/rebuild.ts';
import { startCatalog, withTickets, type Catalog, type Person } from './catalog.ts';

let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());

const organizer = { id: 7 };
const [ann, bob] = [{ id: 101 }, { id: 102 }];
const NONE: EventCounts = { likes: 0, comments: 0, interested: 0, going: 0, shares: 0, views: 0 };
let event: Event;
beforeEach(async () => {
  catalog.time.now = new Date('2026-12-01T12:00:00Z');
  event = await catalog.publish(organizer);
});

const put = (what: string, as: Person, body?: unknown, id = event.id) =>
  catalog.call<EventCounts & Problem>('PUT', `/api/events/${id}/${what}`, { as, ...(body !== undefined && { body }) });
const remove = (what: string, as: Person, id = event.id) =>
  catalog.call<EventCounts & Problem>('DELETE', `/api/events/${id}/${what}`, { as });
const countsOf = async (id = event.id) => (await catalog.call<Event>('GET', `/api/events/${id}`)).body.counts;
const mine = async (as: Person, ids: readonly number[]) =>
  (await catalog.call<MyEngagements>('GET', `/api/me/engagement?events=${ids.join(',')}`, { as })).body.items;
const rowsOf = async (table: string, id = event.id) =>
  (await catalog.pool.query(`select from ${table} where event_id = $1`, [id])).rowCount;
/** `count` accounts with consecutive ids. */
const accounts = (count: number, from = 1_000) => Array.from({ length: count }, (_, at) => ({ id: from + at }));

describe('reactions', () => {
  test('a like is counted, is visible only to its account, and can be withdrawn', async () => {
    expect(await countsOf()).toEqual(NONE);
    const liked = await put('like', ann);
    expect(liked.status).toBe(200);
    expect(liked.body).toEqual({ ...NONE, likes: 1 });
    expect(liked.headers.get('cache-control')).toBe('private, no-store');
    expect(await countsOf()).toEqual({ ...NONE, likes: 1 });
    expect(await mine(ann, [event.id])).toEqual([
      { eventId: event.id, liked: true, bookmarked: false, interest: null },
    ]);
    expect(await mine(bob, [event.id])).toEqual([]);
    expect((await remove('like', ann)).body).toEqual(NONE);
    expect(await mine(ann, [event.id])).toEqual([]);
    expect(await rowsOf('event_reactions')).toBe(0);
  });

  test('repeated requests change nothing, and an account withdraws only its own reactions', async () => {
    for (let at = 0; at < 3; at++) {
      expect((await put('like', ann)).body).toEqual({ ...NONE, likes: 1 });
      expect((await put('bookmark', ann)).status).toBe(200);
    }
    expect((await remove('like', bob)).body).toMatchObject({ likes: 1 });
    expect(await rowsOf('event_reactions')).toBe(2);
    for (let at = 0; at < 3; at++) expect((await remove('like', ann)).body).toEqual(NONE);
  });

  test('an account is either interested or going', async () => {
    expect((await put('interest', ann, { interest: 'interested' })).body).toMatchObject({ interested: 1, going: 0 });
    expect((await put('interest', ann, { interest: 'going' })).body).toMatchObject({ interested: 0, going: 1 });
    expect((await put('interest', bob, { interest: 'interested' })).body).toMatchObject({ interested: 1, going: 1 });
    expect(await mine(ann, [event.id])).toMatchObject([{ interest: 'going', liked: false }]);
    expect((await remove('interest', ann)).body).toMatchObject({ interested: 1, going: 0 });
  });

  test('10,000 likes of one account count as one', async () => {
    const reactions = openReactions({ pool: catalog.pool, clock: () => catalog.time.now });
    const request = { eventId: event.id, kind: 'like', userId: ann.id, value: '' } as const;
    for (let at = 0; at < 10; at++) await Promise.all(Array.from({ length: 1_000 }, () => reactions.apply(request)));
    reactions.close();
    expect(await countsOf()).toEqual({ ...NONE, likes: 1 });
    expect(await rowsOf('event_reactions')).toBe(1);
  });

  test('many accounts that react to one event on several instances are counted exactly and in few writes', async () => {
    const other = await catalog.publish(organizer);
    const instances = [1, 2, 3].map(() => openReactions({ pool: catalog.pool, clock: () => catalog.time.now }));
    const before = await updatesOf();
    const fans = accounts(600);
    // Each account sends its like to all three instances concurrently; on one of them the request withdraws the like.
    // The order is random.
    await Promise.all(
      fans.flatMap(({ id: userId }, at) =>
        instances.flatMap((instance, which) => [
          instance.apply({ eventId: event.id, kind: 'like', userId, value: at % 3 === which ? null : '' }),
          instance.apply({ eventId: event.id, kind: 'interest', userId, value: which === 0 ? 'going' : 'interested' }),
          instance.apply({ eventId: other.id, kind: 'bookmark', userId, value: '' }),
        ]),
      ),
    );
    for (const instance of instances) instance.close();
    const [counts, like, going, interested] = await Promise.all([
      countsOf(),
      reactionsOf('like', ''),
      reactionsOf('interest', 'going'),
      reactionsOf('interest', 'interested'),
    ]);
    expect(counts).toMatchObject({ likes: like, going, interested });
    expect(going + interested).toBe(fans.length);
    expect(await rowsOf('event_reactions', other.id)).toBe(fans.length);
    expect((await updatesOf()) - before).toBeLessThan(60);
  });

  const reactionsOf = async (kind: string, value: string) =>
    (
      await catalog.pool.query('select from event_reactions where event_id = $1 and kind = $2 and value = $3', [
        event.id,
        kind,
        value,
      ])
    ).rowCount!;
  /** The number of writes to `event_counts` so far. */
  async function updatesOf(): Promise<number> {
    // A connection flushes its statistics when requested, otherwise within a second. The requests reach all
    // connections.
    await Promise.all(Array.from({ length: 10 }, () => catalog.pool.query('select pg_stat_force_next_flush()')));
    const { rows } = await catalog.pool.query<{ writes: number }>(
      `select (n_tup_ins + n_tup_upd)::int as writes from pg_stat_user_tables where relname = 'event_counts'`,
    );
    return rows[0]!.writes;
  }

  test('if one request of a batch is invalid, only this request is refused', async () => {
    const canceled = await catalog.publish(organizer);
    await catalog.call('POST', `/api/events/${canceled.id}/cancel`, { as: organizer });
    const answers = await Promise.all([
      put('like', ann),
      put('like', ann, undefined, 2_000_000_000),
      put('like', ann, undefined, canceled.id),
      put('like', bob),
      put('interest', bob, { interest: 'maybe' }),
      put('interest', bob, { interest: 'going' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 409, 200, 400, 200]);
    expect(answers[2]!.body.code).toBe('event-canceled');
    expect(answers[4]!.body.errors).toMatchObject([{ field: 'interest' }]);
    expect(await countsOf()).toMatchObject({ likes: 2, going: 1 });
  });

  test('reactions to a canceled event can only be withdrawn; a past event accepts no new interest', async () => {
    await put('bookmark', ann);
    await put('interest', ann, { interest: 'going' });
    const before = catalog.time.now;
    catalog.time.now = new Date('2026-12-06T11:00:01Z'); // Later than 6 AM on the day after the event.
    expect((await put('interest', bob, { interest: 'going' })).body.code).toBe('event-over');
    expect((await put('like', bob)).status).toBe(200);
    expect((await remove('interest', ann)).body).toMatchObject({ going: 0 });
    catalog.time.now = before;
    await catalog.call('POST', `/api/events/${event.id}/cancel`, { as: organizer });
    for (const what of ['like', 'bookmark']) expect((await put(what, ann)).body.code).toBe('event-canceled');
    expect((await catalog.call<Problem>('POST', `/api/events/${event.id}/share`)).body.code).toBe('event-canceled');
    expect((await remove('bookmark', ann)).status).toBe(200);
  });

  test.each(['like', 'bookmark', 'interest'])('%s needs a signed-in account', async (what) => {
    expect((await catalog.call('PUT', `/api/events/${event.id}/${what}`)).status).toBe(401);
    expect((await catalog.call('DELETE', `/api/events/${event.id}/${what}`)).status).toBe(401);
  });

  test.each(['0', '-1', 'x', '1e3', '9999999999', '1%00'])('an event of number %s does not exist', async (id) => {
    expect((await catalog.call('PUT', `/api/events/${id}/like`, { as: ann })).status).toBe(404);
    expect((await catalog.call('POST', `/api/events/${id}/view`)).status).toBe(404);
  });
});

describe('shares', () => {
  const share = (more: { as?: Person; from?: string } = {}) =>
    catalog.call<EventCounts>('POST', `/api/events/${event.id}/share`, {
      ...(more.as && { as: more.as }),
      headers: { 'x-forwarded-for': more.from ?? '203.0.113.7' },
    });

  test('count once per account, and once per network of visitors', async () => {
    await Promise.all([share({ as: ann }), share({ as: ann, from: '203.0.113.9' }), share(), share(), share()]);
    expect(await countsOf()).toMatchObject({ shares: 2 });
    // One household can use any number of IPv6 addresses.
    for (const from of ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3']) await share({ from });
    expect((await share({ as: bob })).body).toMatchObject({ shares: 4 });
  });

  test('store no IP address, and nothing about visitors after 30 days; the count stays', async () => {
    await share({ from: '203.0.113.77' });
    await share({ as: ann });
    const { rows } = await catalog.pool.query('select * from event_shares where event_id = $1', [event.id]);
    expect(JSON.stringify(rows)).not.toContain('203.0.113');
    catalog.time.now = new Date('2026-12-31T11:00:00Z');
    await catalog.views.forget();
    expect(await rowsOf('event_shares')).toBe(2);
    catalog.time.now = new Date('2027-01-01T12:00:01Z');
    await catalog.views.forget();
    expect(await rowsOf('event_shares')).toBe(1);
    expect(await countsOf()).toMatchObject({ shares: 2 });
  });
});

describe('views', () => {
  const CHROME =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
  const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0';
  const view = async (headers: Record<string, string> = {}, id = event.id) => {
    const answer = await catalog.call('POST', `/api/events/${id}/view`, {
      headers: { 'x-forwarded-for': '203.0.113.7', 'user-agent': CHROME, ...headers },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('set-cookie')).toBeNull();
  };
  const views = async () => {
    await catalog.views.flush();
    return (await countsOf())?.views;
  };

  test('count once per visitor and day, even if repeated in several batches', async () => {
    await Promise.all([view(), view(), view()]);
    expect(await views()).toBe(1);
    await view();
    expect(await views()).toBe(1);
    await view({ 'user-agent': FIREFOX });
    await view({ 'x-forwarded-for': '203.0.113.8' });
    expect(await views()).toBe(3);
    catalog.time.now = new Date('2026-12-02T04:59:00Z'); // Just before midnight in New York.
    await view();
    expect(await views()).toBe(3);
    catalog.time.now = new Date('2026-12-02T05:00:00Z');
    await view();
    expect(await views()).toBe(4);
  });

  test.each([
    ['a search engine', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
    ['a preview of a link', { 'user-agent': 'facebookexternalhit/1.1' }],
    ['a script', { 'user-agent': 'curl/8.9.1' }],
    ['one that does not say what it is', { 'user-agent': '' }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
  ])('%s does not count as a visitor', async (_who, headers) => {
    await view(headers);
    expect(await views()).toBe(0);
  });

  test('invented browser names of one network count as 64 visitors at most', async () => {
    for (let at = 0; at < 400; at++) await view({ 'user-agent': `${CHROME} Edition/${at}` });
    expect(await views()).toBeGreaterThan(32);
    expect(await views()).toBeLessThanOrEqual(64);
  });

  test('of unknown and canceled events are not counted, and nothing is stored', async () => {
    await catalog.call('POST', `/api/events/${event.id}/cancel`, { as: organizer });
    await view();
    await view({}, 2_000_000_000);
    expect(await views()).toBe(0);
    expect(await rowsOf('view_visitors')).toBe(0);
    expect(await rowsOf('event_counts', 2_000_000_000)).toBe(0);
  });

  test('visitors cannot be traced: no IP address is stored, no visitor is recognized the next day, and the key is deleted after its day', async () => {
    const kept = async () =>
      (
        await catalog.pool.query<{ visitor: Buffer }>('select visitor from view_visitors where event_id = $1', [
          event.id,
        ])
      ).rows;
    await view();
    await views();
    const [first] = await kept();
    expect(first!.visitor).toHaveLength(12);
    catalog.time.now = new Date('2026-12-02T12:00:00Z');
    await catalog.views.forget();
    expect(await kept()).toEqual([]);
    expect((await catalog.pool.query(`select from view_keys where day < '2026-12-02'`)).rowCount).toBe(0);
    await view();
    await views();
    expect((await kept())[0]!.visitor.equals(first!.visitor)).toBe(false);
  });

  test('the key and the visitors are not in PostgreSQL’s write-ahead log', async () => {
    const { rows } = await catalog.pool.query<{ relpersistence: string }>(
      `select relpersistence from pg_class where relname in ('view_keys', 'view_visitors')`,
    );
    expect(rows).toEqual([{ relpersistence: 'u' }, { relpersistence: 'u' }]);
  });
});

describe('saved events', () => {
  const saved = async (as: Person, query: string) => {
    const { status, body } = await catalog.call<EventPage & Problem>('GET', `/api/me/bookmarks?${query}`, { as });
    return { status, titles: body.items?.map(({ title }) => title), next: body.nextCursor, body };
  };
  const on = (title: string, eventDate: string, eventStartTime = '19:00') =>
    catalog.publish(organizer, { title, eventDate, eventStartTime });

  test('upcoming events come soonest first, past events latest first, on pages that neither repeat nor skip an event', async () => {
    const eve = { id: 103 };
    const all = [];
    // Not in order of their dates, and with two on one day.
    for (const [title, day, start] of [
      ['D', '2026-12-20', '21:00'],
      ['C', '2026-12-20', '18:30'],
      ['A', '2026-12-10', '19:00'],
      ['B', '2026-12-12', '19:00'],
      ['E', '2027-01-05', '19:00'],
    ] as const)
      all.push(await on(title, day, start));
    for (const { id } of all) await put('bookmark', eve, undefined, id);
    await catalog.call('POST', `/api/events/${all[3]!.id}/cancel`, { as: organizer });
    const first = await saved(eve, 'part=upcoming&limit=2');
    expect(first.titles).toEqual(['A', 'B']);
    await on('new', '2026-12-11');
    const second = await saved(eve, `part=upcoming&limit=2&cursor=${first.next}`);
    expect(second.titles).toEqual(['C', 'D']);
    const third = await saved(eve, `part=upcoming&limit=2&cursor=${second.next}`);
    expect([third.titles, third.next]).toEqual([['E'], null]);

    catalog.time.now = new Date('2026-12-25T12:00:00Z');
    expect((await saved(eve, 'part=upcoming')).titles).toEqual(['E']);
    const over = await saved(eve, 'part=past&limit=3');
    expect(over.titles).toEqual(['D', 'C', 'B']);
    expect(over.body.items[2]!.status).toBe('canceled');
    expect((await saved(eve, `part=past&limit=3&cursor=${over.next}`)).titles).toEqual(['A']);
  });

  test('that are postponed count as upcoming: they are listed and accept likes and interest', async () => {
    const eve = { id: 105 };
    await put('bookmark', eve);
    const { status } = await catalog.call('POST', `/api/events/${event.id}/postpone`, { as: organizer, body: {} });
    expect(status).toBe(200);
    catalog.time.now = new Date('2026-12-25T12:00:00Z');
    expect((await saved(eve, 'part=upcoming')).titles).toEqual([event.title]);
    expect((await saved(eve, 'part=past')).titles).toEqual([]);
    expect((await put('interest', eve, { interest: 'interested' })).status).toBe(200);
    await catalog.call('POST', `/api/events/${event.id}/view`, {
      headers: { 'x-forwarded-for': '203.0.113.7', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0.0.0' },
    });
    await catalog.views.flush();
    expect(await countsOf()).toMatchObject({ interested: 1, views: 1 });
  });

  test('are private to their account', async () => {
    await put('bookmark', ann);
    expect((await saved({ id: 104 }, 'part=upcoming')).titles).toEqual([]);
    expect((await catalog.call('GET', '/api/me/bookmarks?part=upcoming')).status).toBe(401);
    expect((await catalog.call('GET', '/api/me/engagement?events=1')).status).toBe(401);
  });

  test.each([
    ['part', 'part=all'],
    ['part', 'limit=2'],
    ['limit', 'part=past&limit=1e9'],
    ['cursor', 'part=past&cursor=x'],
    ['cursor', 'part=past&cursor=9-1900-99999999999'],
  ])('an invalid %s is named: %s', async (field, query) => {
    const { status, body } = await saved(ann, query);
    expect([status, body.errors?.[0]?.field]).toEqual([400, field]);
  });

  test.each(['', '1,', '1;2', 'x', '0', '9999999999', Array.from({ length: 101 }, (_, at) => at + 1).join(',')])(
    'an invalid list of events is refused: %s',
    async (events) => {
      const answer = await catalog.call<Problem>('GET', `/api/me/engagement?events=${events}`, { as: ann });
      expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([400, 'events']);
    },
  );
});

test('every caller gets the same response: counts, without the accounts that reacted', async () => {
  await put('like', ann);
  const path = `/api/events/${event.id}`;
  const bytes = async (as?: Person) => JSON.stringify((await catalog.call('GET', path, as && { as })).body);
  expect(await bytes(ann)).toBe(await bytes());
  const list = (await catalog.call<Event[]>('GET', '/api/events')).body.find(({ id }) => id === event.id);
  const found = (await catalog.call<EventPage>('GET', '/api/events?limit=100')).body.items.find(
    ({ id }) => id === event.id,
  );
  const own = (await catalog.call<Event[]>('GET', '/api/users/7/events', { as: organizer })).body.find(
    ({ id }) => id === event.id,
  );
  for (const shown of [list, found, own]) expect(shown?.counts).toEqual({ ...NONE, likes: 1 });
});

test('the number of comments is the latest number from realtime, in any order of messages', async () => {
  const counted = (comments: number, version: number) => ({
    id: randomUUID(),
    type: 'realtime.comments-counted',
    version: 1,
    key: `event-${event.id}`,
    occurredAt: new Date().toISOString(),
    correlationId: 'test',
    causationId: 'test',
    data: { eventId: event.id, comments, version },
  });
  await put('like', ann);
  await catalog.bus.publish('realtime.events', [counted(3, 7), counted(2, 6), counted(3, 7)]);
  await expect.poll(() => countsOf()).toMatchObject({ comments: 3, likes: 1 });
  await catalog.bus.publish('realtime.events', [counted(0, 8)]);
  await expect.poll(() => countsOf()).toMatchObject({ comments: 0, likes: 1 });
});

test('an organizer reads the number of views of their own events with tickets only, an admin of all events', async () => {
  const owner = { id: 71, role: 'business' as const };
  const sells = await catalog.publish(owner, withTickets);
  const sellsNone = await catalog.publish(owner);
  const add = (id: number, by: number) =>
    transaction(catalog.pool, (tx) => addToCounts(tx, [{ eventId: id, count: 'views', by }]));
  await add(sells.id, 12);
  await add(sellsNone.id, 100);
  const views = async (as?: Person) =>
    catalog.call<{ views: number }>('GET', '/api/platform/analytics/views', { ...(as && { as }) });
  expect((await views(owner)).body).toEqual({ views: 12 });
  expect((await views({ id: 72, role: 'business' })).body).toEqual({ views: 0 });
  const all = (await views({ id: 1, role: 'admin' })).body.views;
  await add((await catalog.publish({ id: 73, role: 'business' }, withTickets)).id, 5);
  expect((await views({ id: 1, role: 'admin' })).body.views).toBe(all + 5);
  expect((await views(owner)).body).toEqual({ views: 12 });
  expect((await views({ id: 71 })).status).toBe(403);
  expect((await views()).status).toBe(401);
});

test('a rebuild leaves everything unchanged', async () => {
  for (const what of ['like', 'bookmark']) expect(await put(what, ann)).toMatchObject({ status: 200 });
  expect(await countsOf()).toEqual({ ...NONE, likes: 1 });
  await rebuild(catalog.databaseUrl);
  expect(await countsOf()).toEqual({ ...NONE, likes: 1 });
  expect(await mine(ann, [event.id])).toMatchObject([{ liked: true, bookmarked: true }]);
});
