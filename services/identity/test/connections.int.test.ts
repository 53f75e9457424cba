import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesOf } from '@beltway/contracts/testing/lines';
import { transaction } from '@beltway/kit/postgres';
import { followErasures } from '../src/engagement/checks.ts';
import { followConnections } from '../src/engagement/connection/looks.ts';
import { cancelEvent, noteReturn, noteTickets, saveEvent } from '../src/engagement/copies.ts';
import { rebuild } from '../src/rebuild.ts';
import { checkAll, PASSWORD, databases, identity, later, register, type SignedIn } from './support.ts';

const NOW = new Date('2026-11-22T17:00:00.000Z');
const envelope = { id: randomUUID(), key: 'k', occurredAt: NOW.toISOString(), correlationId: 'c', causationId: 'c' };
const published = (eventId: number) =>
  ({
    ...envelope,
    type: 'catalog.event-published',
    version: 1,
    data: {
      ...{ eventId, version: 1, ownerId: 1_000, title: 'Go-Go on the Roof', location: 'Bethesda, MD', imageUrl: null },
      ...{ eventDate: '2026-11-21T05:00:00.000Z', eventStartTime: '19:00', eventEndTime: '22:00', description: '' },
      ...{ tags: ['Music'], hasTickets: true, salesEnabled: true, salesStart: null, salesEnd: null },
      ...{ priceCents: 1_000, capacity: 10, refundDeadlineHours: 24 },
    },
  }) as const;
const order = (buyerId: number, eventId: number) => {
  const data = { orderId: randomUUID(), eventId, quantity: 1, paymentId: 'pi_1' };
  return {
    purchased: {
      ...envelope,
      type: 'ticketing.ticket-purchased',
      version: 1,
      data: { ...data, lines: linesOf(1, 1_000), totalCents: 1_000, buyerId },
    } as const,
    refunded: {
      ...envelope,
      type: 'ticketing.refund-requested',
      version: 1,
      data: { ...data, amountCents: 1_000, reason: 'asked', requestId: null },
    } as const,
  };
};

/** Ann and Bob attended event 7, and both accounts are visible. */
async function setUp(env: Record<string, string> = { BELTWAY_RATE_LIMITS: 'off' }) {
  const on = await databases();
  /** Pairs of accounts with a block between them, as realtime reports them. */
  const blocks: Array<[number, number]> = [];
  let isAway = false;
  const get = async (path: string) => {
    const asked = /^\/internal\/blocks\/(\d+)\?others=([\d,]+)$/.exec(path);
    if (!asked) return path.endsWith('/obstacles') ? { obstacles: [] } : {};
    if (isAway) throw new Error('away');
    const pair = (a: number, b: number) => blocks.some(([x, y]) => (x === a && y === b) || (x === b && y === a));
    const others = asked[2]!.split(',').map(Number);
    return { accounts: others.filter((other) => pair(Number(asked[1]), other)) };
  };
  const service = await identity({ on, env, clock: () => NOW, services: { realtime: { get } } });
  const looks = followConnections(service.store, service.pool);
  later(() => looks.stop());
  const heard = (effect: (tx: never) => Promise<void>) => transaction(service.pool, (tx) => effect(tx as never));
  const settle = async () => {
    for (let round = 0; round < 3; round++) {
      await checkAll({ ...service, clock: () => NOW });
      await looks.caughtUp();
    }
    await checkAll({ ...service, clock: () => NOW });
  };
  const call = (method: string, path: string, person: SignedIn, body?: object) =>
    service.call(method, path, { token: person.token, ...(body && { body }) });
  const show = (person: SignedIn, isVisible = true) => call('PATCH', '/api/users/me/engagement', person, { isVisible });
  const attend = async (person: SignedIn, eventId = 7) => {
    const ticket = order(person.user.id, eventId);
    await heard((tx) => noteTickets(ticket.purchased, tx));
    return ticket;
  };
  const [ann, bob] = [await register(service, { name: 'Ann' }), await register(service, { name: 'Bob' })];
  await heard((tx) => saveEvent(published(7), tx));
  const tickets = [await attend(ann), await attend(bob)];
  for (const person of [ann, bob]) await show(person);
  await settle();
  const say = (one: SignedIn, other: SignedIn, method = 'PUT') =>
    call(method, `/api/connections/${other.user.id}`, one);
  const list = async (person: SignedIn, query = '') =>
    (await call('GET', `/api/connections${query}`, person)).json.items as Array<{ userId: number; state: string }>;
  const met = async (person: SignedIn) =>
    ((await call('GET', '/api/people-met', person)).json.items as Array<{ userId: number }>).map(
      ({ userId }) => userId,
    );
  const stats = async ({ user, token }: SignedIn) =>
    (await service.call('GET', `/api/users/${user.id}/stats`, { token })).json as {
      totalPoints: number;
      connectionsMade: number;
    };
  const isRebuiltTheSame = async () => {
    for (const { table, before, after } of (await rebuild(on.url)).tables) expect(after, table).toBe(before);
  };
  return {
    ...{ service, looks, heard, settle, call, show, attend, say, list, met, stats, isRebuiltTheSame, blocks },
    ...{ ann, bob, tickets },
    away: (away: boolean) => void (isAway = away),
  };
}

test('two requests after the same event make a connection with points; withdrawing one request ends it', async () => {
  const { service, ann, bob, say, settle, list, met, stats, call, isRebuiltTheSame } = await setUp();
  expect(await met(ann)).toEqual([bob.user.id]);
  const asked = await say(ann, bob);
  expect(asked.json).toMatchObject({ name: 'Bob', state: 'asked', eventId: 7, eventTitle: 'Go-Go on the Roof' });
  expect((await say(ann, bob)).json).toEqual(asked.json);
  await settle();
  expect(await stats(ann)).toMatchObject({ totalPoints: 20, connectionsMade: 0 });
  expect(await list(bob)).toMatchObject([{ userId: ann.user.id, state: 'asks-you' }]);
  expect([await met(ann), await met(bob)]).toEqual([[], []]);
  expect((await say(bob, ann)).json).toMatchObject({ state: 'connected' });
  await settle();
  for (const person of [ann, bob]) expect(await stats(person)).toMatchObject({ totalPoints: 30, connectionsMade: 1 });
  const points = await call('GET', `/api/users/${ann.user.id}/points`, ann);
  expect(points.json.items[0]).toMatchObject({
    kind: 'connection',
    points: 10,
    reason: 'Connected with Bob',
  });
  const told = (await service.told()).filter(({ type }) => type === 'identity.connection-wanted');
  expect(told.map(({ data }) => data)).toEqual([
    { userId: bob.user.id, fromId: ann.user.id },
    { userId: ann.user.id, fromId: bob.user.id },
  ]);
  await isRebuiltTheSame();

  expect((await say(bob, ann, 'DELETE')).status).toBe(204);
  expect((await say(bob, ann, 'DELETE')).status).toBe(204);
  await settle();
  for (const person of [ann, bob]) expect(await stats(person)).toMatchObject({ totalPoints: 20, connectionsMade: 0 });
  const after = await call('GET', `/api/users/${ann.user.id}/points`, ann);
  expect(after.json.items[0]).toMatchObject({ reason: 'Connected with Bob', takenBack: { why: 'not-connected' } });
  expect(await list(ann)).toMatchObject([{ state: 'asked' }]);
  // Bob declined, so his list no longer has Ann's request.
  expect(await list(bob)).toEqual([]);
  await isRebuiltTheSame();
});

test('concurrent requests by both accounts make one connection', async () => {
  const { ann, bob, say, settle, stats, service } = await setUp();
  const answers = await Promise.all([say(ann, bob), say(bob, ann), say(ann, bob), say(bob, ann)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await settle();
  for (const person of [ann, bob]) expect(await stats(person)).toMatchObject({ connectionsMade: 1 });
  expect(await service.rows('select from connection_wishes')).toHaveLength(2);
});

test('a refund or a cancellation takes the points of both accounts back', async () => {
  const { ann, bob, tickets, attend, say, settle, stats, list, heard } = await setUp();
  await say(ann, bob);
  await say(bob, ann);
  await settle();
  await heard((tx) => noteReturn(tickets[1]!.refunded, tx));
  await settle();
  expect([await stats(ann), await stats(bob)]).toMatchObject([
    { totalPoints: 20, connectionsMade: 0 },
    { totalPoints: 0, connectionsMade: 0 },
  ]);
  expect(await list(ann)).toEqual([]);
  // Bob gets another ticket for the same event. Both requests still exist, so the accounts are connected again.
  await attend(bob);
  await settle();
  for (const person of [ann, bob]) expect(await stats(person)).toMatchObject({ totalPoints: 30, connectionsMade: 1 });
  const data = { eventId: 7, version: 2, ownerId: 1_000 };
  await heard((tx) => cancelEvent({ ...envelope, type: 'catalog.event-canceled', version: 1, data }, tx));
  await settle();
  for (const person of [ann, bob]) expect(await stats(person)).toMatchObject({ totalPoints: 0, connectionsMade: 0 });
});

test('requests to hidden, blocked, suspended, unknown or never met accounts get the same answer', async () => {
  const { service, ann, bob, attend, heard, settle, show, say, met, call, blocks, away } = await setUp();
  const stranger = await register(service, { name: 'Cid' });
  await heard((tx) => saveEvent(published(8), tx));
  await attend(stranger, 8);
  await show(stranger);
  await settle();
  const nobody = { user: { id: 999_999 } } as SignedIn;
  const refused = async (other: SignedIn) => {
    const [put, get] = [await say(ann, other), await say(ann, other, 'GET')];
    expect([put.status, get.status]).toEqual([404, 404]);
    const { code, detail } = put.json as { code: string; detail: string };
    return { code, detail };
  };
  const nothing = await refused(nobody);
  expect(await refused(stranger)).toEqual(nothing);
  await show(bob, false);
  expect(await refused(bob)).toEqual(nothing);
  expect(await met(ann)).toEqual([]);
  expect((await say(ann, bob, 'DELETE')).status).toBe(204);
  await show(bob);
  blocks.push([bob.user.id, ann.user.id]);
  expect(await refused(bob)).toEqual(nothing);
  expect([await met(ann), await met(bob)]).toEqual([[], []]);
  blocks.pop();
  await service.rows('update users set suspended_at = $1 where id = $2', [NOW, bob.user.id]);
  expect(await refused(bob)).toEqual(nothing);
  expect(await met(ann)).toEqual([]);
  await service.rows('update users set suspended_at = null where id = $1', [bob.user.id]);
  expect((await say(ann, ann)).json).toMatchObject({ status: 409, code: 'own-account' });
  expect((await service.call('GET', '/api/connections')).status).toBe(401);
  expect((await call('GET', '/api/connections?state=none', ann)).json.errors[0].field).toBe('state');
  expect((await call('GET', '/api/connections?cursor=x', ann)).json.code).toBe('bad-cursor');
  away(true);
  expect((await say(ann, bob)).status).toBeGreaterThanOrEqual(500);
  expect(await service.rows('select from connection_wishes')).toEqual([]);
});

test('a request makes a hidden sender visible to the recipient; blocked accounts are not named in points', async () => {
  const { ann, bob, show, say, settle, list, call, blocks } = await setUp();
  await show(ann, false);
  expect((await say(ann, bob)).status).toBe(200);
  expect(await list(bob)).toMatchObject([{ userId: ann.user.id, state: 'asks-you' }]);
  await say(bob, ann);
  await settle();
  blocks.push([ann.user.id, bob.user.id]);
  expect(await list(bob)).toEqual([]);
  const { json } = await call('GET', `/api/users/${bob.user.id}/points`, bob);
  expect(json.items[0].reason).toBe('Connected with someone you met');
});

test('a flood of requests by one account is stopped', async () => {
  const { ann, bob, say } = await setUp({ BELTWAY_RATE_LIMITS: 'on' });
  const answers = await Promise.all(Array.from({ length: 70 }, (_, at) => say(ann, bob, at % 2 ? 'DELETE' : 'PUT')));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  expect((await say(bob, ann)).status).toBe(200);
});

test('erasing an account deletes its connections and takes the other account’s points back', async () => {
  const { service, ann, bob, call, say, settle, stats, list } = await setUp();
  await say(ann, bob);
  await say(bob, ann);
  await settle();
  const erasures = followErasures(service.store, service);
  later(() => erasures.stop());
  const gone = await call('DELETE', '/api/users/me', bob, { password: PASSWORD });
  expect(gone.status).toBe(204);
  await erasures.caughtUp();
  await settle();
  expect(await service.rows('select from connection_wishes')).toEqual([]);
  expect(await service.rows("select from counted_facts where kind = 'connection'")).toEqual([]);
  expect(await stats(ann)).toMatchObject({ totalPoints: 20, connectionsMade: 0 });
  expect(await list(ann)).toEqual([]);
});

test('pages of people met are complete and have no duplicates', async () => {
  const { service, ann, attend, show, settle, call, heard } = await setUp();
  await heard((tx) => saveEvent(published(8), tx));
  await attend(ann, 8);
  for (let at = 0; at < 4; at++) {
    const person = await register(service, { name: `Guest ${at}` });
    for (const eventId of [7, 8]) await attend(person, eventId);
    await show(person);
  }
  await settle();
  const found: number[] = [];
  for (let path: string | null = '/api/people-met?limit=2'; path;) {
    const { items, nextCursor } = (await call('GET', path, ann)).json as {
      items: Array<{ userId: number }>;
      nextCursor: string | null;
    };
    found.push(...items.map(({ userId }) => userId));
    path = nextCursor && `/api/people-met?limit=2&cursor=${nextCursor}`;
  }
  expect([found.length, new Set(found).size]).toEqual([5, 5]);
});

test('messages and requests in any order give the same points', async () => {
  const { service, heard, settle, stats, show, isRebuiltTheSame } = await setUp();
  const totals = new Set<string>();
  for (let run = 0; run < 6; run++) {
    const people = [await register(service, { name: 'Eve' }), await register(service, { name: 'Fay' })] as const;
    const eventId = 100 + run;
    for (const person of people) await show(person);
    const [first, second] = people;
    const say = (one: SignedIn, other: SignedIn) => () =>
      service.engagements.handle(
        String(one.user.id),
        { type: 'SayConnection', otherId: other.user.id, wants: true },
        { commandId: randomUUID(), userId: one.user.id },
      );
    const orders = people.map(({ user }) => order(user.id, eventId));
    const repeatable: Array<() => Promise<unknown>> = [
      () => heard((tx) => saveEvent(published(eventId), tx)),
      ...orders.map(
        ({ purchased }) =>
          () =>
            heard((tx) => noteTickets(purchased, tx)),
      ),
      ...[say(first, second), say(second, first)],
    ];
    const spare = order(first.user.id, eventId);
    const all = [...repeatable, ...repeatable, () => heard((tx) => noteReturn(spare.refunded, tx))];
    const mixed = fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), { numRuns: 1, seed: run })[0]!;
    for (const [at, happens] of mixed.entries()) {
      await happens();
      if (at % 4 === run % 4) await settle();
    }
    await settle();
    for (const person of people) {
      const { totalPoints, connectionsMade } = await stats(person);
      totals.add(JSON.stringify({ totalPoints, connectionsMade }));
    }
  }
  expect([...totals]).toEqual([JSON.stringify({ totalPoints: 30, connectionsMade: 1 })]);
  await isRebuiltTheSame();
});
