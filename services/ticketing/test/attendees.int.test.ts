import { expect, test } from 'vitest';
import {
  AttendeePage,
  FoundOrder,
  MyTickets,
  Order,
  SalesList,
  type Attendee,
} from '@beltway/contracts/ticketing/tickets';
import { eventually } from '@beltway/kit/testing';
import { call, eventState, message, pay, putOnSale, startCheckout, startTicketing, type Ticketing } from './support.ts';

const ORGANIZER = 7;
const LIST = '/api/events/42/attendees';

async function threeOnSale(): Promise<Ticketing> {
  const ticketing = await startTicketing();
  await putOnSale(
    ticketing,
    eventState(42, 100, { ownerId: ORGANIZER }),
    eventState(43, 100, { ownerId: ORGANIZER }),
    eventState(44, 100, { ownerId: 8 }),
  );
  return ticketing;
}

async function buy(ticketing: Ticketing, name: string, quantity = 1, eventId = 42) {
  const who = { ticketHolderName: name, ticketHolderEmail: `b${Math.random()}@example.test` };
  const { body } = await startCheckout(ticketing, { eventId, quantity, ...who });
  const { paymentIntentId, orderId, accessKey } = body;
  const done = await pay(ticketing, paymentIntentId);
  expect(done.body.status).toBe('fulfilled');
  return { orderId, paymentIntentId, headers: { 'x-order-key': accessKey } };
}

/** Publishes a full refund made in the provider's dashboard. */
const withdraw = ({ bus, rows }: Ticketing, { orderId, paymentIntentId }: Awaited<ReturnType<typeof buy>>) =>
  bus
    .publish('payments.events', [
      message('payments.money-withdrawn', `payment-${orderId}`, {
        ...{
          orderId,
          eventId: 42,
          paymentId: paymentIntentId,
          organizerId: ORGANIZER,
          amountCents: 2550,
          feeCents: 128,
        },
        ...{ buyerId: null, cause: 'refunded-by-provider' },
      }),
    ])
    .then(() =>
      eventually(
        async () => (await rows(`select 1 from orders where order_id = $1 and status = 'refunding'`, [orderId])).length,
      ),
    );

test('an organizer reads attendees page by page: valid tickets first, in order of purchase', async () => {
  const ticketing = await threeOnSale();
  const token = await ticketing.identity.tokenFor({ id: ORGANIZER });
  const orders = [];
  for (const name of ['Ann', 'Bob', 'Cid', 'Dee', 'Eve']) orders.push(await buy(ticketing, name, 2));
  await buy(ticketing, 'Elsewhere', 1, 43);
  await startCheckout(ticketing, { quantity: 1, ticketHolderName: 'Only Held' });
  await withdraw(ticketing, orders[1]!);

  const seen: Attendee[] = [];
  let path = `${LIST}?limit=2`;
  for (;;) {
    const page = AttendeePage.parse((await call(ticketing.url, 'GET', path, { token })).body);
    seen.push(...page.attendees);
    if (page.next === null) break;
    expect(page.attendees).toHaveLength(2);
    path = `${LIST}?limit=2&after=${page.next}`;
  }
  expect(seen.map(({ name, quantity, status, amount }) => [name, quantity, status, amount])).toEqual([
    ...['Ann', 'Cid', 'Dee', 'Eve'].map((name) => [name, 2, 'valid', 51]),
    ['Bob', 2, 'refunding', 51],
  ]);
  const ann = (await call(ticketing.url, 'GET', `/api/orders/${orders[0]!.orderId}`, orders[0]!)).body;
  expect(seen[0]?.orderNumber).toBe(Order.parse(ann).orderNumber);
  expect(JSON.stringify(seen)).not.toMatch(/@example|accessKey|BW1/);

  const search = async (text: string) =>
    (await call(ticketing.url, 'GET', `${LIST}?search=${encodeURIComponent(text)}`, { token })).body.attendees.map(
      ({ name }: Attendee) => name,
    );
  expect(await search('E')).toEqual(['Dee', 'Eve']);
  expect(await search(seen[1]!.orderNumber!.toLowerCase())).toEqual(['Cid']);
  expect(await search('%')).toEqual([]);
  await buy(ticketing, 'José Núñez-O’Brien', 1);
  for (const text of ['nunez', 'NÚÑEZ jose', "o'brien José", 'obrien', 'núñez-o’b'])
    expect(await search(text), text).toEqual(['José Núñez-O’Brien']);
  expect(await search('jose brien')).toEqual([]);
});

test('the CSV file has all attendees, and no name in it is a formula', async () => {
  const ticketing = await threeOnSale();
  const token = await ticketing.identity.tokenFor({ id: ORGANIZER });
  await buy(ticketing, '=HYPERLINK("https://evil.test","Ann")');
  await buy(ticketing, 'Zoë, "Z"', 3);
  const file = await call(ticketing.url, 'GET', `${LIST}.csv`, { token });
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="attendees-42.csv"');
  expect(file.headers.get('cache-control')).toBe('private, no-store');
  const lines = String(file.body).trim().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain(`"'=HYPERLINK(""https://evil.test"",""Ann"")","1","valid","25.50"`);
  expect(lines[2]).toContain('"Zoë, ""Z""","3","valid","76.50"');
});

test('only the organizer reads attendees', async () => {
  const ticketing = await threeOnSale();
  await buy(ticketing, 'Ann');
  const others = {
    another: await ticketing.identity.tokenFor({ id: 8, role: 'business' }),
    admin: await ticketing.identity.tokenFor({ id: 9, role: 'admin' }),
  };
  for (const path of [LIST, `${LIST}.csv`]) {
    expect((await call(ticketing.url, 'GET', path)).status, path).toBe(401);
    for (const token of Object.values(others)) {
      const refused = await call(ticketing.url, 'GET', path, { token });
      expect([refused.status, JSON.stringify(refused.body)], path).toEqual([403, expect.not.stringContaining('Ann')]);
    }
  }
  const token = await ticketing.identity.tokenFor({ id: ORGANIZER });
  const status = async (path: string) => (await call(ticketing.url, 'GET', path, { token })).status;
  expect(await status('/api/events/999/attendees')).toBe(404);
  expect(await status(`${LIST}?after=rubbish`)).toBe(400);
  const uuid = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
  const at = '1795341600123456';
  for (const parts of [
    ['fulfilled', 'x', 'y'],
    ['fulfilled', '1x', uuid],
    // PostgreSQL does not accept this date.
    ['fulfilled', '2026-19-39 29:00:00+00', uuid],
    ['a', at, '-'.repeat(36)],
    ['\0', at, uuid],
  ])
    expect(await status(`${LIST}?after=${Buffer.from(JSON.stringify(parts)).toString('base64url')}`)).toBe(400);
  const last = Buffer.from(JSON.stringify(['fulfilled', '9'.repeat(17), uuid])).toString('base64url');
  expect(await status(`${LIST}?after=${last}`)).toBe(200);
  // Invisible characters in a search are ignored.
  for (const search of ['A%00nn', '%E2%80%AEAnn', 'Ann%0A']) {
    const { body } = await call(ticketing.url, 'GET', `${LIST}?search=${search}`, { token });
    expect(JSON.stringify(body), search).toContain('"Ann"');
  }
  expect(await status(`${LIST}?limit=5000`)).toBe(400);
});

test('revenue is the money paid: at the price of each order, without refunds, including the fee', async () => {
  const ticketing = await threeOnSale();
  const token = await ticketing.identity.tokenFor({ id: ORGANIZER });
  const sales = async () => SalesList.parse((await call(ticketing.url, 'GET', '/api/tickets/sales', { token })).body);
  expect(await sales()).toEqual([]);
  const first = await buy(ticketing, 'Ann', 2);
  await buy(ticketing, 'Other', 1, 44);
  // The price rises; earlier orders keep their price.
  await ticketing.bus.publish('catalog.events', [
    message('catalog.event-updated', 'event-42', eventState(42, 100, { priceCents: 3010, version: 2 })),
  ]);
  await eventually(
    async () =>
      (await ticketing.rows('select 1 from availability where event_id = 42 and price_cents = 3010')).length === 1,
  );
  await buy(ticketing, 'Bob', 1);
  await buy(ticketing, 'Cid', 1);
  expect(await sales()).toEqual([
    // Fees of 2.55, 1.51 (150.5 cents) and 1.51, rounded per order as in payments.
    { eventId: 42, orders: 3, tickets: 4, revenue: 111.2, fee: 5.57, share: 105.63 },
  ]);
  await withdraw(ticketing, first);
  expect(await sales()).toEqual([{ eventId: 42, orders: 2, tickets: 2, revenue: 60.2, fee: 3.02, share: 57.18 }]);
  expect((await call(ticketing.url, 'GET', '/api/tickets/sales')).status).toBe(401);
});

test('every order has a short number that is shown everywhere, and support finds the order by this number', async () => {
  const ticketing = await threeOnSale();
  const { url, identity, rows } = ticketing;
  const one = await buy(ticketing, 'Ann', 2);
  const two = await buy(ticketing, 'Bob');
  const read = async (order: typeof one) =>
    Order.parse((await call(url, 'GET', `/api/orders/${order.orderId}`, order)).body);
  const { orderNumber, tickets } = await read(one);
  expect(orderNumber).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
  expect(tickets.map((ticket) => ticket.orderNumber)).toEqual([orderNumber, orderNumber]);
  expect((await read(two)).orderNumber).not.toBe(orderNumber);

  const buyer = await identity.tokenFor({ id: 3 });
  await call(url, 'POST', `/api/orders/${one.orderId}/claim`, { token: buyer, headers: one.headers });
  const mine = MyTickets.parse((await call(url, 'GET', '/api/tickets/my-tickets', { token: buyer })).body);
  expect(mine.map(({ ticket }) => ticket.orderNumber)).toEqual([orderNumber, orderNumber]);

  const admin = await identity.tokenFor({ id: 1, role: 'admin' });
  const find = (number: string, token = admin) =>
    call(url, 'GET', `/api/orders?number=${encodeURIComponent(number)}`, { token });
  const found = await find(orderNumber!.replace('-', '').toLowerCase());
  expect(FoundOrder.parse(found.body)).toMatchObject({ orderId: one.orderId, orderNumber, ticketHolderName: 'Ann' });
  expect(JSON.stringify(found.body)).not.toMatch(/BW1\.|accessKey|ticketCode/);
  expect((await find('not one')).body.code).toBe('bad-order-number');
  await rows('update checkouts set number = 12 where number = 11');
  expect((await find('0000-000B')).status).toBe(404);
  expect((await find(orderNumber!, buyer)).status).toBe(403);
  expect((await call(url, 'GET', `/api/orders?number=${orderNumber}`)).status).toBe(401);
});

test('if a random number is already used, another number is drawn', async () => {
  const ticketing = await threeOnSale();
  const { rows } = ticketing;
  await rows('create sequence draws');
  await rows(`alter table checkouts alter column number set default (nextval('draws') / 2)`);
  // The sequence gives 0 (1 / 2), then 1 twice (2 / 2, 3 / 2), then 2, so the third order first draws a number that is
  // taken.
  const orders = [await buy(ticketing, 'Ann'), await buy(ticketing, 'Bob'), await buy(ticketing, 'Cid')];
  const numbers = await rows('select number::int from checkouts order by number');
  expect(numbers.map(({ number }) => number)).toEqual([0, 1, 2]);
  expect(orders).toHaveLength(3);
});
