import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '@beltway/contracts/catalog/events';
import {
  LiveStreamList,
  LivestreamChangedV1,
  type LiveStream,
  type PaidLivestream,
} from '@beltway/contracts/catalog/livestream';
import { advanceLivestreams } from '../src/promotion/jobs.ts';
import { rebuild } from '../src/rebuild.ts';
import { startCatalog, type Catalog } from './catalog.ts';

let catalog: Catalog;
const olga = { id: 3 };
const START = new Date('2026-12-01T12:00:00Z');
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.close());
beforeEach(() => {
  catalog.time.now = START;
});

/** The event begins at midnight UTC after December 5. */
const paid: PaidLivestream = {
  ...{ startTime: '2026-12-05T23:00:00.000Z', endTime: '2026-12-06T02:00:00.000Z', maxViewers: 500 },
  ...{ chatEnabled: true, recordingEnabled: false, eventStartsAt: '2026-12-06T00:00:00.000Z' },
};
const stream = async (id: number, changes: Partial<PaidLivestream> = {}, purchase: object = {}) => {
  await catalog.stream(id, { ...paid, ...changes }, purchase);
  await catalog.heard();
};
const seen = async (id: number) => {
  const { body } = await catalog.call<Event>('GET', `/api/events/${id}`);
  return [body.isLivestream, body.livestreamStatus, body.livestreamStartTime, body.livestreamEndTime];
};
const listed = async (id: number) => {
  const { status, body } = await catalog.call<LiveStream[]>('GET', '/api/live-streams');
  expect(status).toBe(200);
  return LiveStreamList.parse(body).find((one) => one.id === id);
};
const at = (time: string) => {
  catalog.time.now = new Date(time);
};
const said = async (eventId: number, type: string) =>
  (await catalog.told()).filter(
    ({ data, ...one }) => one.type === type && (data as { eventId: number }).eventId === eventId,
  );
const { startTime, endTime } = paid;

test('a paid live stream is scheduled with its promotion, and is live and over at its times', async () => {
  const { id, ...before } = await catalog.publish(olga);
  expect([before.isLivestream, before.livestreamStatus]).toEqual([false, 'scheduled']);
  expect(await listed(id)).toBeUndefined();
  await stream(id);
  expect(await seen(id)).toEqual([true, 'scheduled', startTime, endTime]);
  expect((await catalog.call<Event>('GET', `/api/events/${id}`)).body.promotionLevel).toBe('livestream');
  expect(await listed(id)).toMatchObject({
    ...{ title: 'Go-Go at the Wharf', location: 'The Wharf, DC', category: 'Waterfront', viewerCount: 0 },
    ...{ isLive: false, startTime, endTime, maxViewers: 500, chatEnabled: true, recordingEnabled: false },
  });
  await advanceLivestreams(catalog.promotions);
  expect((await seen(id))[1]).toBe('scheduled');

  at(startTime);
  // The stream has begun, but has no signal yet.
  expect((await listed(id))?.isLive).toBe(false);
  await Promise.all([advanceLivestreams(catalog.promotions), advanceLivestreams(catalog.promotions)]);
  expect((await seen(id))[1]).toBe('live');
  at(endTime);
  expect(await listed(id)).toBeUndefined();
  await advanceLivestreams(catalog.promotions);
  expect(await seen(id)).toEqual([true, 'ended', startTime, endTime]);
  expect((await said(id, 'catalog.livestream-changed')).map(({ data }) => (data as { status: string }).status)).toEqual(
    ['scheduled', 'live', 'ended'],
  );
});

test('a stream that starts early is live on the event’s page while its signal arrives', async () => {
  const { id } = await catalog.publish(olga);
  await stream(id);
  at('2026-12-05T22:45:00.000Z');
  expect((await seen(id))[1]).toBe('scheduled');
  await catalog.broadcast(id, true, 3);
  await catalog.heard();
  expect((await seen(id))[1]).toBe('live');
  await catalog.broadcast(id, false, 4);
  await catalog.heard();
  expect((await seen(id))[1]).toBe('scheduled');
});

test('media reports viewers and whether a stream is live; the latest message counts, and open pages are notified', async () => {
  const [first, id] = [(await catalog.publish(olga)).id, (await catalog.publish(olga)).id];
  await stream(first, { startTime: '2026-12-05T22:00:00.000Z' });
  await stream(id);
  at(startTime);
  const order = async () => {
    const { body } = await catalog.call<LiveStream[]>('GET', '/api/live-streams');
    return body.filter((one) => [first, id].includes(one.id)).map((one) => one.id);
  };
  expect(await order()).toEqual([first, id]);
  catalog.media.viewers = [{ eventId: id, viewers: 12 }];
  const message = randomUUID();
  for (let n = 0; n < 2; n++) await catalog.broadcast(id, true, 3, message);
  await catalog.heard();
  expect(await listed(id)).toMatchObject({ isLive: true, viewerCount: 12 });
  expect(await order()).toEqual([id, first]);
  // The stream stays live while media is down.
  catalog.media.mode = 'down';
  expect(await listed(id)).toMatchObject({ isLive: true, viewerCount: 12 });
  catalog.media.mode = 'up';
  await catalog.broadcast(id, false, 5);
  await catalog.broadcast(id, true, 3, message);
  await catalog.broadcast(9_999, true, 3);
  await catalog.heard();
  expect(await listed(id)).toMatchObject({ isLive: false, viewerCount: 0 });
  // A stream with the demo's clip is labeled as such until another signal arrives.
  await catalog.broadcast(first, true, 3, randomUUID(), 'clip');
  await catalog.heard();
  expect(await listed(first)).toMatchObject({ isLive: true, isClip: true });
  await catalog.broadcast(first, false, 4);
  await catalog.broadcast(first, true, 5);
  await catalog.heard();
  expect(await listed(first)).toMatchObject({ isLive: true, isClip: false });
  const told = await said(id, 'catalog.livestream-changed');
  // Three messages: the stream was scheduled, its signal started, its signal stopped. Each contains the whole
  // configuration, so a late message changes nothing.
  expect(new Set(told.map((one) => one.id)).size).toBe(3);
  for (const one of told) expect(LivestreamChangedV1.parse(one).data).toMatchObject({ status: 'scheduled', startTime });
});

test('repeated messages schedule a stream once; another purchase is refused until the stream is over', async () => {
  const { id } = await catalog.publish(olga);
  const purchase = { promotionId: randomUUID() as string, id: randomUUID() as string };
  for (let n = 0; n < 2; n++) await stream(id, {}, purchase);
  await stream(id, { maxViewers: 9_999 }, { promotionId: purchase.promotionId });
  expect(await said(id, 'catalog.livestream-changed')).toHaveLength(1);
  expect((await listed(id))?.maxViewers).toBe(500);
  await stream(id);
  expect(await said(id, 'catalog.promotion-refused')).toMatchObject([{ data: { reason: 'livestream-exists' } }]);
  expect(await said(id, 'catalog.promotion-started')).toHaveLength(1);
});

test('with a late payment the stream is live immediately, or is refused if its time is over', async () => {
  const { id } = await catalog.publish(olga);
  const other = await catalog.publish(olga);
  at('2026-12-06T01:00:00.000Z');
  await stream(id);
  expect((await seen(id))[1]).toBe('scheduled');
  expect(await listed(id)).toBeDefined();
  at(endTime);
  await stream(other.id);
  expect(await said(other.id, 'catalog.promotion-refused')).toMatchObject([{ data: { reason: 'livestream-over' } }]);
  expect(await seen(other.id)).toEqual([false, 'scheduled', null, null]);
});

test('a purchase for a canceled event is refused; if the event is canceled later, its stream is canceled, too', async () => {
  const gone = await catalog.publish(olga);
  await catalog.call('POST', `/api/events/${gone.id}/cancel`, { as: olga, body: {} });
  await stream(gone.id);
  expect(await said(gone.id, 'catalog.promotion-refused')).toMatchObject([{ data: { reason: 'event-canceled' } }]);
  const { id } = await catalog.publish(olga);
  await stream(id);
  await catalog.call('POST', `/api/events/${id}/cancel`, { as: olga, body: {} });
  expect((await seen(id)).slice(0, 2)).toEqual([true, 'canceled']);
  expect(await listed(id)).toBeUndefined();
  expect(await said(id, 'catalog.promotion-returned')).toMatchObject([
    { data: { level: 'livestream', amountCents: 9_999, reason: 'event-canceled' } },
  ]);
  at(startTime);
  await advanceLivestreams(catalog.promotions);
  expect((await seen(id))[1]).toBe('canceled');
});

test.each(['refunded', 'disputed', 'dispute-lost'] as const)(
  'a stream whose payment was %s is over immediately, even if it is live, and another stream may be bought',
  async (cause) => {
    const [early, live] = [(await catalog.publish(olga)).id, (await catalog.publish(olga)).id];
    const [one, other] = [randomUUID(), randomUUID()];
    await stream(early, {}, { promotionId: one });
    await stream(live, {}, { promotionId: other });
    await catalog.withdraw(early, one, 'livestream', cause);
    at(startTime);
    await advanceLivestreams(catalog.promotions);
    expect((await seen(live))[1]).toBe('live');
    await catalog.withdraw(live, other, 'livestream', cause);
    await catalog.heard();
    for (const id of [early, live]) {
      expect((await seen(id))[1]).toBe('ended');
      expect(await listed(id)).toBeUndefined();
      expect((await catalog.call<Event>('GET', `/api/events/${id}`)).body.promotionLevel).toBe('none');
      expect(await said(id, 'catalog.promotion-returned')).toMatchObject([{ data: { reason: cause } }]);
      expect((await said(id, 'catalog.livestream-changed')).at(-1)?.data).toMatchObject({ status: 'ended' });
      await stream(id);
      expect((await seen(id))[1]).toBe('scheduled');
    }
  },
);

test('a stream moves with its event, before and after the payment, and waits while the event is postponed', async () => {
  const { id } = await catalog.publish(olga);
  const patch = (body: object) => catalog.call('PATCH', `/api/events/${id}`, { as: olga, body });
  await patch({ eventStartTime: '20:00' });
  await stream(id);
  expect((await seen(id)).slice(2)).toEqual(['2026-12-06T00:00:00.000Z', '2026-12-06T03:00:00.000Z']);
  await patch({ eventStartTime: '19:00' });
  expect((await seen(id)).slice(2)).toEqual([startTime, endTime]);
  await catalog.call('POST', `/api/events/${id}/postpone`, { as: olga, body: {} });
  expect(await listed(id)).toBeUndefined();
  at('2026-12-07T12:00:00Z');
  await advanceLivestreams(catalog.promotions);
  expect((await seen(id))[1]).toBe('scheduled');
  await patch({ eventDate: '2026-12-12' });
  expect(await listed(id)).toMatchObject({ isLive: false, startTime: '2026-12-12T23:00:00.000Z' });
});

describe('an upcoming stream is changed', () => {
  const { eventStartsAt: _start, ...config } = paid;
  const change = (id: number, body: object, as: { id: number; role?: 'admin' } = olga) =>
    catalog.call<Event & { code?: string; errors?: object[] }>('PUT', `/api/events/${id}/livestream`, { as, body });

  test('by its owner and admins, and the change is published; a repeated request publishes nothing', async () => {
    const { id } = await catalog.publish(olga);
    await stream(id);
    const wanted = { ...config, startTime: '2026-12-05T23:30:00.000Z', maxViewers: 40, recordingEnabled: true };
    for (let n = 0; n < 2; n++) expect((await change(id, wanted)).status).toBe(200);
    expect(await listed(id)).toMatchObject(wanted);
    const told = await said(id, 'catalog.livestream-changed');
    expect(told.map(({ data }) => LivestreamChangedV1.shape.data.parse(data).maxViewers)).toEqual([500, 40]);
    expect(Object.keys(told[1]!.data as object)).not.toContain('isOwn');
    expect((await change(id, wanted, { id: 4 })).status).toBe(403);
    expect((await change(id, { ...wanted, maxViewers: 41 }, { id: 1, role: 'admin' })).status).toBe(200);
    // The stream still moves with its event.
    await catalog.call('PATCH', `/api/events/${id}`, { as: olga, body: { eventStartTime: '20:00' } });
    expect(await listed(id)).toMatchObject({ startTime: '2026-12-06T00:30:00.000Z', maxViewers: 41 });
  });

  test.each([
    [{ maxViewers: 0 }, 400, 'maxViewers'],
    [{ endTime: '2026-12-06T12:00:00.000Z' }, 400, 'endTime'],
    [{ startTime: '2026-12-07T23:00:00.000Z', endTime: '2026-12-08T00:00:00.000Z' }, 422, 'startTime'],
    [{ startTime: '2026-11-30T23:00:00.000Z', endTime: '2026-12-01T02:00:00.000Z' }, 422, 'startTime'],
    [{ startTime: '2026-12-05T20:00:00.000Z', endTime: '2026-12-05T21:00:00.000Z' }, 422, 'endTime'],
    [{ isOwn: true }, 400, 'isOwn'],
  ])('but not to a configuration that could not be bought: %o', async (wrong, status, field) => {
    const { id } = await catalog.publish(olga);
    await stream(id);
    expect(await change(id, { ...config, ...wrong })).toMatchObject({ status, body: { errors: [{ field }] } });
    expect(await listed(id)).toMatchObject(config);
  });

  test('not before the payment, after its start or end, or while its event has no date', async () => {
    const { id } = await catalog.publish(olga);
    expect((await change(id, config)).body.code).toBe('no-livestream');
    await stream(id);
    await catalog.call('POST', `/api/events/${id}/postpone`, { as: olga, body: {} });
    expect((await change(id, config)).body.code).toBe('event-postponed');
    await catalog.call('PATCH', `/api/events/${id}`, { as: olga, body: { eventDate: '2026-12-05' } });
    at(startTime);
    await advanceLivestreams(catalog.promotions);
    expect((await change(id, config)).body.code).toBe('livestream-begun');
    at(endTime);
    await advanceLivestreams(catalog.promotions);
    expect((await change(id, config)).body.code).toBe('no-livestream');
    at('2026-12-01T13:00:00Z');
    const gone = await catalog.publish(olga);
    await stream(gone.id);
    await catalog.call('POST', `/api/events/${gone.id}/cancel`, { as: olga, body: {} });
    expect((await change(gone.id, config)).body.code).toBe('event-canceled');
  });

  test('as the buyer confirmed it, at the event’s current hours, unless its owner has changed it since or it has begun', async () => {
    const wanted = { ...paid, maxViewers: 40 };
    const made = async (promotionId = randomUUID() as string) => {
      const { id } = await catalog.publish(olga);
      await stream(id, { isUsual: true }, { promotionId });
      return { id, say: (config = wanted, by = promotionId) => catalog.configured(id, config, by) };
    };
    const [moved, own, another, begun] = [await made(), await made(), await made(), await made()];
    await catalog.call('PATCH', `/api/events/${moved.id}`, { as: olga, body: { eventStartTime: '20:00' } });
    await moved.say();
    await moved.say({ ...wanted, maxViewers: 50 });
    await change(own.id, { ...config, maxViewers: 77 });
    await own.say();
    await another.say(wanted, randomUUID());
    await catalog.heard();
    expect(await listed(moved.id)).toMatchObject({ startTime: '2026-12-06T00:00:00.000Z', maxViewers: 40 });
    expect(await listed(own.id)).toMatchObject({ maxViewers: 77 });
    expect(await listed(another.id)).toMatchObject({ maxViewers: 500 });
    at(startTime);
    await advanceLivestreams(catalog.promotions);
    await begun.say();
    await catalog.heard();
    expect(await listed(begun.id)).toMatchObject({ maxViewers: 500 });
  });
});

test('a rebuild gives the same streams', async () => {
  const { id } = await catalog.publish(olga);
  await stream(id);
  const other = await catalog.publish(olga);
  await catalog.promote(other.id, 'premium');
  await catalog.heard();
  const { tables } = await rebuild(catalog.databaseUrl);
  expect(tables.filter(({ before, after }) => before !== after)).toEqual([]);
  expect(await seen(id)).toEqual([true, 'scheduled', startTime, endTime]);
});

test('payments for promotions are counted once per purchase, and shown to the organizer only', async () => {
  const { id } = await catalog.publish(olga);
  const promotionId = randomUUID();
  for (let n = 0; n < 2; n++) await catalog.promote(id, 'premium', { promotionId });
  await catalog.promote(id, 'featured');
  await stream(id);
  const { body } = await catalog.call<Event>('GET', `/api/events/${id}/managed`, { as: olga });
  expect([body.promotionPaid, body.promotionAmount]).toEqual([true, 2_999 + 2_999 + 9_999]);
  expect(Date.parse(body.promotionEndsAt!)).toBe(START.getTime() + 48 * 3_600_000);
  expect(Object.keys((await catalog.call<Event>('GET', `/api/events/${id}`)).body)).not.toContain('promotionAmount');
});
