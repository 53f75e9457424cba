import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ManagedOrder, RefundAnswer } from '@beltway/contracts/ticketing/orders';
import { Order, SalesList } from '@beltway/contracts/ticketing/tickets';
import type { EventState } from '@beltway/contracts/catalog/events';
import { storedMails } from '@beltway/kit/mail';
import { eventually } from '@beltway/kit/testing';
import { rebuild } from '../src/rebuild.ts';
import {
  call,
  eventState,
  message,
  onSale,
  pay,
  putOnSale,
  startCheckout,
  startTicketing,
  stockOf,
  type Ticketing,
  mailsIn,
  wereSent,
} from './support.ts';

const ORGANIZER = 7;
const BUYER = 3;

/** Buys three tickets of event 42, which begins on June 1, 2030, as a guest or as account 3. */
async function anOrder(ticketing: Ticketing, signed = false) {
  const token = await ticketing.identity.tokenFor({ id: BUYER });
  const checkout = await startCheckout(ticketing, { quantity: 3 }, signed ? { token } : {});
  const { orderId, paymentIntentId, accessKey } = checkout.body as Record<string, string>;
  expect((await pay(ticketing, paymentIntentId!, signed ? { token } : {})).body.status).toBe('fulfilled');
  const headers = { 'x-order-key': accessKey! };
  const look = async () => Order.parse((await call(ticketing.url, 'GET', `/api/orders/${orderId}`, { headers })).body);
  const refund = (body: object, by: { token?: string; headers?: Record<string, string> }, key?: string) =>
    call(ticketing.url, 'POST', `/api/orders/${orderId}/refund`, {
      ...by,
      body,
      headers: { ...by.headers, ...(key && { 'idempotency-key': key }) },
    });
  const facts = { paymentId: paymentIntentId!, orderId: orderId!, eventId: 42, amountCents: 7650 };
  const say = (type: string, data: object) =>
    ticketing.bus.publish('payments.events', [
      message(`payments.${type}`, `payment-${orderId}`, { ...facts, ...data }),
    ]);
  return { orderId: orderId!, paymentId: paymentIntentId!, headers, token, look, refund, say };
}

const organizer = async ({ identity }: Ticketing) => ({ token: await identity.tokenFor({ id: ORGANIZER }) });
const admin = async ({ identity }: Ticketing) => ({ token: await identity.tokenFor({ id: 1, role: 'admin' }) });

/** The refunds requested from payments, in order. */
async function asked({ bus }: Ticketing) {
  const heard: Array<Record<string, unknown>> = [];
  await bus.tail(['ticketing.events'], (said) => {
    const one = said as { type: string; data: Record<string, unknown> };
    if (one.type === 'ticketing.refund-requested') heard.push(one.data);
  });
  return heard;
}

const statuses = (order: Order) => order.tickets.map(({ status }) => status);
const returned = (ticketing: Ticketing) =>
  ticketing.rows(
    `select json_array_length(data->'tickets') as quantity from events where type = 'TicketsReturned' order by version`,
  );

test('the organizer refunds some tickets: they end immediately, the others stay, and stock and sales figures change', async () => {
  const ticketing = await onSale(3);
  const { orderId, look, refund } = await anOrder(ticketing);
  const heard = await asked(ticketing);
  const by = await organizer(ticketing);
  const [, second] = (await look()).tickets;
  const answer = await refund({ ticketIds: [second!.id], reason: 'The balcony is closed' }, by, 'refund-1');
  expect(answer.status).toBe(200);
  const { refund: made, status } = RefundAnswer.parse(answer.body);
  expect(status).toBe('fulfilled');
  expect(made).toMatchObject({
    ...{ amount: 2550, ticketIds: [second!.id], state: 'requested', cause: 'refunded-by-organizer' },
    reason: 'The balcony is closed',
  });
  const order = await look();
  expect(statuses(order)).toEqual(['valid', 'refunding', 'valid']);
  expect(order.tickets[1]!.qrCode).toBeNull();
  expect(order.refunds).toEqual([made]);
  expect(await stockOf(ticketing)).toEqual({ capacity: 3, sold: 2, held: 0 });
  await eventually(() => heard.length > 0);
  expect(heard).toEqual([expect.objectContaining({ orderId, quantity: 1, amountCents: 2550, requestId: made.id })]);
  const sales = SalesList.parse((await call(ticketing.url, 'GET', '/api/tickets/sales', by)).body);
  // 5 % of 76.50 is 3.83. A third of it, 1.28, was returned.
  expect(sales).toEqual([{ eventId: 42, orders: 1, tickets: 2, revenue: 51, fee: 2.55, share: 48.45 }]);
  expect((await call(ticketing.url, 'GET', '/api/events/42/attendees', by)).body.attendees).toMatchObject([
    { quantity: 2, status: 'valid', amount: 51 },
  ]);
  // The returned tickets are on sale again.
  expect((await startCheckout(ticketing, { quantity: 1 })).status).toBe(200);
  await eventually(async () => (await mailsIn(ticketing, `refund-asked:${made.id}`)).length === 1);
});

test('a repeat with the same key gets the same response and refunds nothing more; with other tickets it is refused', async () => {
  const ticketing = await onSale(10);
  const { look, refund } = await anOrder(ticketing);
  const by = await organizer(ticketing);
  const [one, two] = (await look()).tickets;
  const first = await refund({ ticketIds: [one!.id] }, by, 'refund-1');
  const again = await Promise.all([1, 2, 3].map(() => refund({ ticketIds: [one!.id] }, by, 'refund-1')));
  for (const { status, body } of again) expect([status, body]).toEqual([200, first.body]);
  expect((await refund({ ticketIds: [two!.id] }, by, 'refund-1')).status).toBe(422);
  expect(await returned(ticketing)).toEqual([{ quantity: 1 }]);
  // The same key from another caller is another request.
  expect((await refund({ ticketIds: [one!.id] }, await admin(ticketing), 'refund-1')).body.code).toBe(
    'already-refunded',
  );
});

test('concurrent refunds on two instances refund each ticket once', async () => {
  const ticketing = await startTicketing(2);
  await putOnSale(ticketing, eventState(42, 10));
  const { orderId, look } = await anOrder(ticketing);
  const ids = (await look()).tickets.map(({ id }) => id);
  const [owner, boss] = [await organizer(ticketing), await admin(ticketing)];
  const bodies = [{}, {}, { ticketIds: [ids[0]] }, { ticketIds: [ids[0], ids[1]] }, { ticketIds: [ids[2]] }, {}];
  const answers = await Promise.all(
    bodies.map((body, n) =>
      call(ticketing.all[n % 2]!.url, 'POST', `/api/orders/${orderId}/refund`, { ...(n % 3 ? owner : boss), body }),
    ),
  );
  for (const { status, body } of answers)
    if (status !== 200) expect([status, body.code]).toEqual([409, 'already-refunded']);
  const all = await returned(ticketing);
  expect(all.reduce((sum, { quantity }) => sum + Number(quantity), 0)).toBe(
    (await ticketing.rows('select from tickets where refund_id is not null')).length,
  );
  // The refund of the whole order covers the remaining tickets.
  await call(ticketing.url, 'POST', `/api/orders/${orderId}/refund`, { ...owner, body: {} });
  expect((await stockOf(ticketing)).sold).toBe(0);
  expect(statuses(await look())).toEqual(['refunding', 'refunding', 'refunding']);
});

test('when all tickets are returned in parts, the whole order is refunded, which includes waiting and failed refunds', async () => {
  const ticketing = await onSale(10);
  const { look, refund, say } = await anOrder(ticketing);
  const heard = await asked(ticketing);
  const by = await organizer(ticketing);
  const ids = (await look()).tickets.map(({ id }) => id);
  const part = (await refund({ ticketIds: [ids[0]] }, by)).body.refund.id as string;
  await say('payment-partly-refunded', { refundId: 're_1', partCents: 2550, returnedCents: 2550, requestId: part });
  await eventually(async () => (await look()).refunds[0]?.state === 'refunded');
  await say('refund-reversed', { refundId: 're_1', code: 'closed', partCents: 2550, requestId: part });
  await eventually(async () => (await look()).refunds[0]?.state === 'failed');
  expect(statuses(await look())).toEqual(['refunding', 'valid', 'valid']);
  await refund({}, by);
  await eventually(() => heard.length === 2);
  expect(heard.map(({ requestId, quantity, amountCents }) => [requestId === null, quantity, amountCents])).toEqual([
    [false, 1, 2550],
    [true, 3, 7650],
  ]);
  await say('payment-refunded', { refundId: 're_2' });
  await eventually(async () => (await look()).status === 'refunded');
  const order = await look();
  expect(order.refunds.map(({ amount, state }) => [amount, state])).toEqual([
    [2550, 'refunded'],
    [5100, 'refunded'],
  ]);
  expect(statuses(order)).toEqual(['refunded', 'refunded', 'refunded']);
});

test('if a refund is reported again after it failed, no mail is sent', async () => {
  const ticketing = await onSale(10);
  const { look, refund, say } = await anOrder(ticketing);
  const ids = (await look()).tickets.map(({ id }) => id);
  const part = (await refund({ ticketIds: [ids[0]] }, await organizer(ticketing))).body.refund.id as string;
  const sent = { refundId: 're_1', partCents: 2550, returnedCents: 2550, requestId: part };
  await say('refund-reversed', { refundId: 're_1', code: 'closed', partCents: 2550, requestId: part });
  await say('payment-partly-refunded', sent);
  await say('payment-failed', { code: 'last' });
  await eventually(
    async () => (await ticketing.rows(`select from inbox where group_name = 'ticketing.payments'`)).length >= 3,
    { what: 'all three are handled' },
  );
  expect((await look()).refunds[0]?.state).toBe('failed');
  expect(await mailsIn(ticketing, 'part-sent')).toEqual([]);
  await say('payment-partly-refunded', { ...sent, refundId: 're_2' });
  await eventually(async () => (await look()).refunds[0]?.state === 'refunded');
});

const states = ({ refunds }: Order) => refunds.map(({ state }) => state);

test('a refund that the bank refuses is shown as failed and retried, only for its part; after it succeeds, it stays refunded', async () => {
  const ticketing = await onSale(10);
  const { look, refund, say } = await anOrder(ticketing);
  const by = await organizer(ticketing);
  const ids = (await look()).tickets.map(({ id }) => id);
  const one = (await refund({ ticketIds: [ids[0]] }, by)).body.refund.id as string;
  await refund({ ticketIds: [ids[1]] }, by);
  await say('refund-failed', { requestId: one });
  await eventually(async () => states(await look())[0] === 'failed');
  expect(states(await look())).toEqual(['failed', 'requested']);
  await say('payment-partly-refunded', { refundId: 're_1', partCents: 2550, returnedCents: 2550, requestId: one });
  await eventually(async () => states(await look())[0] === 'refunded');
  // The rest is requested together with parts that still wait, so none of them is refunded yet.
  await refund({}, by);
  await say('refund-failed', { requestId: null });
  await eventually(async () => states(await look())[2] === 'failed');
  expect(states(await look())).toEqual(['refunded', 'failed', 'failed']);
  await say('payment-refunded', { refundId: 're_2' });
  await eventually(async () => (await look()).status === 'refunded');
  // Earlier messages arrive late.
  await say('refund-failed', { requestId: one });
  await say('refund-failed', { requestId: null });
  await say('payment-failed', { code: 'last' });
  await eventually(
    async () => (await ticketing.rows(`select from inbox where group_name = 'ticketing.payments'`)).length >= 7,
  );
  expect(states(await look())).toEqual(['refunded', 'refunded', 'refunded']);
  expect((await mailsIn(ticketing)).filter(({ kind }) => kind.includes('failed'))).toEqual([]);
});

test('a part that was already refunded by hand counts as refunded, and its buyer gets a mail', async () => {
  const ticketing = await onSale(10);
  const { look, refund, say } = await anOrder(ticketing);
  const [one] = (await look()).tickets;
  const requestId = (await refund({ ticketIds: [one!.id] }, await organizer(ticketing))).body.refund.id as string;
  await say('part-refund-covered', { requestId });
  await eventually(async () => states(await look())[0] === 'refunded');
  expect(statuses(await look())).toEqual(['refunded', 'valid', 'valid']);
  expect(await mailsIn(ticketing, `part-sent:${requestId}:covered`)).toHaveLength(1);
});

test('if parts and the rest were refunded and one refund comes back, it is shown as failed and the others stay refunded', async () => {
  const ticketing = await onSale(10);
  const { look, refund, say } = await anOrder(ticketing);
  const by = await organizer(ticketing);
  const [one] = (await look()).tickets;
  const part = (await refund({ ticketIds: [one!.id] }, by)).body.refund.id as string;
  await say('payment-partly-refunded', { refundId: 're_1', partCents: 2550, returnedCents: 2550, requestId: part });
  await refund({}, by);
  await say('payment-refunded', { refundId: 're_2' });
  await eventually(async () => (await look()).status === 'refunded');
  await say('refund-reversed', { refundId: 're_1', code: 'closed', partCents: 2550, requestId: part });
  await eventually(async () => (await look()).status === 'refunding');
  expect(states(await look())).toEqual(['failed', 'refunded']);
  await say('payment-refunded', { refundId: 're_3' });
  await eventually(async () => (await look()).status === 'refunded');
  expect(states(await look())).toEqual(['refunded', 'refunded']);
  // Now the refund of the rest is reversed.
  await say('refund-reversed', { refundId: 're_2', code: 'closed', partCents: 5_100, requestId: null });
  await eventually(async () => (await look()).status === 'refunding');
  expect(states(await look())).toEqual(['refunded', 'failed']);
  await say('payment-refunded', { refundId: 're_4' });
  await eventually(async () => (await look()).status === 'refunded');
  expect(states(await look())).toEqual(['refunded', 'refunded']);
});

test('the buyer cancels until the promised deadline, by account or by link, and not a minute later', async () => {
  const ticketing = await onSale(10);
  const { token, look, refund } = await anOrder(ticketing, true);
  const order = await look();
  // 24 hours before 7 PM in New York on June 1, 2030.
  expect([order.refundable, order.refundableUntil]).toEqual([true, '2030-05-31T23:00:00.000Z']);
  const until = Date.parse(order.refundableUntil!) - Date.now();
  ticketing.time.offsetMs = until - 60_000;
  const [one, two] = order.tickets;
  const canceled = await refund({ ticketIds: [one!.id] }, { token }, 'cancel-01');
  expect(canceled.body.refund).toMatchObject({ cause: 'canceled-by-buyer', amount: 2550 });
  ticketing.time.offsetMs = until + 1_000;
  expect((await refund({ ticketIds: [two!.id] }, { token })).body.code).toBe('refund-closed');
  expect((await look()).refundable).toBe(false);
  // A repeat of a request that was in time gets the same response.
  expect((await refund({ ticketIds: [one!.id] }, { token }, 'cancel-01')).body).toEqual(canceled.body);
  // No deadline applies to the organizer.
  expect((await refund({}, await organizer(ticketing))).status).toBe(200);
});

test('the refund terms at the time of the hold apply, whatever the organizer changes later', async () => {
  const ticketing = await onSale(20, { refundDeadlineHours: null });
  const none = await anOrder(ticketing);
  expect(await none.look()).toMatchObject({ refundable: false, refundableUntil: null });
  expect((await none.refund({}, { headers: none.headers })).body.code).toBe('refund-closed');
  const changed = async (state: Partial<EventState>) => {
    await ticketing.bus.publish('catalog.events', [
      message('catalog.event-updated', 'event-42', eventState(42, 20, state)),
    ]);
  };
  await changed({ version: 2, refundDeadlineHours: 0 });
  await eventually(async () => (await ticketing.rows(`select from events where type = 'SaleChanged'`)).length === 1);
  const until = await anOrder(ticketing);
  expect((await until.look()).refundableUntil).toBe('2030-06-01T23:00:00.000Z');
  expect((await none.refund({}, { headers: none.headers })).body.code).toBe('refund-closed');
  // While the event has no date, no deadline passes.
  ticketing.time.offsetMs = Date.parse('2030-06-02T00:00:00Z') - Date.now();
  await changed({ version: 3, refundDeadlineHours: 0, isPostponed: true, salesEnabled: false });
  await eventually(async () => (await until.look()).refundable);
  expect((await until.refund({}, { headers: until.headers })).status).toBe(200);
});

test('only the organizer refunds an order; others get 404', async () => {
  const ticketing = await onSale(10);
  const { refund, look } = await anOrder(ticketing, true);
  for (const by of [
    {},
    { headers: { 'x-order-key': 'x'.repeat(32) } },
    { token: await ticketing.identity.tokenFor({ id: 99 }) },
    { token: await ticketing.identity.tokenFor({ id: 8, role: 'business' }) },
  ])
    expect((await refund({}, by)).status).toBe(404);
  expect(statuses(await look())).toEqual(['valid', 'valid', 'valid']);
});

test('bad input names its field', async () => {
  const ticketing = await onSale(10);
  const { refund, look } = await anOrder(ticketing);
  const by = await organizer(ticketing);
  const other = await anOrder(ticketing, true);
  const [mine] = (await look()).tickets;
  const [theirs] = (await other.look()).tickets;
  for (const body of [
    { ticketIds: [] },
    { ticketIds: ['x'] },
    { ticketIds: [mine!.id, mine!.id.toUpperCase()] },
    { ticketIds: [mine!.id, theirs!.id] },
    { ticketIds: Array.from({ length: 11 }, () => crypto.randomUUID()) },
    { reason: 'x'.repeat(201) },
    { amount: 1 },
  ]) {
    const answer = await refund(body, by);
    expect([answer.status, answer.body.errors?.length > 0], JSON.stringify(body)).toEqual([400, true]);
  }
  expect(await returned(ticketing)).toEqual([]);
});

test('a disputed order is frozen until the dispute is won: no code, no refund; after a loss its tickets are void', async () => {
  const ticketing = await onSale(10);
  const { look, refund, say } = await anOrder(ticketing);
  const by = await organizer(ticketing);
  await say('dispute-opened', { disputeId: 'dp_1', disputedCents: 7650, reason: 'fraudulent' });
  await eventually(async () => statuses(await look()).every((status) => status === 'frozen'));
  const frozen = await look();
  expect(frozen.tickets.every(({ qrCode }) => qrCode === null)).toBe(true);
  expect(frozen.refundable).toBe(false);
  expect((await refund({}, by)).body.code).toBe('order-disputed');
  await say('dispute-closed', { disputeId: 'dp_1', outcome: 'won' });
  await eventually(async () => statuses(await look()).every((status) => status === 'valid'));
  await say('dispute-opened', { disputeId: 'dp_2', disputedCents: 7650, reason: 'fraudulent' });
  await say('money-withdrawn', { cause: 'dispute-lost' });
  await say('dispute-closed', { disputeId: 'dp_2', outcome: 'lost' });
  await eventually(async () => statuses(await look()).every((status) => status === 'disputed'));
  expect(await look()).toMatchObject({ status: 'disputed', refundable: false });
  // The dispute may still be won, which makes the tickets valid again, so they are not sold to others.
  expect(await stockOf(ticketing)).toEqual({ capacity: 10, sold: 3, held: 0 });
});

test('if an order is refunded while its event is canceled, each ticket is returned once', async () => {
  const ticketing = await onSale(10);
  const { look, refund } = await anOrder(ticketing);
  const ids = (await look()).tickets.map(({ id }) => id);
  const by = await organizer(ticketing);
  await Promise.all([
    refund({ ticketIds: [ids[0]] }, by),
    ticketing.bus.publish('catalog.events', [
      message('catalog.event-canceled', 'event-42', { eventId: 42, ownerId: ORGANIZER, version: 9 }),
    ]),
    refund({ ticketIds: [ids[1]] }, by),
  ]);
  await eventually(
    async () => (await ticketing.rows(`select from availability where closed = 'canceled'`)).length === 1,
  );
  await Promise.all([ticketing.reconcile(), ticketing.reconcile(), refund({}, by)]);
  const sum = (await returned(ticketing)).reduce((all, { quantity }) => all + Number(quantity), 0);
  expect(sum).toBe(3);
  expect((await stockOf(ticketing)).sold).toBe(0);
  expect((await look()).status).toBe('refunding');
});

test('organizer and admin view an order with its history, each view is recorded; others get 404', async () => {
  const ticketing = await onSale(10);
  const { orderId, headers, token, refund, look } = await anOrder(ticketing, true);
  const [one] = (await look()).tickets;
  await refund({ ticketIds: [one!.id] }, await organizer(ticketing));
  // Waits until the order's mails are sent, so that each view shows the same.
  await eventually(async () => {
    const mails = await mailsIn(ticketing);
    return mails.length === 2 && mails.every(({ status }) => status !== 'waiting');
  });
  const path = `/api/orders/${orderId}/managed`;
  const seen = ManagedOrder.parse((await call(ticketing.url, 'GET', path, await organizer(ticketing))).body);
  expect(seen.history.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['TicketsHeld', 'PaymentAttached', 'TicketsSold', 'TicketsReturned']),
  );
  const said = (managed: ManagedOrder) => managed.history.map(({ text }) => text);
  expect(said(seen)).toEqual(
    expect.arrayContaining([
      '3 tickets held.',
      '3 tickets sold.',
      '1 ticket voided: refunded by the organizer.',
      '$1 paid.',
    ]),
  );
  const spanish = { ...(await organizer(ticketing)), headers: { 'accept-language': 'es-US,es;q=0.9' } };
  const inSpanish = ManagedOrder.parse((await call(ticketing.url, 'GET', path, spanish)).body);
  expect(said(inSpanish)).toEqual(
    expect.arrayContaining([
      ...['3 boletos apartados.', '3 boletos vendidos.', '1 boleto anulado: reembolso de quien organiza.'],
      'Se pagó $1.',
    ]),
  );
  expect({ ...inSpanish, history: [] }).toEqual({ ...seen, history: [] });
  expect(seen).toMatchObject({ paymentUnavailable: false, payment: { amountCents: 7650, feeCents: 383 } });
  expect(JSON.stringify(seen)).not.toContain(one!.ticketCode);
  ticketing.fake.state.down = true;
  expect((await call(ticketing.url, 'GET', path, await admin(ticketing))).body).toMatchObject({
    ...{ payment: null, paymentUnavailable: true },
  });
  for (const by of [{ token }, { headers, token: await ticketing.identity.tokenFor({ id: 8, role: 'business' }) }])
    expect((await call(ticketing.url, 'GET', path, by)).status).toBe(404);
  expect((await call(ticketing.url, 'GET', path, { headers })).status).toBe(401);
  expect(await ticketing.rows('select account_id, role from order_looks order by at')).toEqual([
    { account_id: ORGANIZER, role: 'organizer' },
    { account_id: ORGANIZER, role: 'organizer' },
    { account_id: 1, role: 'admin' },
  ]);
});

test('a rebuild of the read models leaves every refund unchanged', async () => {
  const ticketing = await onSale(10);
  const { look, refund, say } = await anOrder(ticketing);
  const by = await organizer(ticketing);
  const ids = (await look()).tickets.map(({ id }) => id);
  const part = (await refund({ ticketIds: [ids[1]], reason: 'As agreed' }, by)).body.refund.id as string;
  await say('payment-partly-refunded', { refundId: 're_1', partCents: 2550, returnedCents: 2550, requestId: part });
  await eventually(async () => (await look()).refunds[0]?.state === 'refunded');
  const other = await anOrder(ticketing, true);
  await other.refund({}, by);
  const read = async () => [
    await look(),
    await other.look(),
    await ticketing.rows('select order_id, returned, frozen, refund_deadline_hours, status from orders order by 1'),
  ];
  const before = await read();
  await rebuild(ticketing.databaseUrl);
  expect(await read()).toEqual(before);
});

test('the tickets are mailed again to anyone who can open the order, three times an hour', async () => {
  const ticketing = await onSale(10);
  const { orderId, headers, look, refund } = await anOrder(ticketing);
  const [one] = (await look()).tickets;
  await refund({ ticketIds: [one!.id] }, await organizer(ticketing));
  const again = (by: object) => call(ticketing.url, 'POST', `/api/orders/${orderId}/mail`, by);
  expect((await again({})).status).toBe(404);
  const answers = await Promise.all([1, 2, 3].map(() => again({ headers })));
  // Two concurrent requests may be combined into one mail.
  for (const { status } of answers) expect([204, 429]).toContain(status);
  for (let tries = 0; tries < 3; tries++) await again({ headers });
  const last = await again({ headers });
  expect([last.status, last.headers.get('retry-after')]).toEqual([429, '3600']);
  expect(await mailsIn(ticketing, 'tickets:again-')).toHaveLength(3);
  await eventually(() => wereSent(ticketing, 3, 'tickets:again-'), { timeoutMs: 40_000 });
  const mails = (await storedMails(join(ticketing.dataDir, 'mail'))).filter(({ id }) =>
    id.startsWith('tickets-again-'),
  );
  expect(new Set(mails.map(({ id }) => id)).size).toBe(3);
  for (const { subject, attachments, text } of mails) {
    expect(subject).toBe('Your 2 tickets for Night 42');
    expect(attachments.filter(({ filename }) => filename.startsWith('ticket-'))).toHaveLength(2);
    expect(text).not.toContain(one!.ticketCode);
  }
  await refund({}, await organizer(ticketing));
  expect((await again({ headers })).body.code).toBe('not-bought');
});

test('each mail has the amount of its own refund, and a mail that is sent late has the current state', async () => {
  const ticketing = await onSale(10);
  const { look, refund, say } = await anOrder(ticketing);
  const [one] = (await look()).tickets;
  const part = (await refund({ ticketIds: [one!.id], reason: 'Rain' }, await organizer(ticketing))).body.refund.id;
  const mails = async () => storedMails(join(ticketing.dataDir, 'mail'));
  const mailed = (subject: string, count = 1) =>
    eventually(
      async () => {
        const found = (await mails()).filter((mail) => mail.subject === subject);
        return found.length === count && found;
      },
      { timeoutMs: 40_000, what: subject },
    );
  const [asked] = await mailed('Your refund for Night 42');
  expect(asked!.text).toContain('1 ticket in your order is no longer valid. Reason given: Rain');
  expect(asked!.text).toContain('We requested your refund of $25.50');
  expect(asked!.text).toContain('$72.67 for the organizer, $3.83 Beltway fee (5%), processing fee $0.00');
  await say('payment-partly-refunded', { refundId: 're_1', partCents: 2550, returnedCents: 2550, requestId: part });
  const [sent] = await mailed('Your refund for Night 42 was sent');
  expect(sent!.text).toContain('$25.50 went back to your card');
  await ticketing.bus.publish('catalog.events', [
    message('catalog.event-canceled', 'event-42', { eventId: 42, ownerId: ORGANIZER, version: 9 }),
  ]);
  await eventually(
    async () => (await ticketing.rows(`select from availability where closed = 'canceled'`)).length === 1,
  );
  await ticketing.reconcile();
  const [canceled] = await mailed('Night 42 was canceled: your refund');
  expect(canceled!.text).toContain('We requested your refund of $51.00');
  await say('payment-refunded', { refundId: 're_2' });
  const both = await mailed('Your refund for Night 42 was sent', 2);
  expect(both.filter(({ text }) => text.includes('$51.00 went back to your card'))).toHaveLength(1);
});
