import { highestAccountOf } from '@beltway/kit/personal-data';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { noteFact, startFacts } from '../src/notifications/facts.ts';
import { eraseFromNotifications, notificationsPart } from '../src/notifications/person.ts';
import { PERSONAL } from '../src/personal-data.ts';
import { dropOld, MAX_KEPT } from '../src/notifications/queries.ts';
import type { Worker } from '@beltway/kit/jobs';
import { logger } from '@beltway/kit/logger';
import { eventState, IS_FACT, purchase, said, startBell, type Bell } from './notifications.ts';

let bell: Bell;
const followers = new Map<number, number[]>();
const catalog = {
  get: async (path: string) => {
    const url = new URL(path, 'http://catalog');
    if (url.pathname === '/internal/saved-searches/matches') return { accounts: [], next: null };
    const organizer = Number(url.pathname.split('/').at(-1));
    const [after, limit] = [Number(url.searchParams.get('after')), Number(url.searchParams.get('limit'))];
    return { accounts: (followers.get(organizer) ?? []).filter((id) => id > after).slice(0, limit) };
  },
};
beforeAll(async () => void (bell = await startBell({ catalog })));
afterAll(() => bell.close());

let lastEvent = 100;
let lastAccount = 10_000;
const newEvent = () => ++lastEvent;
const account = () => ++lastAccount;
const published = (eventId: number, more: Record<string, unknown> = {}, envelope = {}) =>
  said('catalog.event-published', `event-${eventId}`, eventState(eventId, more), envelope);
const updated = (eventId: number, version: number, more: Record<string, unknown> = {}) =>
  said('catalog.event-updated', `event-${eventId}`, eventState(eventId, { version, ...more }));
const canceled = (eventId: number, ownerId = 1) =>
  said('catalog.event-canceled', `event-${eventId}`, { eventId, version: 99, ownerId });
const returned = (eventId: number, orderId: string, reason: string, more = {}) =>
  said('ticketing.refund-requested', `sale-${eventId}`, {
    ...{ orderId, eventId, quantity: 2, paymentId: 'pi_1', amountCents: 5_000, reason, requestId: null },
    ...more,
  });

/** The refund of one of three tickets. */
const aPart = (eventId: number, orderId: string) => ({
  ...{ orderId, eventId, quantity: 1, paymentId: 'pi_1', amountCents: 2_500, reason: 'canceled-by-organizer' },
  requestId: randomUUID(),
});

const titles = async (as: number) => (await bell.list(as)).items.map(({ title }) => title);
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString();

describe('an account is notified of', () => {
  test('a purchase, as buyer and as organizer, once however often the message is delivered', async () => {
    const [eventId, buyer, ownerId] = [newEvent(), account(), account()];
    const bought = purchase(eventId, buyer);
    await bell.hear(published(eventId, { ownerId }), bought, bought);
    await bell.settled();
    await bell.hear(bought);
    await bell.settled();
    expect(await titles(buyer)).toEqual(['Your 2 tickets for Go-Go Night']);
    const { items } = await bell.list(ownerId);
    expect(items).toMatchObject([
      {
        kind: 'ticket-sold',
        title: '2 tickets sold for Go-Go Night',
        text: 'Buyers paid $50.00.',
        path: `/dashboard/events/${eventId}`,
        isRead: false,
      },
    ]);
  });

  test('many sales within an hour in one notification with a count, and again after it was read', async () => {
    const [eventId, ownerId] = [newEvent(), account()];
    const occurredAt = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000).toISOString();
    await bell.hear(published(eventId, { ownerId }));
    await bell.hear(...Array.from({ length: 7 }, () => purchase(eventId, null, { quantity: 1, occurredAt })));
    await bell.settled();
    const [sold] = (await bell.list(ownerId)).items;
    expect(sold).toMatchObject({ title: '7 tickets sold for Go-Go Night', text: 'Buyers paid $175.00.' });
    await bell.call('PUT', `/api/me/notifications/${sold!.id}/read`, ownerId);
    expect(await bell.unread(ownerId)).toBe(0);
    await bell.hear(purchase(eventId, null, { quantity: 1, occurredAt }));
    await bell.settled();
    expect(await bell.unread(ownerId)).toBe(1);
    expect(await titles(ownerId)).toEqual(['8 tickets sold for Go-Go Night']);
  });

  test('a sale that arrives before its event, when the event is known', async () => {
    const [eventId, ownerId] = [newEvent(), account()];
    await bell.hear(purchase(eventId, null));
    await bell.settled(1);
    expect(await titles(ownerId)).toEqual([]);
    await bell.hear(published(eventId, { ownerId }));
    await bell.settled();
    expect(await titles(ownerId)).toEqual(['2 tickets sold for Go-Go Night']);
  });

  test('changes to tickets that a guest bought, after they were saved to the account', async () => {
    const [eventId, claimer] = [newEvent(), account()];
    const order = purchase(eventId, null);
    const { orderId, quantity } = order.data;
    await bell.hear(published(eventId), order);
    await bell.hear(
      said('ticketing.order-claimed', `sale-${eventId}`, { orderId, eventId, quantity, buyerId: claimer }),
    );
    await bell.settled();
    await bell.hear(canceled(eventId));
    await bell.settled();
    expect(await titles(claimer)).toEqual(['Go-Go Night was canceled']);
  });

  test('a new last day, as ticket holder; the text has the first and the last day', async () => {
    const [eventId, holder] = [newEvent(), account()];
    const lasting = (version: number, day: string, more = {}) =>
      updated(eventId, version, { eventLastDate: `2030-12-${day}T05:00:00.000Z`, ...more });
    await bell.hear(published(eventId, { eventLastDate: '2030-12-06T05:00:00.000Z' }), purchase(eventId, holder));
    await bell.hear(lasting(2, '06', { description: 'Other words' }));
    await bell.settled();
    expect((await bell.list(holder)).items).toMatchObject([
      { kind: 'ticket-bought', text: 'Wed, Dec 4, 2030 – Fri, Dec 6, 2030, 7 PM ET' },
    ]);
    await bell.hear(lasting(3, '07'));
    await bell.settled();
    expect((await bell.list(holder)).items[0]).toMatchObject({
      title: 'Go-Go Night has a new time',
      text: 'Now: Wed, Dec 4, 2030 – Sat, Dec 7, 2030, 7 PM ET, The Anthem, Washington, DC. Your tickets stay valid.',
    });
  });

  test('a change of time or place, as ticket holder, but not of a change of wording', async () => {
    const [eventId, holder, gone] = [newEvent(), account(), account()];
    const left = purchase(eventId, gone);
    await bell.hear(published(eventId), purchase(eventId, holder), left);
    await bell.hear(returned(eventId, left.data['orderId'] as string, 'canceled-by-buyer'));
    await bell.settled();
    await bell.hear(
      updated(eventId, 2, { description: 'Other words' }),
      updated(eventId, 3, { eventStartTime: '20:00' }),
    );
    await bell.settled();
    expect((await bell.list(holder)).items[0]).toMatchObject({
      kind: 'event-changed',
      title: 'Go-Go Night has a new time',
      text: 'Now: Wed, Dec 4, 2030, 8 PM ET, The Anthem, Washington, DC. Your tickets stay valid.',
      path: `/event/${eventId}`,
    });
    expect(await titles(gone)).toEqual(['Your 2 tickets for Go-Go Night']);
    await bell.hear(updated(eventId, 4, { eventStartTime: '20:00', isPostponed: true }));
    await bell.settled();
    expect(await titles(holder)).toEqual(['Go-Go Night is postponed', 'Your 2 tickets for Go-Go Night']);
  });

  test('a suspension and its end, as ticket holder; a suspended event is not announced as new', async () => {
    const [eventId, holder, ownerId, follower] = [newEvent(), account(), account(), account()];
    followers.set(ownerId, [follower]);
    await bell.hear(published(eventId, { ownerId, isSuspended: true, salesEnabled: false }), purchase(eventId, holder));
    await bell.settled();
    expect(await titles(follower)).toEqual([]);
    await bell.hear(updated(eventId, 2, { ownerId }));
    await bell.settled();
    await bell.hear(updated(eventId, 3, { ownerId, isSuspended: true, salesEnabled: false }));
    await bell.settled();
    expect((await bell.list(holder)).items[0]).toMatchObject({
      title: 'Go-Go Night is not on sale for now',
      text: 'Your tickets stay valid.',
    });
    await bell.hear(updated(eventId, 4, { ownerId }));
    await bell.settled();
    expect((await titles(holder))[0]).toBe('Go-Go Night is on sale again');
    // An older message arrives late.
    await bell.hear(updated(eventId, 3, { ownerId, isSuspended: true, salesEnabled: false }));
    await bell.settled();
    expect((await titles(holder))[0]).toBe('Go-Go Night is on sale again');
  });

  test('changes only by newer messages: an older change that arrives late has no effect', async () => {
    const [eventId, holder] = [newEvent(), account()];
    await bell.hear(published(eventId), purchase(eventId, holder));
    await bell.settled();
    await bell.hear(updated(eventId, 5, { location: 'DC9' }));
    await bell.settled();
    await bell.hear(updated(eventId, 3, { location: 'Echostage' }));
    await bell.settled();
    const [change] = (await bell.list(holder)).items;
    expect(change).toMatchObject({ title: 'Go-Go Night has a new location' });
    expect(change!.text).toContain('DC9');
  });

  test('a cancellation, even if the order was returned before the message, or the purchase arrives after it', async () => {
    const [eventId, holder, late, gone] = [newEvent(), account(), account(), account()];
    const order = purchase(eventId, holder);
    const gaveBack = purchase(eventId, gone);
    await bell.hear(published(eventId), order, gaveBack);
    await bell.hear(returned(eventId, gaveBack.data['orderId'] as string, 'canceled-by-buyer'));
    await bell.settled();
    await bell.hear(returned(eventId, order.data['orderId'] as string, 'event-canceled'));
    await eventually(async () => {
      const { rowCount } = await bell.pool.query(
        "select from noted_orders where ended_by = 'event-canceled' and event_id = $1",
        [eventId],
      );
      return rowCount === 1;
    });
    await bell.hear(canceled(eventId));
    await bell.settled();
    await bell.hear(purchase(eventId, late));
    await bell.settled();
    for (const one of [holder, late]) expect(await titles(one)).toContain('Go-Go Night was canceled');
    expect(await titles(gone)).not.toContain('Go-Go Night was canceled');
  });

  test('a new event, as follower of its organizer; several events within an hour, or a series, are one notification', async () => {
    const [ownerId, fan] = [account(), account()];
    followers.set(ownerId, [fan]);
    const [one, two] = [newEvent(), newEvent()];
    const occurredAt = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000).toISOString();
    await bell.hear(published(one, { ownerId }, { occurredAt }));
    await bell.settled();
    expect((await bell.list(fan)).items).toMatchObject([{ title: 'New: Go-Go Night', path: `/event/${one}` }]);
    await bell.hear(published(two, { ownerId }, { occurredAt }));
    await bell.settled();
    expect((await bell.list(fan)).items).toMatchObject([{ title: '2 new events', path: `/organizer/${ownerId}` }]);
    const seriesId = newEvent();
    await bell.hear(...[newEvent(), newEvent(), newEvent()].map((id) => published(id, { ownerId, seriesId })));
    await bell.settled();
    expect(await bell.unread(fan)).toBe(2);
  });

  test("a refund, as buyer, but not of a guest's refund or a refund that the buyer did not request", async () => {
    const [eventId, buyer] = [newEvent(), account()];
    const order = purchase(eventId, buyer);
    const orderId = order.data['orderId'] as string;
    const facts = { paymentId: 'pi_1', orderId, eventId, amountCents: 5_000 };
    const part = { ...facts, refundId: 're_2', partCents: 2_500, returnedCents: 2_500 };
    const partly = (requestId: string | null) =>
      said('payments.payment-partly-refunded', `payment-${orderId}`, { ...part, requestId });
    await bell.hear(published(eventId), order, partly(null), partly(randomUUID()));
    await bell.settled();
    await bell.hear(said('payments.payment-refunded', `payment-${orderId}`, { ...facts, refundId: 're_3' }));
    await bell.settled();
    expect((await titles(buyer)).slice(0, 2)).toEqual(['$50.00 refunded', '$25.00 refunded']);
    expect(await bell.list(buyer)).toMatchObject({ items: { length: 3 } });
  });

  test('a moderation decision, as author of the content; an older decision that arrives late does not notify', async () => {
    const author = account();
    const told = (decision: number, action: string, outcome: string | null = null) =>
      said('identity.author-told', `user-${author}`, {
        ...{ userId: author, caseId: 'post.5', kind: 'post', action, decision, outcome },
      });
    const hidden = told(1, 'hide');
    await bell.hear(hidden, hidden);
    await bell.settled();
    const [first, ...others] = (await bell.list(author)).items;
    expect([first, others]).toMatchObject([
      { kind: 'moderated', title: 'Your post is hidden', path: '/moderation/mine', isRead: false },
      [],
    ]);
    await bell.call('PUT', `/api/me/notifications/${first!.id}/read`, author);
    await bell.hear(told(2, 'hide', 'reversed'), told(1, 'hide'));
    await bell.settled();
    expect((await bell.list(author)).items).toMatchObject([{ title: 'We changed our decision', isRead: false }]);
    expect(await bell.unread(author)).toBe(1);
  });

  test('a badge, once, even if it was withdrawn and is earned again', async () => {
    const person = account();
    const earned = () => said('identity.badge-unlocked', `user-${person}`, { userId: person, badgeId: 'first-event' });
    const first = earned();
    await bell.hear(first, first, earned());
    await bell.settled();
    expect((await bell.list(person)).items).toMatchObject([
      { kind: 'badge', title: 'You earned a badge: First night out', text: 'Attend an event', path: `/u/${person}` },
    ]);
    expect(await bell.unread(person)).toBe(1);
  });

  test('a request to connect, once per person and without a name', async () => {
    const [person, from] = [account(), account()];
    const wanted = (fromId: number) => said('identity.connection-wanted', `user-${person}`, { userId: person, fromId });
    const first = wanted(from);
    await bell.hear(first, first, wanted(from));
    await bell.settled();
    expect((await bell.list(person)).items).toMatchObject([
      { kind: 'connection', title: 'Someone you met wants to connect', path: '/community/connections' },
    ]);
    await bell.hear(wanted(account()));
    await bell.settled();
    expect(await bell.unread(person)).toBe(2);
  });

  test('a new event, once, even if its message arrives after its first change, like a replayed dead letter', async () => {
    const [ownerId, fan, eventId] = [account(), account(), newEvent()];
    followers.set(ownerId, [fan]);
    const first = published(eventId, { ownerId });
    await bell.hear(updated(eventId, 2, { ownerId, title: 'Go-Go Night II' }));
    await bell.settled();
    await bell.hear(first, first, published(eventId, { ownerId }));
    await bell.settled();
    expect(await titles(fan)).toEqual(['New: Go-Go Night II']);
  });

  test('no new event and no change of an event that was canceled before', async () => {
    const [ownerId, fan, holder, eventId] = [account(), account(), account(), newEvent()];
    followers.set(ownerId, [fan]);
    await bell.hear(updated(eventId, 2, { ownerId }), purchase(eventId, holder));
    await bell.settled();
    await bell.hear(canceled(eventId, ownerId));
    await bell.settled();
    await bell.hear(published(eventId, { ownerId }));
    await noteFact(
      bell.pool,
      { id: randomUUID(), occurredAt: new Date().toISOString() },
      {
        ...{ kind: 'event-changed', eventId, version: 3, detail: 'time' },
      },
    );
    await noteFact(
      bell.pool,
      { id: randomUUID(), occurredAt: new Date().toISOString() },
      {
        ...{ kind: 'organizer-published', eventId, ownerId },
      },
    );
    await bell.settled();
    expect(await titles(fan)).toEqual([]);
    expect(await titles(holder)).toEqual(['Go-Go Night was canceled', 'Your 2 tickets for Go-Go Night']);
  });

  test('a sale that arrives after its claim and partial return; the account still holds the remaining tickets', async () => {
    const [eventId, buyer, ownerId] = [newEvent(), account(), account()];
    const order = purchase(eventId, null, { quantity: 3 });
    const orderId = order.data['orderId'] as string;
    await bell.hear(published(eventId, { ownerId }));
    await bell.hear(
      said('ticketing.order-claimed', `sale-${eventId}`, { orderId, eventId, quantity: 3, buyerId: buyer }),
      said('ticketing.refund-requested', `sale-${eventId}`, aPart(eventId, orderId)),
      order,
    );
    await bell.settled();
    expect(await titles(ownerId)).toEqual(['3 tickets sold for Go-Go Night']);
    await bell.hear(updated(eventId, 2, { location: 'DC9' }));
    await bell.settled();
    expect(await titles(buyer)).toEqual(['Go-Go Night has a new location']);
  });

  test('changes to the event, unless a lost dispute voided the account’s tickets, until the dispute is won', async () => {
    const [eventId, buyer] = [newEvent(), account()];
    const order = purchase(eventId, buyer);
    const changed = (isVoid: boolean, version: number) =>
      said('ticketing.order-validity-changed', `sale-${eventId}`, {
        ...{ orderId: order.data['orderId'], eventId, isVoid, version },
      });
    await bell.hear(published(eventId), order, changed(true, 5));
    await bell.settled();
    const before = await titles(buyer);
    await bell.hear(updated(eventId, 2, { location: 'DC9' }));
    await bell.settled();
    expect(await titles(buyer)).toEqual(before);
    await bell.hear(changed(false, 7), changed(true, 6), updated(eventId, 3, { location: 'Black Cat' }));
    await bell.settled();
    expect((await titles(buyer)).filter((title) => title.includes('new location'))).toHaveLength(1);
  });

  test('no fact that arrives days later; the data is still stored', async () => {
    const [eventId, holder, ownerId] = [newEvent(), account(), account()];
    await bell.hear(published(eventId, { ownerId }), purchase(eventId, holder, { occurredAt: daysAgo(4) }));
    await bell.settled();
    expect([await titles(holder), await titles(ownerId)]).toEqual([[], []]);
    await bell.hear(canceled(eventId));
    await bell.settled();
    expect(await titles(holder)).toEqual(['Go-Go Night was canceled']);
  });
});

describe('many concurrent notifications', () => {
  test('2,500 holders of a canceled event, with a crash after the first page, are notified once each', async () => {
    const eventId = newEvent();
    await bell.hear(published(eventId));
    await bell.settled();
    await bell.stop();
    await bell.pool.query(
      `insert into noted_orders (order_id, event_id, buyer_id, quantity)
       select gen_random_uuid(), $1, 50000 + n % 2500, 1 from generate_series(1, 5000) n`,
      [eventId],
    );
    const message = { id: randomUUID(), occurredAt: new Date().toISOString() };
    await noteFact(bell.pool, message, { kind: 'event-canceled', eventId });
    const told: number[] = [];
    const deps = { pool: bell.pool, log: logger('test', 'silent'), catalog, clock: () => new Date() };
    // The first worker stops after its first page.
    const ends: Worker = startFacts({
      ...deps,
      tell: (userIds) => {
        told.push(...userIds);
        void ends.stop();
      },
    });
    await eventually(() => told.length > 0);
    await ends.stop();
    expect(told).toHaveLength(1_000);
    // Two workers run concurrently, like those of two instances.
    const both = [0, 1].map(() => startFacts({ ...deps, tell: (userIds) => void told.push(...userIds) }));
    await Promise.all(both.map((one) => one.work()));
    await eventually(async () => (await bell.pool.query(`select from jobs where ${IS_FACT}`)).rowCount === 0);
    await Promise.all(both.map((one) => one.stop()));
    expect(told).toHaveLength(2_500);
    expect(new Set(told).size).toBe(2_500);
    const { rows } = await bell.pool.query<{ n: number }>(
      "select count(*)::int as n from notifications where event_id = $1 and kind = 'event-canceled'",
      [eventId],
    );
    expect(rows[0]!.n).toBe(2_500);
    await bell.start();
  });
});

describe('the list', () => {
  /** Inserts `count` notifications of a new account; the last one is the first in the list. */
  async function someone(count: number): Promise<number> {
    const userId = account();
    await bell.pool.query(
      `insert into notifications (user_id, kind, key, event_id, at)
       select $1, 'ticket-bought', 'key ' || n, 1, '2026-11-01'::timestamptz + n / 3 * interval '1 second' from generate_series(1, $2) n`,
      [userId, count],
    );
    return userId;
  }

  test('is paged without a gap or a duplicate, even if new notifications arrive', async () => {
    const userId = await someone(23);
    const ids: number[] = [];
    for (let query = '?limit=5'; ;) {
      const { items, nextCursor } = await bell.list(userId, query);
      ids.push(...items.map(({ id }) => id));
      if (!nextCursor) break;
      query = `?limit=5&cursor=${nextCursor}`;
    }
    expect(ids).toHaveLength(23);
    expect(new Set(ids).size).toBe(23);
  });

  test('lets only the account mark one notification as read, or all up to the last one that was shown', async () => {
    const [userId, other] = [await someone(3), account()];
    const { items } = await bell.list(userId);
    const path = `/api/me/notifications/${items[0]!.id}/read`;
    expect(await bell.call('PUT', path, other)).toMatchObject({ status: 404 });
    expect(await bell.call('PUT', path, userId)).toEqual({ status: 200, body: { unread: 2 } });
    expect(await bell.call('PUT', path, userId)).toEqual({ status: 200, body: { unread: 2 } });
    const until = items[0]!.at;
    await bell.pool.query(
      "insert into notifications (user_id, kind, key) values ($1, 'refund-sent', 'came meanwhile')",
      [userId],
    );
    expect(await bell.call('POST', '/api/me/notifications/read', userId, { until })).toEqual({
      status: 200,
      body: { unread: 1 },
    });
  });

  test.each([
    ['GET', '/api/me/notifications?cursor=x', undefined],
    ['GET', '/api/me/notifications?limit=1000', undefined],
    ['POST', '/api/me/notifications/read', { until: 'yesterday' }],
    ['POST', '/api/me/notifications/read', {}],
    ['PUT', '/api/me/notifications/0/read', undefined],
  ])('refuses %s %s', async (method, path, body) => {
    expect(await bell.call(method, path, 1, body)).toMatchObject({ status: 400, body: { errors: [{}] } });
  });

  test('needs a token', async () => {
    for (const [method, path] of [
      ['GET', '/api/me/notifications'],
      ['GET', '/api/me/notifications/unread'],
      ['POST', '/api/me/notifications/read'],
      ['PUT', '/api/me/notifications/1/read'],
    ] as const)
      expect(await bell.call(method, path)).toMatchObject({ status: 401 });
  });

  test('keeps the newest 500 of an account, and nothing older than 180 days', async () => {
    const [userId, other] = [await someone(MAX_KEPT + 7), await someone(3)];
    await bell.pool.query("update notifications set at = '2026-01-01' where user_id = $1 and key = 'key 1'", [other]);
    await dropOld(bell.pool, new Date('2026-11-20'));
    const left = async (id: number) =>
      (await bell.pool.query<{ key: string }>('select key from notifications where user_id = $1 order by id', [id]))
        .rows;
    expect(await left(other)).toEqual([{ key: 'key 2' }, { key: 'key 3' }]);
    expect((await left(userId)).map(({ key }) => key)).toEqual(
      Array.from({ length: MAX_KEPT }, (_, at) => `key ${at + 8}`),
    );
  });
});

describe('the socket', () => {
  const following = async (as: number | null) => {
    const page = bell.open();
    let rang = 0;
    page.on('notifications-changed', () => void rang++);
    await eventually(() => page.connected);
    const token = as === null ? null : await bell.tokenOf({ id: as });
    const isFollowing = await page.timeout(5_000).emitWithAck('follow-notifications', token);
    return { page, isFollowing, rang: () => rang };
  };

  test('is notified only for the account of its token, and for no account after signing out', async () => {
    const [eventId, buyer, other] = [newEvent(), account(), account()];
    const [own, others, bad] = [await following(buyer), await following(other), await following(null)];
    expect([own.isFollowing, others.isFollowing, bad.isFollowing]).toEqual([true, true, false]);
    expect(await bad.page.timeout(5_000).emitWithAck('follow-notifications', 'no token')).toBe(false);
    await bell.hear(published(eventId), purchase(eventId, buyer));
    await eventually(() => own.rang() === 1);
    expect([others.rang(), bad.rang()]).toEqual([0, 0]);
    await own.page.timeout(5_000).emitWithAck('follow-notifications', null);
    await bell.hear(purchase(eventId, buyer), purchase(eventId, other));
    await eventually(() => others.rang() === 1);
    expect(own.rang()).toBe(1);
  });
});

describe('the response to a socket that follows notifications', () => {
  test("reports its own account's unread count, including all earlier notifications", async () => {
    const [eventId, buyer] = [newEvent(), account()];
    await bell.hear(published(eventId), purchase(eventId, buyer), purchase(eventId, buyer));
    await bell.settled();
    const page = bell.open();
    await eventually(() => page.connected);
    const follow = async (token: string | null) =>
      new Promise<unknown[]>((resolve) => page.emit('follow-notifications', token, (...said) => resolve(said)));
    expect(await follow(await bell.tokenOf({ id: buyer }))).toEqual([true, 2]);
    expect(await follow(await bell.tokenOf({ id: account() }))).toEqual([true, 0]);
    expect(await follow(null)).toEqual([false]);
  });
});

describe('a socket whose token ends', () => {
  test('is notified, and then receives nothing of that account', async () => {
    const [eventId, buyer] = [newEvent(), account()];
    const page = bell.open();
    let rang = 0;
    page.on('notifications-changed', () => void rang++);
    await eventually(() => page.connected);
    const token = await bell.identity.tokenFor({ id: buyer }, { exp: Math.floor(Date.now() / 1_000) + 8 });
    expect(await page.timeout(5_000).emitWithAck('follow-notifications', token)).toBe(true);
    await eventually(() => page.expiries > 0);
    const other = bell.open();
    let heard = 0;
    other.on('notifications-changed', () => void heard++);
    await eventually(() => other.connected);
    await other.timeout(5_000).emitWithAck('follow-notifications', await bell.tokenOf({ id: buyer }));
    await bell.hear(published(eventId), purchase(eventId, buyer));
    await eventually(() => heard === 1);
    expect(rang).toBe(0);
  });

  test.each([
    ['its session', true],
    ['all of the account', false],
  ])(
    'before it expires, together with %s, receives nothing from then on; other sockets still do',
    async (_, isSession) => {
      const [buyer, sid] = [account(), randomUUID()];
      const follow = async (token: string) => {
        const page = bell.open();
        await eventually(() => page.connected);
        expect(await page.timeout(5_000).emitWithAck('follow-notifications', token)).toBe(true);
        return page;
      };
      const page = await follow(await bell.identity.tokenFor({ id: buyer }, { sid }));
      const others = [await follow(await bell.tokenOf({ id: account() }))];
      if (isSession) others.push(await follow(await bell.tokenOf({ id: buyer })));
      const ended = isSession
        ? said('identity.session-revoked', `user-${buyer}`, { userId: buyer, sessionId: sid })
        : said('identity.password-changed', `user-${buyer}`, { userId: buyer, generation: 1 });
      await bell.hear(ended);
      await eventually(() => page.expiries > 0);
      const room = await bell.io.in(`account ${buyer}`).fetchSockets();
      expect(room).toHaveLength(isSession ? 1 : 0);
      expect(others.map(({ expiries }) => expiries)).toEqual(others.map(() => 0));
    },
  );
});

describe('a person', () => {
  test('can export all notifications; an erasure deletes them, and the account is not notified afterwards', async () => {
    const [eventId, buyer] = [newEvent(), account()];
    await bell.hear(published(eventId), purchase(eventId, buyer));
    await bell.settled();
    const { rows } = await bell.pool.query<{ highest: number }>(`select (${highestAccountOf(PERSONAL)}) as highest`);
    expect(rows[0]!.highest).toBeGreaterThanOrEqual(buyer);
    expect(await notificationsPart(bell.pool, buyer)).toMatchObject({
      notifications: [{ kind: 'ticket-bought', title: 'Your 2 tickets for Go-Go Night' }],
      isComplete: true,
    });
    await bell.pool.query('insert into erasures (user_id, erased_at) values ($1, now())', [buyer]);
    await eraseFromNotifications(bell.pool, buyer);
    await bell.hear(canceled(eventId), purchase(eventId, buyer));
    await bell.settled();
    expect(await notificationsPart(bell.pool, buyer)).toMatchObject({ notifications: [], isComplete: true });
  });
});
