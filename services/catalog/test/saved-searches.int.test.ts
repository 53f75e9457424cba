import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EventPage } from '@beltway/contracts/catalog/events';
import {
  MAX_SAVED_SEARCHES,
  type SavedSearch,
  type SavedSearches,
  type SearchMatches,
} from '@beltway/contracts/catalog/saved-searches';
import { erasePerson, HIGHEST_ACCOUNT } from '../src/person.ts';
import { INTERNAL_TOKEN, startCatalog, withTickets, type Catalog } from './catalog.ts';

const organizer = { id: 1, role: 'business' as const };
let catalog: Catalog;
let lastAccount = 1_000;
const account = () => ({ id: ++lastAccount });
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());
beforeEach(() => catalog.pool.query('truncate saved_searches'));

type Person = ReturnType<typeof account>;
const save = (as: Person, search: Record<string, string>, name = 'Mine') =>
  catalog.call<SavedSearch>('POST', '/api/me/saved-searches', { as, body: { name, search } });
const listOf = async (as: Person) =>
  (await catalog.call<SavedSearches>('GET', '/api/me/saved-searches', { as })).body.items;
const internal = { headers: { 'x-internal-token': INTERNAL_TOKEN } };
const page = async (event: number, after = 0) =>
  (await catalog.call<SearchMatches>('GET', `/internal/saved-searches/matches?event=${event}&after=${after}`, internal))
    .body;
/** All pages of an event's matches. */
async function matchesOf(event: number) {
  const accounts: SearchMatches['accounts'] = [];
  for (let after: number | null = 0; after !== null;) {
    const got: SearchMatches = await page(event, after);
    accounts.push(...got.accounts);
    after = got.next;
  }
  return accounts;
}
describe('saved searches of an account', () => {
  test('are saved, listed, renamed and deleted by their account only', async () => {
    const [ada, bob] = [account(), account()];
    const { status, body } = await save(
      ada,
      { q: 'jazz', category: 'music', near: 'Dupont Circle', radius: '5' },
      'Jazz',
    );
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number) as number,
      name: 'Jazz',
      search: { q: 'jazz', category: 'music', near: 'Dupont Circle', radius: '5' },
      savedAt: expect.any(String) as string,
    });
    const path = `/api/me/saved-searches/${body.id}`;
    const rename = (as: Person | undefined, name: string) =>
      catalog.call<SavedSearch>('PATCH', path, { ...(as && { as }), body: { name } });
    expect((await rename(bob, 'Bob’s')).status).toBe(404);
    expect((await rename(undefined, 'Nobody’s')).status).toBe(401);
    expect((await rename(ada, ' Jazz nearby ')).body.name).toBe('Jazz nearby');
    expect((await catalog.call('DELETE', path, { as: bob })).status).toBe(204);
    expect(await listOf(ada)).toMatchObject([{ name: 'Jazz nearby' }]);
    expect(await listOf(bob)).toEqual([]);
    for (const _again of [1, 2]) expect((await catalog.call('DELETE', path, { as: ada })).status).toBe(204);
    expect(await listOf(ada)).toEqual([]);
    expect((await rename(ada, 'Gone')).status).toBe(404);
  });

  test('are listed once, even if saved in several spellings and concurrently', async () => {
    const ada = account();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => save(ada, { q: 'go-go  Night', tags: '#LiveDJ,rooftop' }, `Name ${at}`)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const spelt = { q: ' Go-go night', tags: 'rooftop,livedj', sort: 'newest', radius: '' };
    const again = await save(ada, spelt, 'Another name');
    expect([again.status, again.body.id]).toEqual([200, answers[0]!.body.id]);
    expect((await save(ada, { q: 'go-go night', near: 'arlington' })).status).toBe(201);
    expect((await save(ada, { q: 'go-go night', near: 'Arlington', radius: '10' })).status).toBe(200);
    expect((await save(ada, { q: 'go-go night', near: 'arlington', radius: '5' })).status).toBe(201);
    expect(await listOf(ada)).toHaveLength(3);
    expect((await save(account(), { q: 'go-go night' })).status).toBe(201);
  });

  test('are limited, even if saved concurrently; after one is deleted, another can be saved', async () => {
    const ada = account();
    const sent = Array.from({ length: MAX_SAVED_SEARCHES + 8 }, (_, at) => save(ada, { q: `word${at}` }));
    const answers = await Promise.all(sent);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(8);
    expect(refused[0]!.body).toMatchObject({ code: 'too-many-saved-searches' });
    const [first] = await listOf(ada);
    expect((await save(ada, first!.search)).status).toBe(200);
    await catalog.call('DELETE', `/api/me/saved-searches/${first!.id}`, { as: ada });
    expect((await save(ada, { q: 'another' })).status).toBe(201);
    expect(await listOf(ada)).toHaveLength(MAX_SAVED_SEARCHES);
  });

  test.each<[string, unknown, string]>([
    ['nothing', {}, 'search'],
    ['an order alone', { sort: 'newest' }, 'search'],
    ['blanks', { q: '  ', tags: '' }, 'search'],
    ['a parameter that there is not', { q: 'a', cursor: 'x' }, 'search.cursor'],
    ['a list', { q: ['a'] }, 'search.q'],
    ['a long text', { q: 'a'.repeat(201) }, 'search.q'],
    ['a category that there is not', { category: 'opera' }, 'search.category'],
    ['a radius without a place', { q: 'a', radius: '5' }, 'search.radius'],
    ['a place that nobody knows', { near: 'Atlantis' }, 'search.near'],
    ['a day that there is not', { from: '2026-02-31' }, 'search.from'],
    ['an end before its beginning', { from: '2026-12-05', to: '2026-12-01' }, 'search.to'],
  ])('are refused with %s, and the response names the field', async (_what, search, field) => {
    const { status, body } = await catalog.call<{ errors: Array<{ field: string }> }>(
      'POST',
      '/api/me/saved-searches',
      {
        as: account(),
        body: { name: 'Mine', search },
      },
    );
    expect([status, body.errors.map((one) => one.field)]).toEqual([400, [field]]);
  });

  test.each([
    ['', 'name'],
    ['x'.repeat(61), 'name'],
    ['\u202e\u200b', 'name'],
  ])('are refused with the name %j', async (name) => {
    const { status } = await save(account(), { q: 'jazz' }, name);
    expect(status).toBe(400);
  });

  test('are deleted with the account, and are part of its export', async () => {
    const ada = account();
    await save(ada, { q: 'private-taste' }, 'My private taste');
    const { rows } = await catalog.pool.query<{ highest: number }>(`select (${HIGHEST_ACCOUNT}) as highest`);
    expect(rows[0]!.highest).toBe(ada.id);
    const part = await catalog.call<Record<string, unknown>>('GET', `/internal/people/${ada.id}`, internal);
    expect(part.body['savedSearches']).toMatchObject([{ name: 'My private taste', search: { q: 'private-taste' } }]);
    const { pool, listings, time } = catalog;
    const erase = () => erasePerson({ pool, listings, clock: () => time.now }, ada.id);
    await erase();
    await erase();
    expect((await pool.query('select from saved_searches where user_id = $1', [ada.id])).rowCount).toBe(0);
    // The request was authenticated just before the erasure.
    await pool.query('insert into erasures (user_id, erased_at) values ($1, now())', [ada.id]);
    expect((await save(ada, { q: 'private-taste' })).status).toBe(409);
    expect((await pool.query('select from saved_searches where user_id = $1', [ada.id])).rowCount).toBe(0);
  });
});

describe('accounts whose searches find an event', () => {
  test('can be read by other services only', async () => {
    expect((await catalog.call('GET', '/internal/saved-searches/matches?event=1')).status).toBe(403);
  });

  test('are those whose searches find the event with GET /api/events, and no others, for any search', async () => {
    const queries: Array<Record<string, string>> = [
      { q: 'jazz' },
      { q: 'jaz' },
      { q: 'jzaz' },
      { q: 'trumpeter' },
      { q: 'trumpetre' },
      { q: 'sunsetjazz' },
      { q: 'jazz brunch' },
      { q: 'brunch -' },
      { q: 'go go' },
      { q: 'GOGO' },
      { q: 'shaw' },
      { q: '9:30' },
      { q: 'café' },
      { q: 'nobodywrotethis' },
      { q: 'the' },
      { q: '#rooftop' },
      { q: '#roof' },
      { q: 'free jazz' },
      { q: 'jazz tonight' },
      { q: 'tomorrow' },
      { q: 'this weekend' },
      { q: 'jazz under $20' },
      { q: "o'clock & | ! :* (" },
      { q: 'jazz', category: 'music' },
      { q: 'jazz', category: 'food' },
      { category: 'music,food' },
      { tags: 'rooftop' },
      { tags: '#LiveDJ,rooftop' },
      { maxPrice: '20' },
      { maxPrice: '60' },
      { free: '1' },
      { near: 'Shaw', radius: '2' },
      { near: 'Arlington, VA', radius: '1' },
      { near: '38.90,-77.03' },
      { near: '38.90,-77.03', radius: '0.5' },
      { from: '2026-12-05' },
      { from: '2026-12-05', to: '2026-12-05' },
      { to: '2026-12-04' },
      { from: '2020-01-01' },
      { organizer: '1' },
      { organizer: '7' },
      { onSale: '1' },
      { q: 'jazz', near: 'Shaw', maxPrice: '60', onSale: '1', from: '2026-12-01', category: 'music' },
      { q: 'misspeltt wrods evrywhere', sort: 'popular' },
    ];
    const people = queries.map(() => account());
    for (const [at, query] of queries.entries())
      expect([query, (await save(people[at]!, query)).status]).toEqual([query, 201]);
    const events = [
      await catalog.publish(organizer, {
        title: 'Sunset Jazz',
        location: '9:30 Club, Washington, DC',
        tags: ['#livemusic'],
      }),
      await catalog.publish(organizer, {
        title: 'Go-Go brunch',
        tags: ['#rooftop', '#LiveDJ'],
        ...withTickets,
        ticketPrice: 50,
      }),
      await catalog.publish(organizer, {
        title: 'Trumpeters’ café',
        eventDate: '2026-12-02T05:00:00.000Z',
        tags: ['#free', '#jazz'],
      }),
      await catalog.publish(organizer, {
        title: 'Tonight’s jazz',
        eventDate: '2026-12-01T05:00:00.000Z',
        location: 'Somewhere',
      }),
      await catalog.publish(organizer, {
        title: 'Market',
        description: 'Jazz at noon.',
        location: 'Arlington, VA',
        tags: ['#food'],
      }),
      await catalog.publish(
        { id: 7 },
        { ...withTickets, ticketPrice: 15, tags: ['#jazz'], eventDate: '2027-03-05T05:00:00.000Z' },
      ),
    ];
    let found = 0;
    for (const { id } of events) {
      const matching = new Set((await matchesOf(id)).map((one) => one.id));
      for (const [at, query] of queries.entries()) {
        const address = new URLSearchParams({ ...query, limit: '100' }).toString();
        const { body } = await catalog.call<EventPage>('GET', `/api/events?${address}`);
        const isFound = body.items.some((event) => event.id === id);
        expect([id, query, matching.has(people[at]!.id)]).toEqual([id, query, isFound]);
        if (isFound) found++;
      }
    }
    // Many searches match and many do not, so the comparison is meaningful.
    expect(found).toBeGreaterThan(30);
    expect(found).toBeLessThan(events.length * queries.length - 100);
  });

  test('are listed once each, with the names of all their matching searches', async () => {
    const [ada, bob] = [account(), account()];
    await save(ada, { q: 'go-go' }, 'Go-go');
    await save(ada, { q: 'opera' }, 'Opera');
    await save(ada, { tags: 'rooftop' }, 'Rooftops');
    await save(bob, { q: 'opera' });
    const { id } = await catalog.publish(organizer);
    expect(await matchesOf(id)).toEqual([{ id: ada.id, names: ['Go-go', 'Rooftops'] }]);
  });

  test('exclude the organizer, searches that were saved after the publication, and deleted searches', async () => {
    const [before, after, gone] = [account(), account(), account()];
    for (const one of [organizer, before, gone]) await save(one, { q: 'go-go' });
    const [saved] = await listOf(gone);
    await catalog.call('DELETE', `/api/me/saved-searches/${saved!.id}`, { as: gone });
    const { id } = await catalog.publish(organizer);
    await save(after, { q: 'go-go' });
    expect((await matchesOf(id)).map((one) => one.id)).toEqual([before.id]);
    await catalog.call('PATCH', `/api/events/${id}`, { as: organizer, body: { title: 'Go-go, longer' } });
    expect((await matchesOf(id)).map((one) => one.id)).toEqual([before.id]);
  });

  test('include accounts whose searches match only after a change, for a month; not while the event is canceled or postponed', async () => {
    const ada = account();
    await save(ada, { near: 'Arlington, VA', radius: '1' });
    const { id } = await catalog.publish(organizer, { location: 'The Wharf, DC' });
    expect(await matchesOf(id)).toEqual([]);
    const change = (body: object) => catalog.call('PATCH', `/api/events/${id}`, { as: organizer, body });
    await change({ location: 'Arlington, VA' });
    expect(await matchesOf(id)).toHaveLength(1);
    await catalog.call('POST', `/api/events/${id}/postpone`, { as: organizer });
    expect(await matchesOf(id)).toEqual([]);
    await change({ eventDate: '2027-02-05T05:00:00.000Z' });
    expect(await matchesOf(id)).toHaveLength(1);
    const isOlder = (interval: string) =>
      catalog.pool.query(`update listings set created_at = created_at + $2::interval where event_id = $1`, [
        id,
        interval,
      ]);
    await isOlder('-31 days');
    await catalog.pool.query(`update saved_searches set saved_at = saved_at - interval '40 days'`);
    expect(await matchesOf(id)).toEqual([]);
    await isOlder('31 days');
    expect(await matchesOf(id)).toHaveLength(1);
    await catalog.call('POST', `/api/events/${id}/cancel`, { as: organizer });
    expect(await matchesOf(id)).toEqual([]);
    expect(await matchesOf(99_999)).toEqual([]);
  });

  test('are returned in parts, each account in exactly one part, even if accounts are deleted in between', async () => {
    const ACCOUNTS = 700;
    // Each account has three searches, so the thousandth search is in the middle of an account.
    await catalog.pool.query(
      `insert into saved_searches (user_id, name, search, digest, saved_at)
       select 10000 + person, 'Search ' || n, jsonb_build_object('q', case when n = 2 then 'opera' else 'go-go word' || n * person % 2 end),
         person || ' ' || n, '2026-11-01' from generate_series(1, ${ACCOUNTS}) person, generate_series(1, 3) n`,
    );
    const { id } = await catalog.publish(organizer, { description: 'word0 and word1' });
    const first = await page(id);
    expect(first.next).not.toBeNull();
    expect(first.accounts.at(-1)!.id).toBeLessThanOrEqual(first.next!);
    // A repeated page begins with the same account; its length depends on time.
    expect((await page(id)).accounts[0]).toEqual(first.accounts[0]);
    const last = 10_000 + ACCOUNTS;
    await catalog.pool.query('delete from saved_searches where user_id = any($1)', [[first.next, last]]);
    const seen = [...first.accounts];
    let pages = 1;
    for (let after = first.next; after !== null; pages++) {
      const got: SearchMatches = await page(id, after);
      seen.push(...got.accounts);
      after = got.next;
    }
    expect(pages).toBeGreaterThan(2);
    expect(seen.map((one) => one.id)).toEqual(Array.from({ length: ACCOUNTS - 1 }, (_, at) => 10_001 + at));
    expect(new Set(seen.map(({ names }) => names.join()))).toEqual(new Set(['Search 1,Search 3']));
  });

  test('if older code stored a search that is no longer valid, it finds nothing and blocks no other search', async () => {
    const ada = account();
    await catalog.pool.query(
      `insert into saved_searches (user_id, name, search, digest, saved_at) values
       (5000, 'Old', '{"category": "opera"}', 'a', '2026-11-01'), (5000, 'Gone', '{"near": "Atlantis"}', 'b', '2026-11-01')`,
    );
    await save(ada, { q: 'go-go' });
    const { id } = await catalog.publish(organizer);
    expect((await matchesOf(id)).map((one) => one.id)).toEqual([ada.id]);
  });
});
