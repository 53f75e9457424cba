import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesOf } from '@beltway/contracts/testing/lines';
import { transaction } from '@beltway/kit/postgres';
import { followErasures, startChecks } from '../src/engagement/checks.ts';
import { cancelEvent, notePhoto, noteReturn, noteTickets, noteValidity, saveEvent } from '../src/engagement/copies.ts';
import { rebuild } from '../src/rebuild.ts';
import { checkAll, PASSWORD, databases, identity, later, register, type Identity } from './support.ts';

const NOW = new Date('2026-11-22T17:00:00.000Z');
const envelope = { id: randomUUID(), key: 'k', occurredAt: NOW.toISOString(), correlationId: 'c', causationId: 'c' };
const order = (buyerId: number, eventId = 7, orderId: string = randomUUID()) => ({
  purchased: {
    ...envelope,
    type: 'ticketing.ticket-purchased',
    version: 1,
    data: { orderId, eventId, quantity: 1, paymentId: 'pi_1', lines: linesOf(1, 1_000), totalCents: 1_000, buyerId },
  } as const,
  refunded: {
    ...envelope,
    type: 'ticketing.refund-requested',
    version: 1,
    data: { orderId, eventId, quantity: 1, paymentId: 'pi_1', amountCents: 1_000, reason: 'asked', requestId: null },
  } as const,
});
const published = (change: object = {}) =>
  ({
    ...envelope,
    type: 'catalog.event-published',
    version: 1,
    data: {
      ...{
        eventId: 7,
        version: 1,
        ownerId: 1_000,
        title: 'Go-Go on the Roof',
        location: 'Bethesda, MD',
        imageUrl: null,
      },
      ...{ eventDate: '2026-11-21T05:00:00.000Z', eventStartTime: '19:00', eventEndTime: '22:00', description: '' },
      ...{ tags: ['Music'], hasTickets: true, salesEnabled: true, salesStart: null, salesEnd: null },
      ...{ priceCents: 1_000, capacity: 10, refundDeadlineHours: 24, ...change },
    },
  }) as const;

async function setUp(now = NOW) {
  const on = await databases();
  const service = await identity({ on, clock: () => now });
  const person = await register(service);
  const heard = async (effect: (tx: never) => Promise<void>) => transaction(service.pool, (tx) => effect(tx as never));
  const check = () => checkAll({ ...service, clock: () => now });
  const get = (path: string, token: string | undefined = person.token) => service.call('GET', path, { token });
  const stats = async () => (await get(`/api/users/${person.user.id}/stats`)).json;
  return { on, service, person, heard, check, get, stats };
}
const guest = ({ call }: Identity, path: string) => call('GET', path);

test('a ticket for a past event counts once, with its reason, and a refund takes the points back', async () => {
  const { on, service, person, heard, check, get, stats } = await setUp();
  const { purchased, refunded } = order(person.user.id);
  await heard((tx) => noteTickets(purchased, tx));
  await check();
  expect(await stats()).toMatchObject({ totalPoints: 0 });
  await heard((tx) => saveEvent(published(), tx));
  await heard((tx) => noteTickets(purchased, tx));
  await check();
  expect(await stats()).toMatchObject({ totalPoints: 20, level: 1, eventsAttended: 1, streak: 1, isVisible: false });
  expect((await get(`/api/users/${person.user.id}/points`)).json.items).toMatchObject([
    { points: 20, reason: 'Attended Go-Go on the Roof', day: '2026-11-21', basis: 'ticket-held' },
  ]);
  expect((await service.told()).map(({ type }) => type)).toContain('identity.badge-unlocked');
  for (const { table, before, after } of (await rebuild(on.url)).tables) expect(after, table).toBe(before);

  await heard((tx) => noteReturn(refunded, tx));
  await check();
  expect(await stats()).toMatchObject({ totalPoints: 0, eventsAttended: 0, streak: 0 });
  expect(await service.rows('select from user_badges')).toEqual([]);
  expect(await service.rows('select from leaderboard_scores')).toEqual([]);
  const points = await get(`/api/users/${person.user.id}/points`);
  expect(points.json.items).toMatchObject([
    { points: 20, reason: 'Attended Go-Go on the Roof', takenBack: { at: expect.any(String), why: 'refunded' } },
  ]);
  for (const { table, before, after } of (await rebuild(on.url)).tables) expect(after, table).toBe(before);
});

test('a ticket for a future event is checked at the end of the event, and delays no check that is due sooner', async () => {
  const { service, person, heard } = await setUp();
  const checks = () =>
    service.rows(
      `select key, run_at <= now() as "isDue", abs(extract(epoch from run_at - ends_at)) < 5 as "isAtEnd"
       from jobs join engagement_events on event_id = 7 where queue = 'fact-check'`,
    );
  const later = published({ eventDate: '2999-11-21T05:00:00.000Z' });
  const key = `${person.user.id}/attended/7`;
  await heard((tx) => saveEvent(later, tx));
  const { purchased, refunded } = order(person.user.id);
  await heard((tx) => noteTickets(purchased, tx));
  await heard((tx) => noteReturn(refunded, tx));
  expect(await checks()).toEqual([{ key, isDue: false, isAtEnd: true }]);
  // A changed event is checked immediately, because the fact may have counted before.
  await heard((tx) => saveEvent({ ...later, data: { ...later.data, version: 2 } }, tx));
  await heard((tx) => noteTickets(order(person.user.id).purchased, tx));
  expect(await checks()).toEqual([{ key, isDue: true, isAtEnd: false }]);
});

test('a lost dispute takes the points for a ticket back, and a won dispute restores them', async () => {
  const { person, heard, check, stats } = await setUp();
  const { purchased } = order(person.user.id);
  const changed = (isVoid: boolean, version: number) => ({
    ...({ ...envelope, type: 'ticketing.order-validity-changed', version: 1 } as const),
    data: { orderId: purchased.data.orderId, eventId: 7, isVoid, version },
  });
  await heard((tx) => saveEvent(published(), tx));
  await heard((tx) => noteTickets(purchased, tx));
  await check();
  expect(await stats()).toMatchObject({ totalPoints: 20 });
  await heard((tx) => noteValidity(changed(true, 5), tx));
  await check();
  expect(await stats()).toMatchObject({ totalPoints: 0, eventsAttended: 0 });
  await heard((tx) => noteValidity(changed(false, 8), tx));
  await heard((tx) => noteValidity(changed(true, 6), tx));
  await check();
  expect(await stats()).toMatchObject({ totalPoints: 20, eventsAttended: 1 });
});

test('withdrawn points stay in their owner’s history with the reason, and leave it if they count again', async () => {
  const { on, service, person, heard, check, get } = await setUp();
  const at = (second: number) => new Date(NOW.getTime() + second * 1_000).toISOString();
  const ids = [7, 8, 9, 10];
  const orders = ids.map((eventId) => order(person.user.id, eventId));
  for (const [n, eventId] of ids.entries()) {
    await heard((tx) => saveEvent(published({ eventId, title: `Night ${eventId}` }), tx));
    await heard((tx) => noteTickets(orders[n]!.purchased, tx));
  }
  const photo = { ...envelope, version: 1 } as const;
  const data = { photoId: 3, eventId: 10, uploaderId: person.user.id, how: 'ticket' } as const;
  await heard((tx) => notePhoto({ ...photo, type: 'media.photo-verified', data }, tx));
  await check();
  const { refunded } = orders[0]!;
  await heard((tx) => noteReturn(refunded, tx));
  const canceled = { eventId: 8, version: 2, ownerId: 1_000 };
  await heard((tx) => cancelEvent({ ...photo, type: 'catalog.event-canceled', data: canceled }, tx));
  const later = { eventId: 9, version: 2, title: 'Night 9', eventDate: '2026-12-05T05:00:00.000Z' };
  await heard((tx) => saveEvent(published(later), tx));
  // Moving the event to another town takes the fact back and counts it again in one append.
  await heard((tx) =>
    saveEvent(published({ eventId: 10, version: 2, title: 'Night 10', location: 'Rockville, MD' }), tx),
  );
  await heard((tx) => notePhoto({ ...photo, type: 'media.photo-hidden', data: { photoId: 3 }, occurredAt: at(1) }, tx));
  await check();

  type Page = { items: Array<{ reason: string; takenBack: { why: string } | null }>; nextCursor: string | null };
  async function listed(limit: number): Promise<Array<[string, string | undefined]>> {
    const found: Page['items'] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const path: string = `/api/users/${person.user.id}/points?limit=${limit}${cursor && `&cursor=${cursor}`}`;
      const page = (await get(path)).json as Page;
      found.push(...page.items);
      cursor = page.nextCursor;
    }
    return found.map(({ reason, takenBack }) => [reason, takenBack?.why]);
  }
  const all = await listed(100);
  expect(new Map(all)).toEqual(
    new Map([
      ['Attended Night 7', 'refunded'],
      ['Attended Night 8', 'canceled'],
      ['Attended Night 9', 'not-over'],
      ['Attended Night 10', undefined],
      ['Shared a photo of Night 10', 'photo-hidden'],
    ]),
  );
  expect(await listed(1)).toEqual(all);

  const rows = () => service.rows('select * from taken_back_facts order by kind, subject_id');
  expect(await rows()).toHaveLength(4);

  const { purchased } = order(person.user.id, 7);
  await heard((tx) => noteTickets(purchased, tx));
  await check();
  expect(new Map(await listed(100)).get('Attended Night 7')).toBeUndefined();
  expect(await rows()).toHaveLength(3);
  for (const { table, before, after } of (await rebuild(on.url)).tables) expect(after, table).toBe(before);
});

test('a refund before its purchase, a future event and a canceled event give no points', async () => {
  const { person, heard, check, stats } = await setUp();
  const [early, future, canceled] = [7, 8, 9].map((eventId) => order(person.user.id, eventId));
  await heard((tx) => noteReturn(early!.refunded, tx));
  for (const { purchased } of [early!, future!, canceled!]) await heard((tx) => noteTickets(purchased, tx));
  await heard((tx) => saveEvent(published(), tx));
  await heard((tx) => saveEvent(published({ eventId: 8, eventDate: '2026-12-05T05:00:00.000Z' }), tx));
  await heard((tx) =>
    cancelEvent(
      { ...envelope, type: 'catalog.event-canceled', version: 1, data: { eventId: 9, version: 2, ownerId: 1_000 } },
      tx,
    ),
  );
  await heard((tx) => saveEvent(published({ eventId: 9 }), tx));
  await check();
  expect(await stats()).toMatchObject({ totalPoints: 0, eventsAttended: 0 });
});

test('an event at a venue counts for the venue’s town', async () => {
  const { service, person, heard, check } = await setUp();
  const locations = [
    '9:30 Club, 815 V St NW, Washington, DC',
    'Adams Morgan, Washington, DC',
    'Strathmore, North Bethesda',
  ];
  for (const [at, location] of locations.entries()) {
    await heard((tx) => saveEvent(published({ eventId: 7 + at, location }), tx));
    await heard((tx) => noteTickets(order(person.user.id, 7 + at).purchased, tx));
  }
  await check();
  const scores = await service.rows(
    "select place, points from leaderboard_scores where week = '0001-01-01' order by 1",
  );
  expect(scores).toEqual([
    { place: '', points: 60 },
    { place: 'North Bethesda, MD', points: 20 },
    { place: 'Washington, DC', points: 40 },
  ]);
});

test('a photo counts while it is shown, whatever the order of the messages', async () => {
  const { person, heard, check, stats } = await setUp();
  const shown = (photoId: number) =>
    ({
      ...envelope,
      type: 'media.photo-verified',
      version: 1,
      data: { photoId, eventId: 7, uploaderId: person.user.id, how: 'ticket' },
    }) as const;
  const hidden = (photoId: number) =>
    ({
      ...envelope,
      type: 'media.photo-hidden',
      version: 1,
      data: { photoId },
      occurredAt: new Date(NOW.getTime() + 1_000).toISOString(),
    }) as const;
  await heard((tx) => notePhoto(shown(1), tx));
  await heard((tx) => notePhoto(hidden(2), tx));
  await heard((tx) => notePhoto(shown(2), tx));
  await check();
  expect(await stats()).toMatchObject({ totalPoints: 5, photosShared: 1, weeklyPoints: 5 });
  await heard((tx) => notePhoto(hidden(1), tx));
  await check();
  expect(await stats()).toMatchObject({ totalPoints: 0, photosShared: 0 });
});

test('a private profile is 404 and on no leaderboard until the owner makes it public', async () => {
  const { service, person, heard, check } = await setUp();
  await heard((tx) => noteTickets(order(person.user.id).purchased, tx));
  await heard((tx) => saveEvent(published(), tx));
  await check();
  const paths = ['stats', 'badges'].map((part) => `/api/users/${person.user.id}/${part}`);
  for (const path of [...paths, '/api/users/999999/stats']) expect((await guest(service, path)).status).toBe(404);
  expect((await guest(service, '/api/leaderboard?period=all')).json).toEqual({
    ...{ items: [], nextCursor: null, own: null },
  });
  const choose = (body: object) => service.call('PATCH', '/api/users/me/engagement', { token: person.token, body });
  expect((await choose({ isVisible: 'yes' })).json.errors[0].field).toBe('isVisible');
  for (let again = 0; again < 2; again++) expect((await choose({ isVisible: true })).json).toEqual({ isVisible: true });
  const told = (await service.told()).filter(({ type }) => type === 'identity.visibility-chosen');
  expect(told.map(({ data }) => data)).toEqual([{ userId: person.user.id, isVisible: true }]);
  for (const path of paths) expect((await guest(service, path)).status).toBe(200);
  const first = { rank: 1, userId: person.user.id, name: 'Rosa Parks', points: 20, level: 1 };
  for (const query of ['period=all', 'period=all&place=Bethesda, MD'])
    expect((await guest(service, `/api/leaderboard?${query}`)).json.items).toEqual([first]);
  expect((await guest(service, '/api/leaderboard?period=month')).json.errors[0].field).toBe('period');
  expect((await guest(service, '/api/leaderboard?cursor=x')).json.code).toBe('bad-cursor');
  const other = await register(service);
  const theirs = await service.call('GET', `/api/users/${person.user.id}/points`, { token: other.token });
  expect(theirs.status).toBe(404);
});

test('erasing an account deletes its points', async () => {
  const { service, person, heard, check } = await setUp();
  await heard((tx) => noteTickets(order(person.user.id).purchased, tx));
  const back = order(person.user.id, 8);
  await heard((tx) => noteTickets(back.purchased, tx));
  for (const eventId of [7, 8]) await heard((tx) => saveEvent(published({ eventId }), tx));
  await check();
  await heard((tx) => noteReturn(back.refunded, tx));
  await check();
  expect(await service.rows('select from taken_back_facts')).toHaveLength(1);
  const erasures = followErasures(service.store, service);
  later(() => erasures.stop());
  await service.call('DELETE', '/api/users/me', { token: person.token, body: { password: PASSWORD } });
  await erasures.caughtUp();
  const tables = ['counted_facts', 'taken_back_facts', 'engagement_profiles', 'user_badges', 'leaderboard_scores'];
  for (const name of [...tables, `jobs where queue = 'fact-check'`])
    expect(await service.rows(`select from ${name}`), name).toEqual([]);
  expect(await service.rows('select from engagement_orders where buyer_id is not null')).toEqual([]);
});

test('the order of an erased account that arrives after the erasure leaves no copy, even for a future event', async () => {
  const { service, person, heard } = await setUp();
  const erasures = followErasures(service.store, service);
  later(() => erasures.stop());
  await heard((tx) => saveEvent(published({ eventDate: '2999-11-21T05:00:00.000Z' }), tx));
  await service.call('DELETE', '/api/users/me', { token: person.token, body: { password: PASSWORD } });
  await erasures.caughtUp();
  await heard((tx) => noteTickets(order(person.user.id).purchased, tx));
  const checks = startChecks(service.log, { ...service, clock: () => NOW });
  later(() => checks.stop());
  await checks.work();
  expect(await service.rows('select from engagement_orders where buyer_id is not null')).toEqual([]);
  expect(await service.rows(`select from jobs where queue = 'fact-check'`)).toEqual([]);
});

test('a suspended account has no profile and no rank until its suspension ends', async () => {
  const { service, person, heard, check } = await setUp();
  await heard((tx) => noteTickets(order(person.user.id).purchased, tx));
  await heard((tx) => saveEvent(published(), tx));
  await check();
  await service.call('PATCH', '/api/users/me/engagement', { token: person.token, body: { isVisible: true } });
  const suspendedUntil = (until: string | null) =>
    service.rows('update users set suspended_at = $1, suspended_until = $2 where id = $3', [
      ...[NOW, until, person.user.id],
    ]);
  const seen = async () => [
    (await guest(service, `/api/users/${person.user.id}/stats`)).status,
    (await guest(service, '/api/leaderboard?period=all')).json.items.length,
  ];
  expect(await seen()).toEqual([200, 1]);
  await suspendedUntil(null);
  expect(await seen()).toEqual([404, 0]);
  await suspendedUntil('2026-11-22T16:59:00.000Z');
  expect(await seen()).toEqual([200, 1]);
});

test('leaderboard levels count all points, and a week’s leaderboard lists only accounts with points in it', async () => {
  const { service, heard, check, person } = await setUp();
  const events = [1, 2, 3, 4, 5].map((n) => ({ eventId: n, eventDate: `2026-11-0${n}T05:00:00.000Z` }));
  for (const event of [...events, { eventId: 7 }]) {
    await heard((tx) => saveEvent(published(event), tx));
    await heard((tx) => noteTickets(order(person.user.id, event.eventId).purchased, tx));
  }
  await check();
  await service.call('PATCH', '/api/users/me/engagement', { token: person.token, body: { isVisible: true } });
  expect((await guest(service, '/api/leaderboard?period=all')).json.items).toMatchObject([{ points: 120, level: 2 }]);
  const { json } = await service.call('GET', '/api/leaderboard?period=week', { token: person.token });
  expect(json).toMatchObject({ items: [], own: { rank: null, points: 0 } });
});

/** Repeats messages only where a repeat changes nothing. Refunds are not repeated, because the inbox drops repeats. */
test('reordered and repeated messages give the same points', async () => {
  const { service, heard, check } = await setUp();
  const totals = new Set<string>();
  for (let run = 0; run < 12; run++) {
    const { user, token } = await register(service);
    const id = (n: number) => run * 100 + n;
    const orders = [1, 2, 3].map((n) => order(user.id, id(n)));
    const photo = (photoId: number, type: 'media.photo-verified' | 'media.photo-hidden', second: number) => {
      const occurredAt = new Date(NOW.getTime() + second * 1_000).toISOString();
      return type === 'media.photo-verified'
        ? ({
            ...envelope,
            ...{ type, version: 1, occurredAt },
            data: { photoId, eventId: id(1), uploaderId: user.id, how: 'ticket' },
          } as never)
        : ({ ...envelope, ...{ type, version: 1, occurredAt }, data: { photoId } } as never);
    };
    const repeatable = [
      ...[1, 2, 3].map((n) => (tx: never) => saveEvent(published({ eventId: id(n), version: 1 }), tx)),
      (tx: never) => saveEvent(published({ eventId: id(1), version: 2, location: 'Rockville, MD' }), tx),
      ...orders.map(
        ({ purchased }) =>
          (tx: never) =>
            noteTickets(purchased, tx),
      ),
      (tx: never) =>
        cancelEvent(
          {
            ...{ ...envelope, data: { eventId: id(3), version: 2, ownerId: 1_000 } },
            type: 'catalog.event-canceled',
            version: 1,
          },
          tx,
        ),
      (tx: never) => notePhoto(photo(id(1), 'media.photo-verified', 1), tx),
      (tx: never) => notePhoto(photo(id(2), 'media.photo-verified', 1), tx),
      (tx: never) => notePhoto(photo(id(2), 'media.photo-hidden', 2), tx),
    ];
    const all = [...repeatable, ...repeatable, (tx: never) => noteReturn(orders[1]!.refunded, tx)];
    const shuffled = fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), { numRuns: 1, seed: run })[0]!;
    for (const [at, message] of shuffled.entries()) {
      await heard(message);
      if (at % 5 === run % 5) await check();
    }
    await check();
    const { json } = await service.call('GET', `/api/users/${user.id}/stats`, { token });
    const { totalPoints, eventsAttended, photosShared, weeklyPoints } = json;
    totals.add(JSON.stringify({ totalPoints, eventsAttended, photosShared, weeklyPoints }));
  }
  expect([...totals]).toEqual([
    JSON.stringify({ totalPoints: 25, eventsAttended: 1, photosShared: 1, weeklyPoints: 5 }),
  ]);
  const boards = await service.rows("select place, points from leaderboard_scores where week = '0001-01-01'");
  expect(new Set(boards.map((row) => JSON.stringify(row)))).toEqual(
    new Set(
      [
        { place: '', points: 25 },
        { place: 'Rockville, MD', points: 20 },
      ].map((row) => JSON.stringify(row)),
    ),
  );
});

const photoOf = (uploaderId: number, photoId: number, eventId = 7) =>
  ({
    ...envelope,
    type: 'media.photo-verified',
    version: 1,
    occurredAt: new Date(NOW.getTime() + photoId).toISOString(),
    data: { photoId, eventId, uploaderId, how: 'ticket' },
  }) as const;

test.each(['tickets first', 'event first'])('an organizer’s own event gives no points (%s)', async (first) => {
  const { service, person, heard, check, stats } = await setUp();
  const other = await register(service);
  const own = published({ ownerId: person.user.id });
  if (first === 'event first') await heard((tx) => saveEvent(own, tx));
  await heard((tx) => noteTickets(order(person.user.id).purchased, tx));
  await heard((tx) => noteTickets(order(other.user.id).purchased, tx));
  await heard((tx) => notePhoto(photoOf(person.user.id, 1), tx));
  await heard((tx) => notePhoto(photoOf(other.user.id, 2), tx));
  if (first === 'tickets first') await check();
  await heard((tx) => saveEvent(own, tx));
  await check();
  expect(await stats()).toMatchObject({ totalPoints: 0, eventsAttended: 0, photosShared: 0 });
  const theirs = await service.call('GET', `/api/users/${other.user.id}/stats`, { token: other.token });
  expect(theirs.json).toMatchObject({ totalPoints: 25, eventsAttended: 1, photosShared: 1 });
});

test('points for one’s own event are taken back with the reason when its organizer becomes known', async () => {
  const { on, service, person, heard, check, get, stats } = await setUp();
  const own = published({ ownerId: person.user.id });
  await heard((tx) => saveEvent(own, tx));
  await service.rows('update engagement_events set organizer_id = null');
  await heard((tx) => noteTickets(order(person.user.id).purchased, tx));
  await heard((tx) => notePhoto(photoOf(person.user.id, 1), tx));
  await check();
  expect(await stats()).toMatchObject({ totalPoints: 25 });
  await heard((tx) => saveEvent(own, tx));
  await check();
  expect(await stats()).toMatchObject({ totalPoints: 0 });
  const { items } = (await get(`/api/users/${person.user.id}/points`)).json;
  expect(items).toMatchObject([{ takenBack: { why: 'own-event' } }, { takenBack: { why: 'own-event' } }]);
  for (const { table, before, after } of (await rebuild(on.url)).tables) expect(after, table).toBe(before);
});

test('ten photos per event and account count, and removing one makes room for the next', async () => {
  const { person, service, heard, check, stats } = await setUp();
  await heard((tx) => saveEvent(published(), tx));
  for (let photoId = 1; photoId <= 12; photoId++) await heard((tx) => notePhoto(photoOf(person.user.id, photoId), tx));
  await heard((tx) => notePhoto(photoOf(person.user.id, 13, 8), tx));
  await check();
  expect(await stats()).toMatchObject({ totalPoints: 55, photosShared: 11 });
  const occurredAt = new Date(NOW.getTime() + 60_000).toISOString();
  const hidden = { ...envelope, occurredAt, type: 'media.photo-hidden', version: 1, data: { photoId: 3 } } as const;
  await heard((tx) => notePhoto(hidden, tx));
  await check();
  expect(await stats()).toMatchObject({ totalPoints: 55 });
  const counted = await service.rows(`select subject_id from counted_facts where event_id = 7 order by subject_id`);
  expect(counted.map(({ subject_id }) => subject_id)).toEqual([1, 2, 4, 5, 6, 7, 8, 9, 10, 11]);
});
