import { expect, test } from 'vitest';
import type { EventState } from '@beltway/contracts/catalog/events';
import { Order } from '@beltway/contracts/ticketing/tickets';
import { eventually } from '@beltway/kit/testing';
import { invariants } from '../src/invariants.ts';
import { rebuild } from '../src/rebuild.ts';
import { call, eventState, mailsIn, message, onSale, pay, startCheckout, type Ticketing } from './support.ts';

const said = (version: number, change: Partial<EventState> = {}) =>
  message('catalog.event-updated', 'event-42', eventState(42, 10, { version, ...change }));
const suspended = (version: number, more: Partial<EventState> = {}) =>
  said(version, { isSuspended: true, salesEnabled: false, ...more });

const closed = async ({ rows }: Ticketing) =>
  (await rows('select closed from availability where event_id = 42'))[0]?.['closed'];
const heard = (ticketing: Ticketing, state: string | null) =>
  eventually(async () => (await closed(ticketing)) === state);
const hold = ({ url }: Ticketing) => call(url, 'POST', '/api/holds', { body: { eventId: 42, quantity: 1 } });

test('a suspended event sells nothing and its tickets stay valid; the sale resumes when the suspension ends', async () => {
  const ticketing = await onSale(10, { version: 1 });
  const token = await ticketing.identity.tokenFor({ id: 3 });
  const { body } = await startCheckout(ticketing, {}, { token });
  await pay(ticketing, body.paymentIntentId, { token });
  await ticketing.bus.publish('catalog.events', [suspended(2)]);
  await heard(ticketing, 'suspended');

  expect(await hold(ticketing)).toMatchObject({ status: 409, body: { code: 'event-suspended' } });
  const order = async () =>
    Order.parse((await call(ticketing.url, 'GET', `/api/orders/${body.orderId}`, { token })).body);
  expect(await order()).toMatchObject({ status: 'fulfilled', event: { status: 'published', isSuspended: true } });
  expect((await order()).tickets.map(({ status, qrCode }) => [status, qrCode !== null])).toEqual([
    ['valid', true],
    ['valid', true],
  ]);

  await ticketing.bus.publish('catalog.events', [said(3)]);
  await heard(ticketing, null);
  expect(await order()).toMatchObject({ event: { isSuspended: false } });
  expect((await hold(ticketing)).status).toBe(201);
  const { tables } = await rebuild(ticketing.databaseUrl);
  for (const { table, before, after } of tables) expect(after, table).toBe(before);
});

test('a payment in progress completes, a hold without one is released, and no payment starts for it', async () => {
  const ticketing = await onSale(10, { version: 1 });
  const paying = (await startCheckout(ticketing, { ticketHolderEmail: 'pays@example.test' })).body;
  const idle = (await hold(ticketing)).body;
  await ticketing.bus.publish('catalog.events', [suspended(2)]);
  await heard(ticketing, 'suspended');
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
  const [off, on] = [suspended(2), said(3)];
  await ticketing.bus.publish('catalog.events', [on, off, { ...off, id: crypto.randomUUID() }, on]);
  await eventually(
    async () => (await ticketing.bus.lag('ticketing.catalog', ['catalog.events']))['catalog.events'] === 0,
  );
  expect(await closed(ticketing)).toBe(null);
  expect(await ticketing.rows('select is_suspended from listings')).toEqual([{ is_suspended: false }]);
});

test('the sale of a suspended and postponed event opens only after the suspension has ended and the event has a date', async () => {
  const ticketing = await onSale(10, { version: 1 });
  const postponed = { isPostponed: true as const, salesEnabled: false };
  await ticketing.bus.publish('catalog.events', [suspended(2, postponed)]);
  await heard(ticketing, 'suspended');
  await ticketing.bus.publish('catalog.events', [said(3, postponed)]);
  await heard(ticketing, 'postponed');
  expect(await hold(ticketing)).toMatchObject({ status: 409, body: { code: 'event-postponed' } });
  await ticketing.bus.publish('catalog.events', [said(4)]);
  await heard(ticketing, null);
});
