import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { linesOf } from '@beltway/contracts/testing/lines';
import { transaction } from '@beltway/kit/postgres';
import { followErasures } from '../src/engagement/checks.ts';
import { followChallenges, makeChallenges } from '../src/engagement/challenge/checks.ts';
import { notePhoto, noteReturn, noteTickets, saveEvent } from '../src/engagement/copies.ts';
import { rebuild } from '../src/rebuild.ts';
import {
  checkAll,
  checkChallenges,
  PASSWORD,
  databases,
  identity,
  later,
  register,
  type Identity,
  type SignedIn,
} from './support.ts';

const SUNDAY = new Date('2026-11-22T17:00:00.000Z');
const FRIDAY = new Date('2026-11-27T17:00:00.000Z');
const envelope = { id: randomUUID(), key: 'k', occurredAt: FRIDAY.toISOString(), correlationId: 'c', causationId: 'c' };
const event = (eventId: number, day: string, change: object = {}) =>
  ({
    ...envelope,
    type: 'catalog.event-published',
    version: 1,
    data: {
      ...{ eventId, version: 1, ownerId: 1_000, title: `Night ${eventId}`, location: 'Bethesda, MD', imageUrl: null },
      ...{ eventDate: `${day}T05:00:00.000Z`, eventStartTime: '19:00', eventEndTime: '22:00', description: '' },
      ...{ tags: ['Music'], hasTickets: true, salesEnabled: true, salesStart: null, salesEnd: null },
      ...{ priceCents: 1_000, capacity: 10, refundDeadlineHours: 24, ...change },
    },
  }) as const;
const TUESDAY_NIGHT = event(7, '2026-11-24');
const WEDNESDAY_NIGHT = event(8, '2026-11-25');
const orderOf = (person: SignedIn, eventId: number) => {
  const orderId = randomUUID();
  const data = { orderId, eventId, quantity: 1, paymentId: 'pi_1' };
  return {
    purchased: {
      ...envelope,
      type: 'ticketing.ticket-purchased',
      version: 1,
      data: { ...data, lines: linesOf(1, 1_000), totalCents: 1_000, buyerId: person.user.id },
    } as const,
    refunded: {
      ...envelope,
      type: 'ticketing.refund-requested',
      version: 1,
      data: { ...data, amountCents: 1_000, reason: 'asked', requestId: null },
    } as const,
  };
};
const photo = (person: SignedIn, isShown: boolean) =>
  isShown
    ? ({
        ...envelope,
        type: 'media.photo-verified',
        version: 1,
        data: { photoId: 1, eventId: 7, uploaderId: person.user.id, how: 'ticket' },
      } as const)
    : ({
        ...envelope,
        type: 'media.photo-hidden',
        version: 1,
        ...{ data: { photoId: 1 }, occurredAt: new Date(FRIDAY.getTime() + 1_000).toISOString() },
      } as const);

const CHECKS = `select from jobs where queue = 'challenge-check'`;
/** A service that knows two events in Bethesda on Sunday evening. Later messages arrive on Friday. */
async function setUp() {
  const on = await databases();
  const service = await identity({ on, clock: () => FRIDAY });
  const following = followChallenges(service.store);
  later(() => following.stop());
  const heard = async (effect: (tx: never) => Promise<void>) => transaction(service.pool, (tx) => effect(tx as never));
  for (const one of [TUESDAY_NIGHT, WEDNESDAY_NIGHT]) await heard((tx) => saveEvent(one, tx));
  await makeChallenges({ ...service, clock: () => SUNDAY });
  const deps = { ...service, clock: () => FRIDAY };
  /** Runs all checks, and the checks that follow from them. */
  async function settle() {
    await checkAll(deps);
    for (let n = 0; n < 4; n++) {
      await following.caughtUp();
      await checkChallenges(deps);
    }
    expect(await service.rows(CHECKS)).toEqual([]);
  }
  const buys = async (person: SignedIn, eventId: number) => {
    const { purchased, refunded } = orderOf(person, eventId);
    await heard((tx) => noteTickets(purchased, tx));
    return () => heard((tx) => noteReturn(refunded, tx));
  };
  return { on, service, heard, settle, buys, deps };
}

const points = async (service: Identity, { user, token }: SignedIn) =>
  (await service.call('GET', `/api/users/${user.id}/stats`, { token })).json.totalPoints as number;
const reasons = async (service: Identity, { user, token }: SignedIn) =>
  (
    (await service.call('GET', `/api/users/${user.id}/points`, { token })).json.items as Record<string, unknown>[]
  ).filter(({ kind }) => kind === 'challenge');
const listed = async (service: Identity, token?: string) =>
  (await service.call('GET', '/api/challenges', { token })).json.items as Record<string, unknown>[];
const isSameRebuilt = async (url: string) => {
  for (const { table, before, after } of (await rebuild(url)).tables) expect(after, table).toBe(before);
};

test("a week's challenges are created once, even by two concurrent instances, and each challenge can be met", async () => {
  const { on, service, deps } = await setUp();
  const other = await identity({ on });
  await Promise.all([service, other].map((one) => makeChallenges({ ...one, clock: () => SUNDAY })));
  expect(await listed(service)).toMatchObject([
    {
      id: '2026-11-22-two-events',
      title: 'Two nights out',
      reward: 50,
      maxProgress: 2,
      places: null,
      placesLeft: null,
    },
    { id: '2026-11-22-town', title: 'A night in Bethesda, MD', place: 'Bethesda, MD', places: 20, placesLeft: 20 },
    { id: '2026-11-22-photo', isActive: true, expiresAt: '2026-11-29T05:00:00.000Z', own: null },
  ]);
  expect(await service.rows("select from events where type = 'ChallengeMade'")).toHaveLength(3);
  await makeChallenges({ ...deps, clock: () => new Date('2026-11-29T17:00:00.000Z') });
  expect(await listed(service)).toHaveLength(3);
});

test('events that are over, canceled or without tickets do not count for new challenges', async () => {
  const service = await identity();
  const changes = [
    { hasTickets: false },
    { salesEnabled: false },
    { salesEnd: '2026-11-21T00:00:00.000Z' },
    { isPostponed: true },
  ];
  for (const [at, change] of changes.entries())
    await transaction(service.pool, (tx) => saveEvent(event(at + 1, '2026-11-24', change), tx));
  await transaction(service.pool, (tx) => saveEvent(event(9, '2026-11-21'), tx));
  await makeChallenges({ ...service, clock: () => SUNDAY });
  expect(await listed(service)).toEqual([]);
});

test('progress follows from facts; the reward is given once, and a refund or removed photo takes it back', async () => {
  const { on, service, heard, settle, buys } = await setUp();
  const ann = await register(service);
  await buys(ann, 7);
  await settle();
  expect((await listed(service, ann.token)).map(({ own }) => own)).toEqual([
    { progress: 1, isRewarded: false },
    { progress: 1, isRewarded: true },
    { progress: 0, isRewarded: false },
  ]);
  expect(await points(service, ann)).toBe(20 + 30);
  const refund = await buys(ann, 8);
  await heard((tx) => notePhoto(photo(ann, true), tx));
  await settle();
  await heard((tx) => saveEvent(TUESDAY_NIGHT, tx));
  await settle();
  expect(await points(service, ann)).toBe(20 + 20 + 5 + 50 + 30 + 15);
  expect((await reasons(service, ann)).map(({ reason, points, eventId }) => [reason, points, eventId]).sort()).toEqual([
    ['Challenge: A night in Bethesda, MD', 30, null],
    ['Challenge: Show how it was', 15, null],
    ['Challenge: Two nights out', 50, null],
  ]);
  const stats = await service.call('GET', `/api/users/${ann.user.id}/stats`, { token: ann.token });
  expect(stats.json).toMatchObject({ eventsAttended: 2, photosShared: 1 });
  await isSameRebuilt(on.url);

  await refund();
  await heard((tx) => notePhoto(photo(ann, false), tx));
  await settle();
  expect(await points(service, ann)).toBe(20 + 30);
  const back = await reasons(service, ann);
  expect(back.map(({ points, takenBack }) => [points, (takenBack as { why: string } | null)?.why]).sort()).toEqual([
    [15, 'not-met'],
    [30, undefined],
    [50, 'not-met'],
  ]);
  expect((await listed(service, ann.token))[0]).toMatchObject({ own: { progress: 1, isRewarded: false } });
  await isSameRebuilt(on.url);
});

test('facts from before the creation of a challenge count', async () => {
  const { service, settle, buys } = await setUp();
  await service.rows('delete from challenges');
  const ann = await register(service);
  await buys(ann, 7);
  await settle();
  expect(await points(service, ann)).toBe(20);
  const terms = {
    week: '2026-11-22',
    type: 'two-events',
    place: null,
    reward: 7,
    maxProgress: 1,
    places: null,
  } as const;
  await service.challenges.handle('2026-11-22-early', { type: 'MakeChallenge', terms }, { commandId: randomUUID() });
  await settle();
  expect((await listed(service, ann.token))[0]).toMatchObject({ reward: 7, own: { progress: 1, isRewarded: true } });
  expect(await points(service, ann)).toBe(27);
});

/** Adds a town challenge with one place to the challenges of the week. */
async function lastPlace(service: Identity) {
  const terms = {
    week: '2026-11-15',
    type: 'town',
    place: 'Bethesda, MD',
    ...{ reward: 40, maxProgress: 1, places: 1 },
  } as const;
  await service.challenges.handle('2026-11-15-town', { type: 'MakeChallenge', terms }, { commandId: randomUUID() });
  return async (people: SignedIn[]) => {
    const rewarded = await Promise.all(people.map((one) => reasons(service, one)));
    return people.filter((_, at) => rewarded[at]!.some(({ takenBack }) => takenBack === null));
  };
}

test('only one of two concurrent accounts gets the last place, even after a crash; a refund passes it on', async () => {
  const { on, service, heard, settle, buys, deps } = await setUp();
  const rewarded = await lastPlace(service);
  await heard((tx) => saveEvent(event(9, '2026-11-20'), tx));
  const people = [];
  for (let n = 0; n < 4; n++) people.push(await register(service));
  const refunds = await Promise.all(people.map((one) => buys(one, 9)));
  const other = await identity({ on, clock: () => FRIDAY });
  await checkAll(deps);
  await expect.poll(async () => (await service.rows(CHECKS)).length).toBe(4);
  // One instance fails after it assigned the place and before it recorded the reward. The other instances check again.
  const dying = {
    ...deps,
    engagements: { ...service.engagements, handle: () => Promise.reject(new Error('killed')) },
  };
  await checkChallenges(dying);
  expect(await service.rows(`${CHECKS} and last_error = 'killed'`)).not.toEqual([]);
  await Promise.all([checkChallenges(deps), checkChallenges({ ...other, clock: () => FRIDAY })]);
  await settle();
  const [first, ...more] = await rewarded(people);
  expect(more).toEqual([]);
  expect(await points(service, first!)).toBe(20 + 40);
  const [town] = (await listed(service, first!.token)).filter(({ id }) => id === '2026-11-15-town');
  expect(town).toMatchObject({ places: 1, placesLeft: 0, isActive: false, own: { progress: 1, isRewarded: true } });
  await isSameRebuilt(on.url);

  await refunds[people.indexOf(first!)]!();
  await settle();
  const [next, ...others] = await rewarded(people);
  expect(others).toEqual([]);
  expect(next).not.toBe(first);
  expect(await points(service, first!)).toBe(0);
  expect(await service.rows('select from challenge_standings where has_place')).toHaveLength(1);
  await isSameRebuilt(on.url);

  // Erasing an account makes its place free and deletes all its rows.
  const erasures = followErasures(service.store, service);
  later(() => erasures.stop());
  await service.call('DELETE', '/api/users/me', { token: next!.token, body: { password: PASSWORD } });
  await erasures.caughtUp();
  await settle();
  expect(await service.rows('select from challenge_standings where user_id = $1', [next!.user.id])).toEqual([]);
  expect(await rewarded(people.filter((one) => one !== next))).toHaveLength(1);
});

test('pages continue from week to week, and an invalid query is refused with the name of its field', async () => {
  const { service } = await setUp();
  const first = await service.call('GET', '/api/challenges?limit=2');
  const second = await service.call('GET', `/api/challenges?limit=2&cursor=${first.json.nextCursor}`);
  expect([...first.json.items, ...second.json.items].map(({ id }: { id: string }) => id)).toEqual(
    ['two-events', 'town', 'photo'].map((type) => `2026-11-22-${type}`),
  );
  expect(second.json.nextCursor).toBeNull();
  expect((await service.call('GET', '/api/challenges?limit=0')).json.errors[0].field).toBe('limit');
  expect((await service.call('GET', '/api/challenges?cursor=x')).json.code).toBe('bad-cursor');
  expect((await service.call('GET', '/api/challenges', { token: 'no' })).status).toBe(401);
});
