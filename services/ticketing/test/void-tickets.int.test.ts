import { expect, test } from 'vitest';
import { MyTickets, Order, type Ticket } from '@beltway/contracts/ticketing/tickets';
import { eventually } from '@beltway/kit/testing';
import { call, message, onSale, pay, startCheckout } from './support.ts';

/** Buys two tickets for event 42 with Ann's account. */
async function bought() {
  const ticketing = await onSale(20);
  const token = await ticketing.identity.tokenFor({ id: 3 });
  const intent = await startCheckout(ticketing, {}, { token });
  const { orderId, paymentIntentId: paymentId } = intent.body as { orderId: string; paymentIntentId: string };
  await pay(ticketing, paymentId, { token });

  const get = (path: string) => call(ticketing.url, 'GET', path, { token });
  /** The tickets as each API response shows them: their status, and whether they have a code. */
  const shown = async () => {
    const mine = MyTickets.parse((await get('/api/tickets/my-tickets')).body).map(({ ticket }) => ticket);
    const order = Order.parse((await get(`/api/orders/${orderId}`)).body);
    const of = (tickets: Ticket[]) => tickets.map(({ status, qrCode }) => [status, qrCode !== null]);
    expect(of(order.tickets)).toEqual(of(mine));
    return { order: order.status, tickets: of(mine) };
  };
  const calendar = async () => (await get(`/api/orders/${orderId}/event.ics`)).body as string;
  const say = (type: string, more: object) =>
    ticketing.bus.publish('payments.events', [
      message(`payments.${type}`, `payment-${orderId}`, {
        paymentId,
        orderId,
        eventId: 42,
        amountCents: 5_100,
        ...more,
      }),
    ]);
  const cancel = () =>
    ticketing.bus.publish('catalog.events', [
      message('catalog.event-canceled', 'event-42', { eventId: 42, ownerId: 7, version: 9 }),
    ]);
  return { ...ticketing, orderId, get, shown, calendar, say, cancel };
}

test('after its event is canceled, no code is shown for a ticket, wherever the money is', async () => {
  const ticketing = await bought();
  expect(await ticketing.shown()).toEqual({
    order: 'fulfilled',
    tickets: [
      ['valid', true],
      ['valid', true],
    ],
  });
  expect(await ticketing.calendar()).toContain('STATUS:CONFIRMED');

  await ticketing.cancel();
  // The tickets are canceled before the order is returned, which happens after other orders of the event.
  await eventually(async () => (await ticketing.shown()).tickets.every(([status]) => status === 'canceled'));
  expect(await ticketing.shown()).toEqual({
    order: 'fulfilled',
    tickets: [
      ['canceled', false],
      ['canceled', false],
    ],
  });
  expect(await ticketing.calendar()).toMatch(/METHOD:CANCEL[^]*STATUS:CANCELLED/);

  await eventually(async () => (await ticketing.rows('select closed from availability'))[0]?.['closed'] === 'canceled');
  await ticketing.reconcile();
  expect(await ticketing.shown()).toEqual({
    order: 'refunding',
    tickets: [
      ['refunding', false],
      ['refunding', false],
    ],
  });
  await ticketing.say('payment-refunded', { refundId: 're_1' });
  await eventually(async () => (await ticketing.shown()).order === 'refunded');
  expect((await ticketing.shown()).tickets).toEqual([
    ['refunded', false],
    ['refunded', false],
  ]);
  await ticketing.say('refund-reversed', { refundId: 're_1', code: 'declined', partCents: 5_100, requestId: null });
  await eventually(async () => (await ticketing.shown()).order === 'refunding');
  expect((await ticketing.shown()).tickets).toEqual([
    ['refunding', false],
    ['refunding', false],
  ]);
});

test('no code is shown for a ticket whose money a bank took back, even if its event takes place', async () => {
  const ticketing = await bought();
  await ticketing.say('dispute-closed', { disputeId: 'dp_1', outcome: 'lost' });
  await eventually(async () => (await ticketing.shown()).order === 'disputed');
  expect((await ticketing.shown()).tickets).toEqual([
    ['disputed', false],
    ['disputed', false],
  ]);
  expect(await ticketing.calendar()).toMatch(/METHOD:CANCEL[^]*STATUS:CANCELLED/);
  const pdf = await ticketing.get(`/api/orders/${ticketing.orderId}/tickets.pdf`);
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
});

test('an order without tickets has no files', async () => {
  const ticketing = await bought();
  const hold = (await call(ticketing.url, 'POST', '/api/holds', { body: { eventId: 42, quantity: 1 } })).body;
  for (const file of ['tickets.pdf', 'event.ics']) {
    const headers = { 'x-order-key': hold.accessKey };
    expect((await call(ticketing.url, 'GET', `/api/orders/${hold.orderId}/${file}`, { headers })).status).toBe(404);
  }
});
