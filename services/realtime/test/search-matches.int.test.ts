import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NotificationPreferences } from '@beltway/contracts/realtime/notifications';
import type { SearchMatches } from '@beltway/contracts/catalog/saved-searches';
import { logger } from '@beltway/kit/logger';
import type { Mail } from '@beltway/kit/mail';
import { eventually } from '@beltway/kit/testing';
import { startFacts } from '../src/notifications/facts.ts';
import { eventState, purchase, said, startBell, type Bell } from './notifications.ts';

/** The catalog's responses for each event, in pages of accounts, and the requests that the catalog got. */
const pages = new Map<number, SearchMatches[]>();
const asked: string[] = [];
let before: (path: string) => Promise<unknown> | void = () => undefined;
const catalog = {
  get: async (path: string) => {
    const url = new URL(path, 'http://catalog');
    if (url.pathname.startsWith('/internal/followers/')) return { accounts: [] };
    expect(url.pathname).toBe('/internal/saved-searches/matches');
    asked.push(url.search);
    await before(path);
    const [event, after] = [Number(url.searchParams.get('event')), Number(url.searchParams.get('after'))];
    const all = pages.get(event) ?? [];
    // The page after this account.
    const at = after === 0 ? 0 : all.findIndex(({ next }) => next === after) + 1;
    return all[at] ?? { accounts: [], next: null };
  },
};

const sent: Mail[] = [];

let bell: Bell;
beforeAll(
  async () =>
    void (bell = await startBell({
      catalog,
      mailer: { send: async (mail) => void sent.push(mail) },
      identityClient: {
        get: async () => ({ email: 'ada@example.org', isVerified: true }),
        post: async () => undefined,
      },
    })),
);
afterAll(() => bell.close());
beforeEach(() => {
  before = () => undefined;
  asked.length = 0;
});

let lastEvent = 500;
let lastAccount = 50_000;
const newEvent = () => ++lastEvent;
const account = () => ++lastAccount;
const published = (eventId: number, more: Record<string, unknown> = {}, envelope = {}) =>
  said('catalog.event-published', `event-${eventId}`, eventState(eventId, more), envelope);
const updated = (eventId: number, version: number, more: Record<string, unknown> = {}) =>
  said('catalog.event-updated', `event-${eventId}`, eventState(eventId, { version, ...more }));
const canceled = (eventId: number) =>
  said('catalog.event-canceled', `event-${eventId}`, { eventId, version: 99, ownerId: 1 });
/** Sets the catalog's response to one page with these accounts. Each account has searches with these names. */
const find = (eventId: number, ids: number[], names = ['Jazz']) =>
  pages.set(eventId, [{ accounts: ids.map((id) => ({ id, names })), next: null }]);
const titles = async (as: number) => (await bell.list(as)).items.map(({ title }) => title);

describe('a notification of saved searches that match a new event', () => {
  test('is sent once, with the names of the searches, however often it is delivered', async () => {
    const [eventId, ada, bob] = [newEvent(), account(), account()];
    pages.set(eventId, [
      {
        accounts: [
          { id: ada, names: ['Jazz'] },
          { id: bob, names: ['A', 'B', 'C', 'D', 'E'] },
        ],
        next: null,
      },
    ]);
    const message = published(eventId);
    await bell.hear(message, message);
    await bell.settled();
    await bell.hear(message, published(eventId));
    await bell.settled();
    expect((await bell.list(ada)).items).toMatchObject([
      {
        kind: 'search-matched',
        title: 'New: Go-Go Night',
        text: 'Matches your saved search ‘Jazz’. Wed, Dec 4, 2030, 7 PM ET',
        path: `/event/${eventId}`,
        isRead: false,
      },
    ]);
    expect((await bell.list(bob)).items[0]!.text).toMatch(/^Matches your saved searches ‘A’, ‘B’, ‘C’ and 2 more\./);
    expect(await bell.unread(ada)).toBe(1);
  });

  test('is sent in batches: after a crash between two batches, the next batch follows, and no account is notified twice', async () => {
    const [eventId, ada, bob, cy] = [newEvent(), account(), account(), account()];
    pages.set(eventId, [
      { accounts: [{ id: ada, names: ['Jazz'] }], next: ada },
      { accounts: [], next: ada + 10_000 },
      { accounts: [{ id: bob, names: ['Jazz'] }], next: ada + 10_001 },
      { accounts: [{ id: cy, names: ['Jazz'] }], next: null },
    ]);
    before = () => {
      if (asked.length >= 3) throw new Error('the catalog is away');
    };
    await bell.hear(published(eventId));
    await eventually(() => Promise.resolve(asked.length >= 3));
    expect(await titles(ada)).toEqual(['New: Go-Go Night']);
    expect(await titles(bob)).toEqual([]);
    before = () => undefined;
    await bell.settled();
    for (const one of [ada, bob, cy]) expect(await titles(one)).toEqual(['New: Go-Go Night']);
    for (const one of [ada, bob, cy]) expect(await bell.unread(one)).toBe(1);
    expect(asked.slice(3).filter((search) => search.endsWith(`after=0`) || search.endsWith(`after=${ada}`))).toEqual(
      [],
    );
  });

  test('is sent once even if two instances process one batch concurrently', async () => {
    const [eventId, ada] = [newEvent(), account()];
    find(eventId, [ada]);
    let arrived = 0;
    let bothAreThere = () => {};
    const together = new Promise<void>((resolve) => (bothAreThere = resolve));
    before = () => {
      if (++arrived === 2) bothAreThere();
      return together;
    };
    await bell.hear(published(eventId));
    await eventually(() => Promise.resolve(arrived === 1));
    // The first lease has expired, so another instance claims the fact.
    await bell.pool.query(`update jobs set run_at = now() where queue = 'search-match'`);
    const told: number[] = [];
    const other = startFacts({
      ...{ pool: bell.pool, log: logger('test', 'silent'), catalog, clock: () => new Date() },
      tell: (ids) => void told.push(...ids),
    });
    await other.work();
    await other.stop();
    before = () => undefined;
    await bell.settled();
    expect(await bell.unread(ada)).toBe(1);
  });

  test('is sent once for all dates of a series', async () => {
    const [ada, seriesId] = [account(), newEvent()];
    const dates = [newEvent(), newEvent(), newEvent()];
    for (const id of dates) find(id, [ada]);
    await bell.hear(...dates.map((id) => published(id, { seriesId })));
    await bell.settled();
    expect(await titles(ada)).toEqual(['New: Go-Go Night']);
  });

  test('is not sent for an event that was already canceled, or for a message that is days late', async () => {
    const [off, late, ada] = [newEvent(), newEvent(), account()];
    find(off, [ada]);
    find(late, [ada]);
    before = (path) => {
      if (path.includes(`event=${off}&`)) throw new Error('the catalog is away');
    };
    const occurredAt = new Date(Date.now() - 4 * 24 * 3_600_000).toISOString();
    await bell.hear(published(off), published(late, {}, { occurredAt }));
    await eventually(() => Promise.resolve(asked.length > 0));
    await bell.hear(canceled(off));
    await eventually(async () => {
      const lag = await bell.bus.lag('realtime.notifications', ['catalog.events']);
      return lag['catalog.events'] === 0;
    });
    before = () => undefined;
    await bell.settled();
    expect(await titles(ada)).toEqual([]);
  });

  test('shows a later cancellation when it is read', async () => {
    const [eventId, ada] = [newEvent(), account()];
    find(eventId, [ada]);
    await bell.hear(published(eventId));
    await bell.settled();
    await bell.hear(canceled(eventId));
    await bell.settled();
    expect(await titles(ada)).toEqual(['Go-Go Night was canceled']);
  });
});

describe('a change of an event', () => {
  test('notifies accounts whose searches it did not match before, and no account twice', async () => {
    const [eventId, ada, bob] = [newEvent(), account(), account()];
    find(eventId, [ada]);
    await bell.hear(published(eventId));
    await bell.settled();
    find(eventId, [ada, bob]);
    await bell.hear(updated(eventId, 2, { location: 'DC9' }), updated(eventId, 3, { location: 'Echostage' }));
    await bell.settled();
    expect([await titles(ada), await titles(bob)]).toEqual([['New: Go-Go Night'], ['New: Go-Go Night']]);
    expect([await bell.unread(ada), await bell.unread(bob)]).toEqual([1, 1]);
  });

  test('is matched after a delay: several changes in a row count as one, and for a postponed event no one is notified', async () => {
    const eventId = newEvent();
    await bell.hear(published(eventId));
    await bell.settled();
    asked.length = 0;
    await bell.hear(...[2, 3, 4].map((version) => updated(eventId, version, { description: `Take ${version}` })));
    await eventually(async () =>
      Object.values(await bell.bus.lag('realtime.notifications', ['catalog.events'])).every((lag) => lag === 0),
    );
    const { rows } = await bell.pool.query<{ inSeconds: number }>(
      `select extract(epoch from run_at - now())::float8 as "inSeconds" from jobs where queue = 'search-match'`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]!.inSeconds).toBeGreaterThan(10);
    await bell.settled();
    expect(asked).toHaveLength(1);
    await bell.hear(updated(eventId, 5, { isPostponed: true }));
    await bell.settled();
    expect(asked).toHaveLength(1);
  });

  test('during the matching restarts from the first account, so that all accounts are matched against the new state', async () => {
    const [eventId, early, ada, bob] = [newEvent(), account(), account(), account()];
    pages.set(eventId, [
      { accounts: [{ id: ada, names: ['Jazz'] }], next: ada },
      { accounts: [{ id: bob, names: ['Jazz'] }], next: null },
    ]);
    let isHeld = true;
    before = async () => {
      if (asked.length === 2 && isHeld) await eventually(() => Promise.resolve(!isHeld));
    };
    await bell.hear(published(eventId));
    await eventually(() => Promise.resolve(asked.length === 2));
    find(eventId, [early, ada]);
    await bell.hear(updated(eventId, 2, { location: 'DC9' }));
    await eventually(async () => {
      const { rows } = await bell.pool.query(`select from jobs where data -> 'fact' ->> 'isChange' = 'true'`);
      return rows.length === 1;
    });
    isHeld = false;
    await bell.settled();
    expect(await titles(early)).toEqual(['New: Go-Go Night']);
    expect(await bell.unread(ada)).toBe(1);
    // The matches of the interrupted batch are outdated.
    expect(await titles(bob)).toEqual([]);
  });

  test('notifies once, even if the publication arrives later, as a replayed dead letter', async () => {
    const [eventId, ada] = [newEvent(), account()];
    find(eventId, [ada]);
    await bell.hear(updated(eventId, 2, { title: 'Go-Go Night II' }));
    await bell.settled();
    await bell.hear(published(eventId));
    await bell.settled();
    expect(await titles(ada)).toEqual(['New: Go-Go Night II']);
    expect(await bell.unread(ada)).toBe(1);
  });
});

test('other notifications do not wait while the catalog searches', async () => {
  const [eventId, other, ownerId] = [newEvent(), newEvent(), account()];
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  before = () => held;
  await bell.hear(published(eventId));
  await eventually(() => Promise.resolve(asked.length === 1));
  // A sale that arrives before its event also waits as a fact.
  await bell.hear(purchase(other, null));
  await eventually(
    async () => (await bell.pool.query(`select from jobs where queue = 'notification-fact'`)).rowCount === 1,
  );
  await bell.hear(published(other, { ownerId }));
  await eventually(async () => {
    await bell.pool.query(`update jobs set run_at = now() where queue = 'notification-fact'`);
    return (await bell.list(ownerId)).items.length === 1;
  });
  expect(asked).toHaveLength(1);
  release();
  await bell.settled();
});

test('the chosen channels apply: with searches off on the page, one mail has all matching events of an hour', async () => {
  const [ada, one, two] = [account(), newEvent(), newEvent()];
  await bell.call('PATCH', '/api/me/notification-preferences', ada, {
    page: { 'search-matched': false },
    mail: { 'search-matched': true },
  });
  for (const id of [one, two]) {
    find(id, [ada], ['Go-go ‹nearby›']);
    await bell.hear(published(id, { title: `Night ${id}` }, { id: randomUUID() }));
    await bell.settled();
  }
  expect(await bell.unread(ada)).toBe(0);
  const { rows } = await bell.pool.query<{ key: string }>(
    `select key from jobs where queue = 'notification-mail' and key like $1 || '/%'`,
    [ada],
  );
  // If a full hour passed in between, there are two mails.
  const hours = await bell.pool.query(`select distinct date_trunc('hour', at) from notifications where user_id = $1`, [
    ada,
  ]);
  expect(rows).toHaveLength(hours.rowCount!);
  await bell.passTime('notification-mail', 2 * 3_600_000);
  await bell.sendMails();
  await bell.sendMails();
  expect(sent).toHaveLength(rows.length);
  const text = sent.map((mail) => mail.text).join();
  for (const id of [one, two]) expect(text.split(`New: Night ${id}`)).toHaveLength(2);
  expect(text).toContain('Matches your saved search ‘Go-go ‹nearby›’.');
  if (sent.length === 1) expect(sent[0]!.subject).toBe('2 new events match your searches');
  const { pathname, search } = new URL(sent[0]!.unsubscribeUrl!);
  expect((await bell.call('POST', pathname + search)).status).toBe(204);
  const { body } = await bell.call<NotificationPreferences>('GET', '/api/me/notification-preferences', ada);
  expect(body.mail['search-matched']).toBe(false);
});
