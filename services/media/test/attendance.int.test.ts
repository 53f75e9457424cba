import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { eventById, eventsHeld, hasBegun, holdsTicket } from '../src/attendance/attendance.ts';
import { hearOf, startMedia, type Media } from './service.ts';

let media: Media;
beforeAll(async () => void (media = await startMedia()));
afterAll(() => media.stop());

const held = (userId: number, eventId: number) => holdsTicket(media.pool, userId, eventId);
/** Resolves when all earlier messages of these events are handled. */
async function heard(...eventIds: number[]): Promise<void> {
  for (const eventId of eventIds) {
    const orderId = randomUUID();
    await hearOf(media.bus, 'ticketing.ticket-purchased', { orderId, eventId, quantity: 1, buyerId: 999 });
    await eventually(async () => {
      const { rowCount } = await media.pool.query('select from ticket_orders where order_id = $1', [orderId]);
      return rowCount === 1;
    });
  }
}

test('an account counts as ticket holder until its last ticket is returned', async () => {
  const [orderId, parts] = [randomUUID(), randomUUID()];
  const bought = { eventId: 41, quantity: 2, buyerId: 7 };
  await hearOf(media.bus, 'ticketing.ticket-purchased', { ...bought, orderId });
  await hearOf(media.bus, 'ticketing.ticket-purchased', { ...bought, orderId: parts, eventId: 42 });
  await heard(41, 42);
  expect([await held(7, 41), await held(7, 42), await held(8, 41)]).toEqual([true, true, false]);

  const part = { orderId: parts, eventId: 42, quantity: 1 };
  await hearOf(media.bus, 'ticketing.refund-requested', { ...part, requestId: randomUUID() });
  await hearOf(media.bus, 'ticketing.refund-requested', { orderId, eventId: 41, quantity: 2 });
  await heard(41, 42);
  expect([await held(7, 41), await held(7, 42)]).toEqual([false, true]);
  await hearOf(media.bus, 'ticketing.refund-requested', { ...part, requestId: randomUUID() });
  await heard(41, 42);
  expect(await held(7, 42)).toBe(false);
});

test('a lost dispute makes a ticket invalid, a won dispute makes it valid again; the latest message counts', async () => {
  const orderId = randomUUID();
  const changed = (isVoid: boolean, version: number) =>
    hearOf(media.bus, 'ticketing.order-validity-changed', { orderId, eventId: 47, isVoid, version });
  // A message for an order that is not known here yet.
  await changed(true, 5);
  await hearOf(media.bus, 'ticketing.ticket-purchased', { orderId, eventId: 47, quantity: 2, buyerId: 7 });
  await heard(47);
  expect(await held(7, 47)).toBe(false);
  await changed(false, 9);
  await changed(true, 6);
  await heard(47);
  expect(await held(7, 47)).toBe(true);
});

test('a return that arrives twice, or before its purchase, counts once', async () => {
  const orderId = randomUUID();
  const part = { orderId, eventId: 43, quantity: 1, requestId: randomUUID() };
  const id = randomUUID();
  await hearOf(media.bus, 'ticketing.refund-requested', part, id);
  await hearOf(media.bus, 'ticketing.refund-requested', part, id);
  await hearOf(media.bus, 'ticketing.ticket-purchased', { orderId, eventId: 43, quantity: 2, buyerId: 7 });
  await heard(43);
  expect(await held(7, 43)).toBe(true);
  const gone = randomUUID();
  await hearOf(media.bus, 'ticketing.refund-requested', { orderId: gone, eventId: 44, quantity: 1 });
  await hearOf(media.bus, 'ticketing.ticket-purchased', { orderId: gone, eventId: 44, quantity: 1, buyerId: 7 });
  await heard(44);
  expect(await held(7, 44)).toBe(false);
});

test('a guest’s order counts for the account that claimed it', async () => {
  const order = { orderId: randomUUID(), eventId: 45, quantity: 1 };
  await hearOf(media.bus, 'ticketing.ticket-purchased', { ...order, buyerId: null });
  await heard(45);
  expect(await held(9, 45)).toBe(false);
  await hearOf(media.bus, 'ticketing.order-claimed', { ...order, buyerId: 9 });
  await heard(45);
  expect(await held(9, 45)).toBe(true);
});

test('an event has begun after its start, unless it was canceled or postponed, in any order of messages', async () => {
  const state = { eventId: 46, title: 'Go-Go Night', version: 2, eventDate: '2026-11-21T05:00:00.000Z' };
  await hearOf(media.bus, 'catalog.event-published', { ...state, eventStartTime: '19:00' });
  await hearOf(media.bus, 'ticketing.ticket-purchased', {
    orderId: randomUUID(),
    eventId: 46,
    quantity: 1,
    buyerId: 7,
  });
  await heard(46);
  const event = () => eventually(() => eventById(media.pool, 46));
  expect(await event()).toMatchObject({ title: 'Go-Go Night', startsAt: new Date('2026-11-22T00:00:00Z') });
  expect(hasBegun((await event())!, new Date('2026-11-21T23:59:59Z'))).toBe(false);
  expect(hasBegun((await event())!, new Date('2026-11-22T00:00:00Z'))).toBe(true);
  expect((await eventsHeld(media.pool, 7)).map(({ eventId }) => eventId)).toEqual([46]);

  await hearOf(media.bus, 'catalog.event-updated', {
    ...state,
    version: 3,
    eventStartTime: '20:00',
    isPostponed: true,
  });
  await eventually(async () => (await event())?.status === 'postponed');
  await hearOf(media.bus, 'catalog.event-canceled', { eventId: 46, version: 4, ownerId: 3 });
  await eventually(async () => (await event())?.status === 'canceled');
  await hearOf(media.bus, 'catalog.event-updated', { ...state, version: 5, title: 'Late', eventStartTime: '19:00' });
  await eventually(async () => (await event())?.title === 'Late');
  expect((await event())?.status).toBe('canceled');
  expect(hasBegun((await event())!, new Date('2027-01-01T00:00:00Z'))).toBe(false);
  expect(await eventsHeld(media.pool, 7)).toEqual([]);
});
