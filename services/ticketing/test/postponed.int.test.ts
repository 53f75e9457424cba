import { expect, test } from 'vitest';
import type { EventState } from '@beltway/contracts/catalog/events';
import { Order } from '@beltway/contracts/ticketing/tickets';
import { eventually } from '@beltway/kit/testing';
import { invariants } from '../src/invariants.ts';
import { rebuild } from '../src/rebuild.ts';
import {
  call,
  eventState,
  message,
  onSale,
  pay,
  sequenceOf,
  startCheckout,
  type Ticketing,
  mailsIn,
} from './support.ts';

const said = (version: number, change: Partial<EventState> = {}) =>
  message('catalog.event-updated', 'event-42', eventState(42, 10, { version, ...change }));
const postponed = (version: number) => said(version, { isPostponed: true, salesEnabled: false });
const NEW_DAY = '2030-08-01T04:00:00.000Z';

const closed = async ({ rows }: Ticketing) =>
  (await rows('select closed from availability where event_id = 42'))[0]?.['closed'];
const heard = (ticketing: Ticketing, state: string | null) =>
  eventually(async () => (await closed(ticketing)) === state);
const hold = ({ url }: Ticketing) => call(url, 'POST', '/api/holds', { body: { eventId: 42, quantity: 1 } });

test('while the event has no date, tickets stay valid and nothing is sold; its new date opens the sale again', async () => {
  const ticketing = await onSale(10, { version: 1 });
  const token = await ticketing.identity.tokenFor({ id: 3 });
  const { body } = await startCheckout(ticketing, {}, { token });
  await pay(ticketing, body.paymentIntentId, { token });
  await ticketing.bus.publish('catalog.events', [postponed(2)]);
  await heard(ticketing, 'postponed');

  expect(await hold(ticketing)).toMatchObject({ status: 409, body: { code: 'event-postponed' } });
  const order = async () =>
    Order.parse((await call(ticketing.url, 'GET', `/api/orders/${body.orderId}`, { token })).body);
  expect(await order()).toMatchObject({ status: 'fulfilled', event: { status: 'postponed' } });
  expect((await order()).tickets.map(({ status, qrCode }) => [status, qrCode !== null])).toEqual([
    ['valid', true],
    ['valid', true],
  ]);
  const calendar = async () =>
    (await call(ticketing.url, 'GET', `/api/orders/${body.orderId}/event.ics`, { token })).body as string;
  const removal = await calendar();
  expect(removal).toMatch(/METHOD:CANCEL/);

  await ticketing.bus.publish('catalog.events', [said(3, { eventDate: NEW_DAY })]);
  await heard(ticketing, null);
  expect(await order()).toMatchObject({ event: { status: 'published', eventDate: NEW_DAY } });
  const entry = await calendar();
  expect(entry).toMatch(/METHOD:PUBLISH/);
  expect(sequenceOf(entry)).toBeGreaterThanOrEqual(sequenceOf(removal));
  expect((await hold(ticketing)).status).toBe(201);
  const { tables } = await rebuild(ticketing.databaseUrl);
  for (const { table, before, after } of tables) expect(after, table).toBe(before);
});

test('a payment in progress completes, a hold without one is released, in any order', async () => {
  const ticketing = await onSale(10, { version: 1 });
  const paying = (await startCheckout(ticketing, { ticketHolderEmail: 'pays@example.test' })).body;
  const idle = (await hold(ticketing)).body;
  await ticketing.bus.publish('catalog.events', [postponed(2)]);
  await heard(ticketing, 'postponed');
  expect(await ticketing.rows('select order_id, status from orders order by status')).toEqual([
    { order_id: paying.orderId, status: 'held' },
    { order_id: idle.orderId, status: 'released' },
  ]);
  const late = await startCheckout(ticketing, { orderId: idle.orderId, accessKey: idle.accessKey, quantity: 1 });
  expect(late.status).toBe(409);
  expect((await pay(ticketing, paying.paymentIntentId)).body).toMatchObject({ status: 'fulfilled' });
  await eventually(async () => (await mailsIn(ticketing)).some(({ status }) => status === 'sent'));
  for (const { name, ok } of await invariants(ticketing.deps.pool)) expect(ok, name).toBe(true);
});

test('with late and repeated messages, the newest message is in force', async () => {
  const ticketing = await onSale(10, { version: 1 });
  const [off, on] = [postponed(2), said(3, { eventDate: NEW_DAY })];
  await ticketing.bus.publish('catalog.events', [on, off, { ...off, id: crypto.randomUUID() }, on]);
  await eventually(
    async () => (await ticketing.bus.lag('ticketing.catalog', ['catalog.events']))['catalog.events'] === 0,
  );
  expect(await closed(ticketing)).toBe(null);
  expect(await ticketing.rows('select status, event_date from listings')).toEqual([
    { status: 'published', event_date: new Date(NEW_DAY) },
  ]);
});

test('a postponed event that is canceled refunds every buyer, and stays canceled', async () => {
  const ticketing = await onSale(10, { version: 1 });
  const { body } = await startCheckout(ticketing);
  await pay(ticketing, body.paymentIntentId);
  await ticketing.bus.publish('catalog.events', [
    postponed(2),
    message('catalog.event-canceled', 'event-42', { eventId: 42, ownerId: 7, version: 3 }),
    { ...postponed(2), id: crypto.randomUUID() },
  ]);
  await heard(ticketing, 'canceled');
  await ticketing.reconcile();
  expect(await ticketing.rows('select status from orders')).toEqual([{ status: 'refunding' }]);
  await eventually(
    async () => (await ticketing.bus.lag('ticketing.catalog', ['catalog.events']))['catalog.events'] === 0,
  );
  expect(await ticketing.rows('select status from listings')).toEqual([{ status: 'canceled' }]);
});
