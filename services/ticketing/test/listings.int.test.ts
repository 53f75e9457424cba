import { expect, test } from 'vitest';
import type { EventState } from '@beltway/contracts/catalog/events';
import { eventually } from '@beltway/kit/testing';
import { invariants } from '../src/invariants.ts';
import { call, eventState, message, startCheckout, startTicketing } from './support.ts';

test('an old message that is repeated after a newer message changes nothing', async () => {
  const { bus, rows } = await startTicketing();
  const published = message('catalog.event-published', 'event-42', eventState(42, 5, { title: 'First Title' }));
  const updated = message(
    'catalog.event-updated',
    'event-42',
    eventState(42, 9, { title: 'Second Title', version: 2 }),
  );
  const canceled = message('catalog.event-canceled', 'event-42', { eventId: 42, ownerId: 7, version: 9 });
  // Repeats a batch, as a relay does that lost its lease. The last message shows that all messages before it were
  // handled.
  await bus.publish('catalog.events', [published, updated, published, canceled]);
  await eventually(async () => (await rows(`select 1 from availability where closed = 'canceled'`)).length === 1);
  expect(await rows('select title, status from listings')).toEqual([{ title: 'Second Title', status: 'canceled' }]);
  expect(await rows('select capacity, closed from availability')).toEqual([{ capacity: 9, closed: 'canceled' }]);
});

let guard = 1_000;
/** Publishes the messages in order; resolves when the last one was handled. */
async function tell(ticketing: Awaited<ReturnType<typeof startTicketing>>, messages: ReturnType<typeof message>[]) {
  const last = message('catalog.event-published', 'event-42', eventState(++guard, 1));
  await ticketing.bus.publish('catalog.events', [...messages, last]);
  const { eventId } = last.data as EventState;
  await eventually(
    async () => (await ticketing.rows('select 1 from availability where event_id = $1', [eventId])).length === 1,
  );
}

test('if the first message is repeated after a changed title and a higher price, the price stays', async () => {
  const ticketing = await startTicketing();
  const said = (version: number, change: Partial<EventState>) =>
    message('catalog.event-updated', 'event-42', eventState(42, 9, { version, priceCents: 2500, ...change }));
  const opened = said(1, {});
  const titled = said(2, { title: 'Second Title' });
  const dearer = said(3, { title: 'Second Title', priceCents: 5000 });
  // A repeat with the same id, as after a consumer's crash, and one with another id, which no service should send.
  await tell(ticketing, [opened, titled, dearer, titled, said(2, { title: 'Second Title' }), opened]);
  expect(await ticketing.rows('select price_cents from availability where event_id = 42')).toEqual([
    { price_cents: 5000 },
  ]);
  expect(await ticketing.rows('select title, catalog_version from listings where event_id = 42')).toEqual([
    { title: 'Second Title', catalog_version: 3 },
  ]);
});

test('an event that arrives after its cancellation is not sold, and is listed as canceled', async () => {
  const ticketing = await startTicketing();
  const published = message('catalog.event-published', 'event-42', eventState(42, 9, { version: 1, title: 'Night' }));
  const canceled = message('catalog.event-canceled', 'event-42', { eventId: 42, ownerId: 7, version: 2 });
  await tell(ticketing, [canceled, published, canceled]);
  expect(await ticketing.rows('select 1 from availability where event_id = 42')).toEqual([]);
  expect(await ticketing.rows('select title, status from listings where event_id = 42')).toEqual([
    { title: 'Night', status: 'canceled' },
  ]);
  const hold = await call(ticketing.url, 'POST', '/api/holds', { body: { eventId: 42, quantity: 1 } });
  expect(hold).toMatchObject({ status: 409, body: { code: 'not-on-sale' } });
  for (const { name, ok } of await invariants(ticketing.deps.pool)) expect(ok, name).toBe(true);
});

test('a dead letter that is replayed after newer messages changes nothing', async () => {
  const ticketing = await startTicketing();
  const said = (version: number, priceCents: number) =>
    message('catalog.event-updated', 'event-42', eventState(42, 9, { version, priceCents }));
  const canceled = message('catalog.event-canceled', 'event-43', { eventId: 43, ownerId: 7, version: 2 });
  await tell(ticketing, [said(3, 5000), canceled]);
  const parked = [said(2, 2500), message('catalog.event-published', 'event-43', eventState(43, 9, { version: 1 }))];
  await ticketing.bus.publish('ticketing.catalog.retries', parked);
  await eventually(
    async () =>
      (await ticketing.bus.lag('ticketing.catalog', ['ticketing.catalog.retries']))['ticketing.catalog.retries'] === 0,
  );
  expect(
    await ticketing.rows('select event_id, price_cents, closed from availability where event_id in (42, 43)'),
  ).toEqual([{ event_id: 42, price_cents: 5000, closed: null }]);
});

test('a hold for an event that ticketing does not know yet gets 503, and succeeds after ticketing has received the event', async () => {
  const ticketing = await startTicketing();
  const hold = () => call(ticketing.url, 'POST', '/api/holds', { body: { eventId: 42, quantity: 1 } });
  const early = await hold();
  expect([early.status, early.headers.get('retry-after'), early.body.code]).toEqual([503, '1', 'unavailable']);
  const checkout = await startCheckout(ticketing);
  expect([checkout.status, checkout.headers.get('retry-after')]).toEqual([503, '1']);
  expect((await call(ticketing.url, 'GET', '/api/events/42/availability')).status).toBe(503);
  await tell(ticketing, [message('catalog.event-published', 'event-42', eventState(42, 9, { version: 1 }))]);
  expect((await hold()).status).toBe(201);
});

test('an event that does not exist is not on sale: the response is immediate if its id is far from the newest id, and takes ten seconds near it', async () => {
  const ticketing = await startTicketing();
  await tell(ticketing, []);
  const hold = async (eventId: number) =>
    (await call(ticketing.url, 'POST', '/api/holds', { body: { eventId, quantity: 1 } })).body.code as string;
  expect(await hold(guard + 100_000)).toBe('not-on-sale');
  expect(await hold(guard + 1)).toBe('unavailable');
  ticketing.time.offsetMs += 10_000;
  expect(await hold(guard + 1)).toBe('not-on-sale');
  expect((await call(ticketing.url, 'GET', `/api/events/${guard + 1}/availability`)).status).toBe(404);
});

test('an event without tickets is reported as not on sale after ticketing has received it', async () => {
  const ticketing = await startTicketing();
  const free = eventState(42, 9, { version: 1, hasTickets: false, salesEnabled: false });
  await tell(ticketing, [message('catalog.event-published', 'event-42', free)]);
  const hold = await call(ticketing.url, 'POST', '/api/holds', { body: { eventId: 42, quantity: 1 } });
  expect(hold).toMatchObject({ status: 409, body: { code: 'not-on-sale' } });
});
