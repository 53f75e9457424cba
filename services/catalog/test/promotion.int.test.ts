import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Event } from '@beltway/contracts/catalog';
import { endPromotions } from '../src/promotion/promotions.ts';
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
const promote = async (...args: Parameters<Catalog['promote']>) => {
  await catalog.promote(...args);
  await catalog.heard();
};
const said = async (eventId: number, type: string) =>
  (await catalog.told()).filter(
    ({ data, ...one }) => one.type === type && (data as { eventId: number }).eventId === eventId,
  );

test('what was paid shows at once and ends by itself; both fields return', async () => {
  const { id } = await catalog.publish(olga);
  await promote(id, 'featured');
  expect(await shown(id)).toEqual([true, 'featured']);
  expect(await featured()).toEqual([id]);
  catalog.time.now = new Date(hours(24).getTime() - 1);
  await endPromotions(catalog.promotions);
  expect(await featured()).toEqual([id]);
  // Nobody has ended it yet, for all of us were down: it is over all the same.
  catalog.time.now = hours(24);
  expect(await featured()).toEqual([]);
  await Promise.all([endPromotions(catalog.promotions), endPromotions(catalog.promotions)]);
  expect(await shown(id)).toEqual([false, 'none']);
  expect(await said(id, 'catalog.promotion-ended')).toHaveLength(1);
});

test('the same purchase counts once, however often and by whatever message it is told; another one extends', async () => {
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

test('of two levels the higher shows, and each ends in its own time', async () => {
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

test('paid for an event that was cancelled meanwhile, or that there is none of, it is refused, once', async () => {
  const { id } = await catalog.publish(olga);
  await catalog.call('POST', `/api/events/${id}/cancel`, { as: olga, body: {} });
  const promotionId = randomUUID();
  await promote(id, 'premium', { promotionId });
  await promote(id, 'premium', { promotionId });
  expect(await said(id, 'catalog.promotion-refused')).toMatchObject([
    { data: { promotionId, level: 'premium', amountCents: 2_999, reason: 'event-cancelled' } },
  ]);
  expect(await shown(id)).toEqual([false, 'none']);
  await promote(999_999, 'featured');
  expect(await said(999_999, 'catalog.promotion-refused')).toMatchObject([{ data: { reason: 'no-such-event' } }]);
});

test('a cancelled event is promoted no longer', async () => {
  const { id } = await catalog.publish(olga);
  await promote(id, 'featured');
  await catalog.call('POST', `/api/events/${id}/cancel`, { as: olga, body: {} });
  expect(await shown(id)).toEqual([false, 'none']);
  expect(await featured()).toEqual([]);
});

test('a promotion does not come between an organiser and their change', async () => {
  const { id } = await catalog.publish(olga);
  await promote(id, 'featured');
  const headers = { 'if-match': '"1"' };
  const changed = await catalog.call('PATCH', `/api/events/${id}`, { as: olga, body: { title: 'Go-Go' }, headers });
  expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"3"']);
  expect(await shown(id)).toEqual([true, 'featured']);
});

test('more than fit on a page have each of its places equally long', async () => {
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
  'a promotion whose payment was %s is off the pages at once, and what was bought beside it goes on',
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

test('a promotion that is heard of after its payment was refunded does not start', async () => {
  const { id } = await catalog.publish(olga);
  const promotionId = randomUUID();
  await catalog.withdraw(id, promotionId, 'featured', 'refunded');
  await promote(id, 'featured', { promotionId });
  expect(await shown(id)).toEqual([false, 'none']);
  expect((await said(id, 'catalog.promotion-refused')).map(({ data }) => data)).toMatchObject([
    { promotionId, reason: 'payment-lost' },
  ]);
});
