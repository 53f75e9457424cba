import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Event, EventCancellation } from '@beltway/contracts/catalog/events';
import { startCatalog, withTickets, type Catalog } from './catalog.ts';

let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());
const ORGANIZER = { id: 1 };
const ADMIN = { id: 2, role: 'admin' } as const;
const FIGURES = { orders: 2, refundCents: 5_000 };
const START = new Date('2026-12-01T12:00:00Z');
const TWO_MONTHS_LATER = new Date('2027-02-05T12:00:00Z');
beforeEach(() => {
  catalog.time.now = START;
  catalog.refundable.answer = () => FIGURES;
});

type Problem = { code: string; detail: string; errors?: Array<{ field: string }> };
const cancel = (id: number, as: object, body?: object, headers?: Record<string, string>) =>
  catalog.call<Event & Problem>('POST', `/api/events/${id}/cancel`, {
    as: as as typeof ADMIN,
    ...(body && { body }),
    ...(headers && { headers }),
  });
const told = async (id: number) =>
  (await catalog.told()).filter(({ key }) => key === `event-${id}`).map(({ type }) => type);

test('the organizer of a past event can neither cancel it nor move it to a later time to cancel it', async () => {
  const { id } = await catalog.publish(ORGANIZER, withTickets);
  catalog.time.now = TWO_MONTHS_LATER;
  expect(await cancel(id, ORGANIZER)).toMatchObject({ status: 409, body: { code: 'event-over' } });
  expect(await cancel(id, ORGANIZER, { confirm: FIGURES })).toMatchObject({
    status: 409,
    body: { code: 'event-over' },
  });
  const change = (body: object, as: object = ORGANIZER) =>
    catalog.call<Problem>('PATCH', `/api/events/${id}`, { as: as as typeof ADMIN, body });
  expect(await change({ eventDate: '2027-03-05T05:00:00.000Z' })).toMatchObject({
    status: 409,
    body: { code: 'event-over' },
  });
  expect((await change({ title: 'As it was' })).status).toBe(200);
  expect((await catalog.call('POST', `/api/events/${id}/postpone`, { as: ORGANIZER })).status).toBe(409);
  expect(await told(id)).not.toContain('catalog.event-canceled');
  expect((await change({ eventDate: '2027-03-05T05:00:00.000Z' }, ADMIN)).status).toBe(200);
});

test('an admin cancels a past event with the current refund figures, and not with outdated figures', async () => {
  const { id } = await catalog.publish(ORGANIZER, withTickets);
  catalog.time.now = TWO_MONTHS_LATER;
  const seen = (as: object) =>
    catalog.call<EventCancellation>('GET', `/api/events/${id}/cancellation`, { as: as as typeof ADMIN });
  expect((await seen(ORGANIZER)).status).toBe(403);
  expect((await seen(ADMIN)).body).toEqual({ eventId: id, isOver: true, ...FIGURES });
  expect(catalog.refundable.asked.at(-1)).toBe(`/internal/events/${id}/refundable?organizerId=1`);

  const unseen = await cancel(id, ADMIN);
  expect(unseen).toMatchObject({ status: 409, body: { code: 'confirm-refunds', errors: [{ field: 'confirm' }] } });
  expect(unseen.body.detail).toContain('2 orders, $50.00 in total');
  expect((await cancel(id, ADMIN, { confirm: { orders: 2 } })).status).toBe(400);
  // One more ticket was refunded since the admin saw the figures.
  catalog.refundable.answer = () => ({ orders: 1, refundCents: 2_500 });
  expect(await cancel(id, ADMIN, { confirm: FIGURES })).toMatchObject({
    status: 409,
    body: { code: 'confirm-refunds' },
  });
  expect(await told(id)).not.toContain('catalog.event-canceled');

  const confirm = { orders: 1, refundCents: 2_500 };
  const headers = { 'idempotency-key': 'cancel-after-end-1' };
  expect(await cancel(id, ADMIN, { confirm }, headers)).toMatchObject({ status: 200, body: { status: 'canceled' } });
  // The response was lost, and the admin repeats the request when less would be refunded.
  catalog.refundable.answer = () => ({ orders: 0, refundCents: 0 });
  expect(await cancel(id, ADMIN, { confirm }, headers)).toMatchObject({ status: 200, body: { status: 'canceled' } });
  expect((await told(id)).filter((type) => type === 'catalog.event-canceled')).toHaveLength(1);
});

test('two admins cancel concurrently: one succeeds, and the other gets event-canceled', async () => {
  const { id } = await catalog.publish(ORGANIZER, withTickets);
  catalog.time.now = TWO_MONTHS_LATER;
  const answers = await Promise.all([
    cancel(id, ADMIN, { confirm: FIGURES }),
    cancel(id, { id: 3, role: 'admin' }, { confirm: FIGURES }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('event-canceled');
  expect((await told(id)).filter((type) => type === 'catalog.event-canceled')).toHaveLength(1);
});

test('an event cannot be canceled while payments cannot report the refund total', async () => {
  const { id } = await catalog.publish(ORGANIZER, withTickets);
  catalog.time.now = TWO_MONTHS_LATER;
  catalog.refundable.answer = () => {
    throw new TypeError('fetch failed');
  };
  expect((await cancel(id, ADMIN, { confirm: FIGURES })).status).toBeGreaterThanOrEqual(500);
  expect(await told(id)).not.toContain('catalog.event-canceled');
});

test('until its end, and while it is postponed, its organizer can cancel it', async () => {
  const [early, late] = [
    await catalog.publish(ORGANIZER, withTickets),
    await catalog.publish(ORGANIZER, { ...withTickets, title: 'Put off' }),
  ];
  // The event ends three hours after its start at 19:00 in New York.
  catalog.time.now = new Date('2026-12-06T02:59:59Z');
  expect((await cancel(early.id, ORGANIZER)).status).toBe(200);
  expect((await catalog.call('POST', `/api/events/${late.id}/postpone`, { as: ORGANIZER })).status).toBe(200);
  catalog.time.now = TWO_MONTHS_LATER;
  expect((await cancel(late.id, ORGANIZER)).status).toBe(200);
});
