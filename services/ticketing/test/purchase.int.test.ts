import { expect, test } from 'vitest';
import { Hold, MyTickets, Order, TicketPaymentIntent } from '@beltway/contracts/ticketing/tickets';
import { eventually } from '@beltway/kit/testing';
import { rebuild } from '../src/rebuild.ts';
import { isGenuine } from '../src/ticket/signing.ts';
import {
  call,
  eventState,
  lapseHold,
  message,
  onSale,
  pay,
  startCheckout,
  stockOf,
  type Ticketing,
  mailsIn,
  wereSent,
} from './support.ts';

const MINUTE = 60_000;

const heard = async ({ bus }: Ticketing, type: string) => {
  const found: Array<{ id: string; data: Record<string, unknown> }> = [];
  await bus.replay('ticketing.events', async (batch) => {
    for (const { message: one } of batch) if ((one as { type: string }).type === type) found.push(one as never);
  });
  return found;
};

test('a signed-in buyer holds, pays and finds one ticket per admission', async () => {
  const ticketing = await onSale(5);
  const token = await ticketing.identity.tokenFor({ id: 3 });
  const intent = await startCheckout(ticketing, { quantity: 2 }, { token });
  expect(intent.status).toBe(200);
  const { paymentIntentId, amount, orderId } = TicketPaymentIntent.parse(intent.body);
  expect(amount).toBe(5100);
  expect(await stockOf(ticketing)).toEqual({ sold: 0, held: 2, capacity: 5 });

  const early = await call(ticketing.url, 'POST', '/api/process-ticket-purchase', { token, body: { paymentIntentId } });
  expect(early.body.status).toBe('held');
  ticketing.fake.become(paymentIntentId, 'succeeded');
  const done = await call(ticketing.url, 'POST', '/api/process-ticket-purchase', { token, body: { paymentIntentId } });
  expect(done.body).toEqual({ orderId, status: 'fulfilled', eventId: 42, eventTitle: 'Night 42', quantity: 2 });
  expect(await stockOf(ticketing)).toEqual({ sold: 2, held: 0, capacity: 5 });

  const mine = MyTickets.parse((await call(ticketing.url, 'GET', '/api/tickets/my-tickets', { token })).body);
  expect(mine.map(({ ticket }) => [ticket.price, ticket.ticketHolderName, ticket.isCheckedIn])).toEqual([
    [25.5, 'Ann', false],
    [25.5, 'Ann', false],
  ]);
  expect(new Set(mine.map(({ ticket }) => ticket.ticketCode)).size).toBe(2);
  const { publicKey } = (await call(ticketing.url, 'GET', '/api/tickets/signing-key')).body;
  for (const { ticket } of mine) {
    const qrText = ticket.qrCode ?? '';
    expect(isGenuine(qrText, publicKey)).toBe(true);
    expect(isGenuine(qrText.replace('.42.', '.43.'), publicKey)).toBe(false);
  }
  expect((await call(ticketing.url, 'GET', '/api/tickets/stats')).body).toEqual({
    totalTicketsSold: 2,
    totalRevenue: 51,
    totalEvents: 1,
  });
});

test('the list of one’s own tickets has the newest 200 and stays below 256 KB', async () => {
  const ticketing = await onSale(5);
  const buyer = await ticketing.identity.tokenFor({ id: 3 });
  await ticketing.rows(
    `with sold as (
       insert into orders (order_id, event_id, quantity, lines, total_cents, buyer_id, status, held_at, hold_until)
       select gen_random_uuid(), 42, 10, '[]', 25500, 3, 'fulfilled', now() - n * interval '1 minute', now() from generate_series(1, 25) n
       returning order_id, held_at
     ), named as (
       insert into checkouts (order_id, holder_name, holder_email) select order_id, repeat('Ann ', 20), 'ann@example.test' from sold
     )
     insert into tickets (id, order_id, event_id, code, ordinal, type, price_cents, sold_at)
     select gen_random_uuid(), order_id, 42, gen_random_uuid()::text, n, 'general', 2550, held_at from sold, generate_series(1, 10) n`,
  );
  const answer = await fetch(`${ticketing.url}/api/tickets/my-tickets`, {
    headers: { authorization: `Bearer ${buyer}` },
  });
  const text = await answer.text();
  const mine = MyTickets.parse(JSON.parse(text));
  expect(mine).toHaveLength(200);
  const newest = await ticketing.rows('select order_id from orders order by held_at desc limit 20');
  expect([...new Set(mine.map(({ ticket }) => ticket.orderId))]).toEqual(newest.map((row) => row['order_id']));
  expect(Buffer.byteLength(text)).toBeLessThan(262_144);
});

test('browser, webhook and the job for lapsed payments lead to one sale, in any order and number', async () => {
  const ticketing = await onSale(5);
  const { body } = await startCheckout(ticketing, { quantity: 1 });
  const { paymentIntentId, orderId } = body;
  ticketing.fake.become(paymentIntentId, 'succeeded');
  const webhook = message('payments.payment-succeeded', orderId, {
    paymentId: paymentIntentId,
    orderId,
    eventId: 42,
    amountCents: 2550,
  });
  const other = { ...webhook, id: crypto.randomUUID() };
  ticketing.time.offsetMs = 11 * MINUTE; // the hold has lapsed
  await Promise.all([
    call(ticketing.url, 'POST', '/api/process-ticket-purchase', { body: { paymentIntentId } }),
    ticketing.bus.publish('payments.events', [webhook, webhook, other]),
    ticketing.reconcile(),
    ticketing.reconcile(),
    call(ticketing.url, 'POST', '/api/process-ticket-purchase', { body: { paymentIntentId } }),
  ]);
  await eventually(
    async () => (await ticketing.bus.lag('ticketing.payments', ['payments.events']))['payments.events'] === 0,
  );
  expect(await ticketing.rows('select count(*)::int as n from tickets')).toEqual([{ n: 1 }]);
  expect(await ticketing.rows(`select count(*)::int as n from events where type = 'TicketsSold'`)).toEqual([{ n: 1 }]);
  const published = await eventually(async () => {
    const found = await heard(ticketing, 'ticketing.ticket-purchased');
    return found.length > 0 && found;
  });
  expect(new Set(published.map(({ id }) => id)).size).toBe(1);
  await eventually(() => wereSent(ticketing, 1));
  expect(await mailsIn(ticketing)).toMatchObject([{ kind: 'tickets', attempts: 1 }]);
});

test('a payment that arrives after the hold has lapsed is fulfilled if enough tickets are left', async () => {
  const ticketing = await onSale(1);
  const { body } = await startCheckout(ticketing, { quantity: 1 });
  const { sales } = ticketing.deps;
  await sales.handle(
    42,
    {
      type: 'ReleaseHold',
      orderId: body.orderId,
      reason: 'given-back',
      at: new Date().toISOString(),
      closedPaymentId: body.paymentIntentId,
    },
    { commandId: crypto.randomUUID() },
  );
  ticketing.fake.become(body.paymentIntentId, 'succeeded');
  const done = await call(ticketing.url, 'POST', '/api/process-ticket-purchase', {
    body: { paymentIntentId: body.paymentIntentId },
  });
  expect(done.body.status).toBe('fulfilled');
  expect(await stockOf(ticketing)).toEqual({ sold: 1, held: 0, capacity: 1 });
});

test('a payment that arrives too late for the last ticket is refunded once, and the buyer gets a mail', async () => {
  const ticketing = await onSale(1);
  const late = (await startCheckout(ticketing, { quantity: 1 })).body;
  ticketing.time.offsetMs = 11 * MINUTE;
  await lapseHold(ticketing, late);
  const quick = (await startCheckout(ticketing, { quantity: 1 })).body;
  for (const { paymentIntentId } of [quick, late]) ticketing.fake.become(paymentIntentId, 'succeeded');
  const first = await call(ticketing.url, 'POST', '/api/process-ticket-purchase', {
    body: { paymentIntentId: quick.paymentIntentId },
  });
  const answers = [];
  for (let times = 0; times < 3; times++)
    answers.push(
      (
        await call(ticketing.url, 'POST', '/api/process-ticket-purchase', {
          body: { paymentIntentId: late.paymentIntentId },
        })
      ).body.status,
    );
  expect([first.body.status, ...answers]).toEqual(['fulfilled', 'refunding', 'refunding', 'refunding']);
  const refunds = await eventually(async () => {
    const found = await heard(ticketing, 'ticketing.refund-requested');
    return found.length > 0 && found;
  });
  expect(refunds.map(({ data }) => data)).toEqual([
    {
      eventId: 42,
      orderId: late.orderId,
      quantity: 1,
      paymentId: late.paymentIntentId,
      amountCents: 2550,
      reason: 'too-late',
      requestId: null,
    },
  ]);
  await ticketing.bus.publish('payments.events', [
    message('payments.payment-refunded', late.orderId, {
      paymentId: late.paymentIntentId,
      orderId: late.orderId,
      eventId: 42,
      amountCents: 2550,
      refundId: 're_1',
    }),
  ]);
  const order = await eventually(async () => {
    const answer = await call(ticketing.url, 'GET', `/api/orders/${late.orderId}`, {
      headers: { 'x-order-key': late.accessKey },
    });
    return answer.body.status === 'refunded' && Order.parse(answer.body);
  });
  expect(order.tickets).toEqual([]);
  await eventually(() => wereSent(ticketing, 1, 'too-late'));
});

test.each(['page', 'message', 'lapsed hold'])('too little money buys nothing if the %s reports it', async (way) => {
  const ticketing = await onSale(3);
  const { orderId, paymentIntentId, accessKey } = (await startCheckout(ticketing)).body;
  ticketing.fake.intents.get(paymentIntentId)!.amountCents = 5099;
  ticketing.fake.become(paymentIntentId, 'succeeded');
  const facts = { paymentId: paymentIntentId, orderId, eventId: 42, amountCents: 5099 };
  if (way === 'message')
    await ticketing.bus.publish('payments.events', [message('payments.payment-succeeded', orderId, facts)]);
  if (way === 'lapsed hold') {
    ticketing.time.offsetMs = 11 * MINUTE;
    await ticketing.reconcile();
  }
  if (way === 'page') {
    const answer = await call(ticketing.url, 'POST', '/api/process-ticket-purchase', { body: { paymentIntentId } });
    expect(answer.body.status).toBe('refunding');
  }
  const look = () => call(ticketing.url, 'GET', `/api/orders/${orderId}`, { headers: { 'x-order-key': accessKey } });
  const order = await eventually(async () => {
    const { body } = await look();
    return body.status === 'refunding' && Order.parse(body);
  });
  expect(order.tickets).toEqual([]);
  expect(order.refunds).toMatchObject([{ cause: 'underpaid', amount: 5099, state: 'requested' }]);
  expect(await stockOf(ticketing)).toEqual({ sold: 0, held: 0, capacity: 3 });
  const [asked] = await eventually(async () => {
    const found = await heard(ticketing, 'ticketing.refund-requested');
    return found.length > 0 && found;
  });
  expect(asked!.data).toMatchObject({ ...facts, reason: 'underpaid' });
  await eventually(async () => (await mailsIn(ticketing, 'underpaid')).length === 1);
});

test('a hold expires after ten minutes, but not before its payment was checked at the provider', async () => {
  const ticketing = await onSale(3);
  const paid = (await startCheckout(ticketing, { quantity: 1 })).body;
  const unpaid = (await startCheckout(ticketing, { quantity: 1 })).body;
  const bare = Hold.parse(
    (await call(ticketing.url, 'POST', '/api/holds', { body: { eventId: 42, quantity: 1 } })).body,
  );
  ticketing.fake.become(paid.paymentIntentId, 'succeeded');
  ticketing.time.offsetMs = 9 * MINUTE;
  await ticketing.reconcile();
  expect(await stockOf(ticketing)).toEqual({ sold: 0, held: 3, capacity: 3 });
  ticketing.time.offsetMs = 11 * MINUTE;
  ticketing.fake.state.down = true;
  await ticketing.reconcile();
  // While payments is down, holds that may have been paid stay. Only holds without a payment are released.
  expect(await stockOf(ticketing)).toEqual({ sold: 0, held: 2, capacity: 3 });
  ticketing.fake.state.down = false;
  await ticketing.reconcile();
  expect(await stockOf(ticketing)).toEqual({ sold: 1, held: 0, capacity: 3 });
  expect(ticketing.fake.intents.get(unpaid.paymentIntentId)?.status).toBe('canceled');
  expect(await ticketing.rows('select order_id, status from orders order by status')).toEqual(
    expect.arrayContaining([
      { order_id: paid.orderId, status: 'fulfilled' },
      { order_id: unpaid.orderId, status: 'expired' },
      { order_id: bare.orderId, status: 'expired' },
    ]),
  );
});

test('a hold can be extended once by ten minutes, and once by ten more after a decline', async () => {
  const ticketing = await onSale(3);
  const hold = Hold.parse(
    (await call(ticketing.url, 'POST', '/api/holds', { body: { eventId: 42, quantity: 1 } })).body,
  );
  const extend = () =>
    call(ticketing.url, 'POST', `/api/holds/${hold.orderId}/extension`, { headers: { 'x-order-key': hold.accessKey } });
  const [once, again] = [await extend(), await extend()];
  expect(Date.parse(once.body.holdUntil) - Date.parse(hold.holdUntil)).toBe(10 * MINUTE);
  expect(again.body.holdUntil).toBe(once.body.holdUntil); // the same request, sent twice
  expect(once.body.extendable).toBe(false);
  ticketing.time.offsetMs = 15 * MINUTE;
  const declined = () =>
    ticketing.bus.publish('payments.events', [
      message('payments.payment-failed', hold.orderId, {
        paymentId: 'pi_declined',
        orderId: hold.orderId,
        eventId: 42,
        amountCents: 2550,
        code: 'card_declined',
      }),
    ]);
  await declined();
  const order = await eventually(async () => {
    const { body } = await call(ticketing.url, 'GET', `/api/orders/${hold.orderId}`, {
      headers: { 'x-order-key': hold.accessKey },
    });
    return body.holdUntil !== once.body.holdUntil && body;
  });
  expect(Math.abs(Date.parse(order.holdUntil) - Date.now() - 25 * MINUTE)).toBeLessThan(MINUTE);
  await declined();
  await eventually(
    async () => (await ticketing.bus.lag('ticketing.payments', ['payments.events']))['payments.events'] === 0,
  );
  expect(
    (await call(ticketing.url, 'GET', `/api/orders/${hold.orderId}`, { headers: { 'x-order-key': hold.accessKey } }))
      .body.holdUntil,
  ).toBe(order.holdUntil);
});

test('while payments is down, a hold made by the payment request is released, and an earlier hold stays', async () => {
  const ticketing = await onSale(3);
  ticketing.fake.state.down = true;
  const failed = await startCheckout(ticketing, { quantity: 2 });
  expect([failed.status, failed.body.code, failed.headers.get('retry-after')]).toEqual([503, 'unavailable', '2']);
  expect(await stockOf(ticketing)).toEqual({ sold: 0, held: 0, capacity: 3 });
  const hold = Hold.parse(
    (await call(ticketing.url, 'POST', '/api/holds', { body: { eventId: 42, quantity: 2 } })).body,
  );
  const held = { orderId: hold.orderId, accessKey: hold.accessKey };
  expect((await startCheckout(ticketing, held)).status).toBe(503);
  expect(await stockOf(ticketing)).toEqual({ sold: 0, held: 2, capacity: 3 });
  ticketing.fake.state.down = false;
  expect((await startCheckout(ticketing, held)).status).toBe(200);
});

test('canceling an event refunds every buyer and stops sales', async () => {
  const ticketing = await onSale(5);
  const bought = (await startCheckout(ticketing, { quantity: 2 })).body;
  await pay(ticketing, bought.paymentIntentId);
  const open = (await startCheckout(ticketing, { quantity: 1 })).body;
  await ticketing.bus.publish('catalog.events', [
    message('catalog.event-canceled', 'event-42', { eventId: 42, ownerId: 7, version: 9 }),
  ]);
  await eventually(async () => (await stockOf(ticketing)).held === 0);
  await ticketing.reconcile();
  await ticketing.reconcile();
  ticketing.fake.become(open.paymentIntentId, 'succeeded');
  expect(
    (
      await call(ticketing.url, 'POST', '/api/process-ticket-purchase', {
        body: { paymentIntentId: open.paymentIntentId },
      })
    ).body.status,
  ).toBe('refunding');
  const refunds = await eventually(async () => {
    const found = await heard(ticketing, 'ticketing.refund-requested');
    return found.length === 2 && found;
  });
  expect(refunds.map(({ data }) => data['amountCents']).sort()).toEqual([2550, 5100]);
  expect((await call(ticketing.url, 'POST', '/api/holds', { body: { eventId: 42, quantity: 1 } })).body.code).toBe(
    'not-on-sale',
  );
  expect(await ticketing.rows('select from tickets where refund_id is null')).toEqual([]);
});

test('after the organizer lowers the capacity, the stock shrinks to it as holds lapse, and no further', async () => {
  const ticketing = await onSale(7);
  const holds = [];
  for (const quantity of [4, 2])
    holds.push((await call(ticketing.url, 'POST', '/api/holds', { body: { eventId: 42, quantity } })).body);
  await ticketing.bus.publish('catalog.events', [
    message('catalog.event-updated', 'event-42', eventState(42, 5, { title: 'Fewer chairs', version: 2 })),
  ]);
  await eventually(async () => (await stockOf(ticketing)).capacity === 5);
  const first = async (quantity: number) =>
    (await call(ticketing.url, 'POST', '/api/holds', { body: { eventId: 42, quantity } })).body.code;
  expect(await first(1)).toBe('all-held');
  await call(ticketing.url, 'DELETE', `/api/holds/${holds[1].orderId}`, {
    headers: { 'x-order-key': holds[1].accessKey },
  });
  expect(await first(2)).toBe('not-enough-left');
  expect(await first(1)).toBe(undefined);
  expect(await first(1)).toBe('all-held');
  expect(await stockOf(ticketing)).toEqual({ sold: 0, held: 5, capacity: 5 });
  const { tables } = await rebuild(ticketing.databaseUrl);
  for (const { table, before, after } of tables) expect(after, table).toBe(before);
});
