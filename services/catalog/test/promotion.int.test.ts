import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Event } from '@beltway/contracts/catalog/events';
import { endPromotions } from '../src/promotion/jobs.ts';
import { promotionInvariants } from '../src/promotion/invariants.ts';
import { rebuild } from '../src/rebuild.ts';
import { concert, startCatalog, type Catalog } from './catalog.ts';

let catalog: Catalog;
const olga = { id: 3 };
const START = new Date('2026-12-01T12:00:00Z');
const hours = (count: number) => new Date(START.getTime() + count * 3_600_000);
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.close());
beforeEach(async () => {
  catalog.time.now = hours(10_000);
  while (await endPromotions(catalog.promotions));
  catalog.time.now = START;
});

const shown = async (id: number) => {
  const { isSponsored, promotionLevel } = (await catalog.call<Event>('GET', `/api/events/${id}`)).body;
  return [isSponsored, promotionLevel];
};
const featured = async () => (await catalog.call<Event[]>('GET', '/api/events/featured')).body.map(({ id }) => id);
const premium = async () => (await catalog.call<Event[]>('GET', '/api/events/premium')).body.map(({ id }) => id);
const promote = async (...args: Parameters<Catalog['promote']>) => {
  await catalog.promote(...args);
  await catalog.heard();
};
const said = async (eventId: number, type: string) =>
  (await catalog.told()).filter(
    ({ data, ...one }) => one.type === type && (data as { eventId: number }).eventId === eventId,
  );

test('a paid promotion is shown immediately and ends automatically; both fields then have their defaults again', async () => {
  const { id } = await catalog.publish(olga);
  await promote(id, 'featured');
  expect(await shown(id)).toEqual([true, 'featured']);
  expect(await featured()).toEqual([id]);
  catalog.time.now = new Date(hours(24).getTime() - 1);
  await endPromotions(catalog.promotions);
  expect(await featured()).toEqual([id]);
  // No instance ran to record the end of the promotion, but it is over.
  catalog.time.now = hours(24);
  expect(await featured()).toEqual([]);
  await Promise.all([endPromotions(catalog.promotions), endPromotions(catalog.promotions)]);
  expect(await shown(id)).toEqual([false, 'none']);
  expect(await said(id, 'catalog.promotion-ended')).toHaveLength(1);
});

test('a purchase counts once, even if several messages report it; a second purchase extends the promotion', async () => {
  const { id } = await catalog.publish(olga);
  const promotionId = randomUUID();
  const message = randomUUID();
  for (let n = 0; n < 2; n++) await promote(id, 'featured', { promotionId, id: message });
  await promote(id, 'featured', { promotionId });
  expect(await said(id, 'catalog.promotion-started')).toHaveLength(1);
  await promote(id, 'featured');
  const until = (await said(id, 'catalog.promotion-started')).map(({ data }) => (data as { until: string }).until);
  expect(until).toEqual([hours(24).toISOString(), hours(48).toISOString()]);
  catalog.time.now = hours(47);
  await endPromotions(catalog.promotions);
  expect(await shown(id)).toEqual([true, 'featured']);
});

test('the higher of two levels is shown, and each level ends at its own time', async () => {
  const { id } = await catalog.publish(olga);
  await promote(id, 'featured');
  await promote(id, 'premium');
  expect(await shown(id)).toEqual([true, 'premium']);
  expect(await featured()).toEqual([id]);
  catalog.time.now = hours(24);
  await endPromotions(catalog.promotions);
  expect(await shown(id)).toEqual([true, 'premium']);
  expect(await featured()).toEqual([]);
  catalog.time.now = hours(48);
  await endPromotions(catalog.promotions);
  expect(await shown(id)).toEqual([false, 'none']);
});

test('a promotion of a canceled or unknown event is refused, once', async () => {
  const { id } = await catalog.publish(olga);
  await catalog.call('POST', `/api/events/${id}/cancel`, { as: olga, body: {} });
  const promotionId = randomUUID();
  await promote(id, 'premium', { promotionId });
  await promote(id, 'premium', { promotionId });
  expect(await said(id, 'catalog.promotion-refused')).toMatchObject([
    { data: { promotionId, level: 'premium', amountCents: 2_999, reason: 'event-canceled' } },
  ]);
  expect(await shown(id)).toEqual([false, 'none']);
  await promote(999_999, 'featured');
  expect(await said(999_999, 'catalog.promotion-refused')).toMatchObject([{ data: { reason: 'no-such-event' } }]);
});

test('canceling an event ends its promotion', async () => {
  const { id } = await catalog.publish(olga);
  await promote(id, 'featured');
  await catalog.call('POST', `/api/events/${id}/cancel`, { as: olga, body: {} });
  expect(await shown(id)).toEqual([false, 'none']);
  expect(await featured()).toEqual([]);
});

test('a promotion does not conflict with an organizer’s change', async () => {
  const { id } = await catalog.publish(olga);
  await promote(id, 'featured');
  const headers = { 'if-match': '"1"' };
  const changed = await catalog.call('PATCH', `/api/events/${id}`, { as: olga, body: { title: 'Go-Go' }, headers });
  expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"3"']);
  expect(await shown(id)).toEqual([true, 'featured']);
});

test('if more events are promoted than fit on a page, each event has every place for the same time', async () => {
  const ids: number[] = [];
  for (let n = 0; n < 7; n++) {
    const { id } = await catalog.publish(olga, { title: `${concert.title} ${n}` });
    await promote(id, 'featured');
    ids.push(id);
  }
  const turns = new Map<number, number>(ids.map((id) => [id, 0]));
  for (let minute = 0; minute < 7; minute++) {
    catalog.time.now = new Date(START.getTime() + minute * 60_000);
    const all = await featured();
    expect(new Set(all)).toEqual(new Set(ids));
    for (const id of all.slice(0, 5)) turns.set(id, turns.get(id)! + 1);
  }
  expect([...turns.values()]).toEqual(ids.map(() => 5));
});

test('a premium event is shown whatever its date; more than three premium events share the time equally', async () => {
  const ids: number[] = [];
  for (let n = 0; n < 5; n++) {
    // The event is half a year away, so it is neither current nor among the next 200.
    const { id } = await catalog.publish(olga, { title: `${concert.title} ${n}`, eventDate: '2027-06-01' });
    await promote(id, n % 2 === 0 ? 'premium' : 'livestream');
    ids.push(id);
  }
  // An event with two levels still has one turn.
  await promote(ids[0]!, 'livestream');
  const turns = new Map<number, number>(ids.map((id) => [id, 0]));
  for (let minute = 0; minute < 5; minute++) {
    catalog.time.now = new Date(START.getTime() + minute * 60_000);
    const all = await premium();
    expect(all.toSorted((one, other) => one - other)).toEqual(ids);
    expect(await premium()).toEqual(all);
    for (const id of all.slice(0, 3)) turns.set(id, turns.get(id)! + 1);
  }
  expect([...turns.values()]).toEqual(ids.map(() => 3));
  catalog.time.now = hours(48);
  expect(await premium()).toEqual([]);
});

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
const shownOf = async (id: number) => {
  await catalog.adCounting.flush();
  const { body } = await catalog.call<Event[]>('GET', `/api/users/${olga.id}/events`, { as: olga });
  return body.find((event) => event.id === id)?.promotionShown;
};
const see = (body: object, browser = 1) =>
  catalog.call('POST', '/api/ads/impressions', {
    body: { view: randomUUID(), ...body },
    headers: { 'user-agent': `${BROWSER.replaceAll('130', String(100 + browser))}` },
  });

test('the buyer of a promotion sees the impressions of the event and those of the whole place', async () => {
  const [mine, other, strip] = await Promise.all([1, 2, 3].map(() => catalog.publish(olga)));
  await promote(mine!.id, 'premium');
  await promote(other!.id, 'livestream');
  await promote(strip!.id, 'featured');
  expect(await shownOf(mine!.id)).toBeUndefined();
  await see({ premium: [mine!.id, other!.id] });
  await see({ premium: [other!.id], featured: [strip!.id, mine!.id] }, 2);
  expect(await shownOf(mine!.id)).toEqual([{ place: 'premium', impressions: 1, ofPlace: 3 }]);
  expect(await shownOf(other!.id)).toEqual([{ place: 'premium', impressions: 2, ofPlace: 3 }]);
  // The event does not count in a place that it did not buy.
  expect(await shownOf(strip!.id)).toEqual([{ place: 'featured', impressions: 1, ofPlace: 1 }]);
  // One browser counts at most four times a day.
  for (let n = 0; n < 9; n++) await see({ premium: [mine!.id] }, 3);
  expect(await shownOf(mine!.id)).toEqual([{ place: 'premium', impressions: 5, ofPlace: 7 }]);
  expect((await catalog.call('POST', '/api/ads/impressions', { body: { view: 'x', premium: [0] } })).status).toBe(400);
  // The public response does not contain the numbers.
  expect(Object.keys((await catalog.call<Event>('GET', `/api/events/${mine!.id}`)).body)).not.toContain(
    'promotionShown',
  );
  // Nothing is counted after the promotion has ended.
  catalog.time.now = hours(48);
  await see({ premium: [mine!.id] }, 4);
  expect(await shownOf(mine!.id)).toEqual([{ place: 'premium', impressions: 5, ofPlace: 7 }]);
});

test('the invariant check finds a paid promotion that is not offered, or not marked', async () => {
  const violated = async () =>
    (await promotionInvariants(catalog.pool, catalog.time.now))
      .filter(({ ok }) => !ok)
      .map(({ name, examples }) => [name, examples]);
  const ids: number[] = [];
  // More events than fit on one page: all of them appear during a rotation.
  for (let n = 0; n < 23; n++) {
    const { id } = await catalog.publish(olga);
    await promote(id, n === 0 ? 'featured' : 'premium');
    ids.push(id);
  }
  expect(await violated()).toEqual([]);
  await catalog.pool.query('delete from promotions where event_id = any($1)', [[ids[0], ids[22]]]);
  await catalog.pool.query(`update listings set promotion_level = 'featured' where event_id = $1`, [ids[1]]);
  expect(await violated()).toEqual([
    ['each running promotion has its turn in its place: featured', [`event-${ids[0]} featured`]],
    ['each running promotion has its turn in its place: premium', [`event-${ids[22]} premium`]],
    ['each event that is promoted says so, by its highest level', [`event-${ids[1]} premium`]],
  ]);
  await rebuild(catalog.databaseUrl);
  expect(await violated()).toEqual([]);
});

test('a rebuild gives the same promotions', async () => {
  const { id } = await catalog.publish(olga);
  await promote(id, 'featured');
  await promote(id, 'premium');
  const { tables } = await rebuild(catalog.databaseUrl);
  expect(tables.filter(({ before, after }) => before !== after)).toEqual([]);
  expect(tables.map(({ table }) => table)).toContain('promotions');
  expect(await shown(id)).toEqual([true, 'premium']);
});

test.each(['refunded', 'disputed', 'dispute-lost'] as const)(
  'a promotion whose payment was %s is immediately no longer shown, and other purchases stay in force',
  async (cause) => {
    const { id } = await catalog.publish(olga);
    const [promotionId, message] = [randomUUID(), randomUUID()];
    await promote(id, 'featured', { promotionId });
    await promote(id, 'premium');
    catalog.time.now = hours(2);
    for (const one of [message, message, randomUUID()]) await catalog.withdraw(id, promotionId, 'featured', cause, one);
    await catalog.heard();
    expect(await shown(id)).toEqual([true, 'premium']);
    expect(await featured()).toEqual([]);
    expect((await said(id, 'catalog.promotion-returned')).map(({ data }) => data)).toMatchObject([
      { promotionId, reason: cause },
    ]);
    for (const { table, before, after } of (await rebuild(catalog.databaseUrl)).tables)
      expect(after, table).toBe(before);
  },
);

test('a promotion that arrives after its payment was refunded does not start', async () => {
  const { id } = await catalog.publish(olga);
  const promotionId = randomUUID();
  await catalog.withdraw(id, promotionId, 'featured', 'refunded');
  await promote(id, 'featured', { promotionId });
  expect(await shown(id)).toEqual([false, 'none']);
  expect((await said(id, 'catalog.promotion-refused')).map(({ data }) => data)).toMatchObject([
    { promotionId, reason: 'payment-lost' },
  ]);
});
