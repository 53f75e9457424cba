import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { FoundOrders, TimelineOf } from '@beltway/contracts/ops/timelines';
import { eventually } from '@beltway/kit/testing';
import { call, message, onSale, pay, startCheckout, TOKEN, type Ticketing } from './support.ts';

const internal = { 'x-internal-token': TOKEN };
const find = async ({ url }: Ticketing, q: string, cursor?: string) =>
  FoundOrders.parse(
    (await call(url, 'POST', '/internal/ops/search', { headers: internal, body: { q, ...(cursor && { cursor }) } }))
      .body,
  );
const timeline = async ({ url }: Ticketing, id: string) =>
  TimelineOf.parse((await call(url, 'GET', `/internal/ops/timelines/${id}`, { headers: internal })).body);

async function bought(ticketing: Ticketing, email = 'ann@example.test', quantity = 2) {
  const checkout = await startCheckout(ticketing, { quantity, ticketHolderEmail: email });
  const { orderId, paymentIntentId, accessKey } = checkout.body as Record<string, string>;
  expect((await pay(ticketing, paymentIntentId!)).body.status).toBe('fulfilled');
  return { orderId: orderId!, paymentId: paymentIntentId!, headers: { 'x-order-key': accessKey! } };
}

test('an order is found by its id and number, a ticket’s id and code, its refund, its intent and its buyer’s email address', async () => {
  const ticketing = await onSale(20);
  const { orderId, paymentId, headers } = await bought(ticketing);
  await bought(ticketing, 'bob@example.test');
  const order = (await call(ticketing.url, 'GET', `/api/orders/${orderId}`, { headers })).body;
  const [ticket] = order.tickets as Array<{ id: string; ticketCode: string }>;
  const token = await ticketing.identity.tokenFor({ id: 7 });
  const { refund } = (
    await call(ticketing.url, 'POST', `/api/orders/${orderId}/refund`, { token, body: { ticketIds: [ticket!.id] } })
  ).body as { refund: { id: string } };
  const number = order.orderNumber as string;
  for (const q of [
    ...[orderId, orderId.toUpperCase(), number, number.toLowerCase().replace('-', ''), paymentId, refund.id],
    ...[ticket!.id, ticket!.ticketCode, ticket!.ticketCode.toLowerCase().replaceAll('-', ' ')],
    ...['ann@example.test', 'ANN@Example.test'],
  ])
    expect((await find(ticketing, q)).orders, q).toMatchObject([
      { orderId, orderNumber: number, eventId: 42, quantity: 2, amountCents: 5100, eventTitle: 'Night 42' },
    ]);
  // Part of an address, or a similar text, does not find a buyer.
  for (const q of [
    'nn@example.test',
    'ann@example',
    '%@example.test',
    'ann_example.test',
    '@',
    randomUUID(),
    'pi_unknown',
  ])
    expect(await find(ticketing, q), q).toEqual({ orders: [], nextCursor: null });
  expect(JSON.stringify(await find(ticketing, orderId))).not.toMatch(/ann@|Ann/);
});

test('the orders of an email address come page by page, each order once, newest first', async () => {
  const ticketing = await onSale(60);
  const { orderId } = await bought(ticketing, 'ann@example.test', 1);
  await ticketing.rows(
    `insert into orders (order_id, event_id, quantity, lines, total_cents, status, held_at, hold_until)
     select gen_random_uuid(), 42, 1, '[]', 2550, 'expired', now() - n * interval '1 second', now() from generate_series(1, 44) n`,
  );
  await ticketing.rows(
    `insert into checkouts (order_id, holder_name, holder_email) select order_id, 'Ann', 'ann@example.test' from orders where order_id <> $1`,
    [orderId],
  );
  const seen: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await find(ticketing, 'ann@example.test', cursor);
    expect(page.orders.length).toBeLessThanOrEqual(20);
    seen.push(...page.orders.map((order) => order.orderId));
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  expect(seen).toHaveLength(45);
  expect(new Set(seen).size).toBe(45);
  expect(seen[0]).toBe(orderId);
});

test('the timeline has the sale’s log events, mails, refunds and admin views, in order, without names or addresses', async () => {
  const ticketing = await onSale(20);
  const { orderId, paymentId } = await bought(ticketing);
  await bought(ticketing, 'bob@example.test');
  const token = await ticketing.identity.tokenFor({ id: 1, role: 'admin' });
  await call(ticketing.url, 'GET', `/api/orders/${orderId}/managed`, { token });
  const { refund } = (
    await call(ticketing.url, 'POST', `/api/orders/${orderId}/refund`, { token, body: { reason: 'For Ann Lee' } })
  ).body as { refund: { id: string } };
  const facts = { paymentId, orderId, eventId: 42, amountCents: 5100, refundId: 're_1' };
  await ticketing.bus.publish('payments.events', [
    message('payments.payment-refunded', `payment-${orderId}`, { ...facts, requestId: refund.id }),
  ]);
  const types = async () => (await timeline(ticketing, orderId)).steps.map(({ type }) => type);
  await eventually(async () => (await types()).includes('mail-queued'));
  const { steps, known, isCut } = await timeline(ticketing, orderId);
  expect([known, isCut]).toEqual([true, false]);
  expect(steps.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['TicketsHeld', 'PaymentAttached', 'TicketsSold', 'order-looked-at', 'TicketsReturned']),
  );
  expect(steps.map(({ text }) => text)).toContain('The admin of account 1 looked at the order.');
  expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).sort());
  expect(steps.filter(({ type }) => type === 'TicketsSold')).toHaveLength(1);
  expect(JSON.stringify(steps)).not.toMatch(/ann|example|lee/i);
  expect(await timeline(ticketing, randomUUID())).toEqual({ known: false, steps: [], isCut: false });
});

test('only our own services may call it, and a refusal names the bad input', async () => {
  const ticketing = await onSale(1);
  const { url } = ticketing;
  const token = await ticketing.identity.tokenFor({ id: 1, role: 'admin' });
  for (const headers of [{}, { 'x-internal-token': 'x'.repeat(TOKEN.length) }]) {
    expect((await call(url, 'POST', '/internal/ops/search', { token, headers, body: { q: 'x' } })).status).toBe(403);
    expect((await call(url, 'GET', `/internal/ops/timelines/${randomUUID()}`, { token, headers })).status).toBe(403);
  }
  expect((await call(url, 'GET', '/internal/ops/timelines/x', { headers: internal })).status).toBe(400);
  for (const body of [
    {},
    { q: '' },
    { q: ' ' },
    { q: 'x'.repeat(255) },
    { q: 1 },
    { q: 'a\0@b.test' },
    { q: 'x', more: 1 },
  ])
    expect((await call(url, 'POST', '/internal/ops/search', { headers: internal, body })).status).toBe(400);
  for (const cursor of ['x', 'bnVsbA', Buffer.from('["99999999999999999999","x"]').toString('base64url')])
    expect(
      (await call(url, 'POST', '/internal/ops/search', { headers: internal, body: { q: 'a@b.test', cursor } })).status,
    ).toBe(400);
  expect(await find(ticketing, "'; drop table orders; --@")).toEqual({ orders: [], nextCursor: null });
  expect(await find(ticketing, 'a\\@b.test')).toEqual({ orders: [], nextCursor: null });
});
