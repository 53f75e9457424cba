import { expect, test } from 'vitest';
import type { Order } from '@beltway/contracts/ticketing/tickets';
import { eventually } from '@beltway/kit/testing';
import { call, message, onSale, pay, startCheckout, stockOf, type Ticketing, mailsIn, wereSent } from './support.ts';

/** An order of two tickets, paid or only in checkout. */
async function anOrder(paid: boolean) {
  const ticketing = await onSale(5);
  const order = (await startCheckout(ticketing, { ticketHolderName: 'Ann Buyer' })).body as {
    orderId: string;
    paymentIntentId: string;
    accessKey: string;
  };
  if (paid) {
    await pay(ticketing, order.paymentIntentId);
  }
  const facts = { paymentId: order.paymentIntentId, orderId: order.orderId, eventId: 42, amountCents: 5100 };
  const paymentMessage = (type: string, data: object, id?: string) =>
    message(`payments.${type}`, order.orderId, { ...facts, ...data }, id);
  const say = (...messages: ReturnType<typeof paymentMessage>[]) => ticketing.bus.publish('payments.events', messages);
  const look = async () =>
    (await call(ticketing.url, 'GET', `/api/orders/${order.orderId}`, { headers: { 'x-order-key': order.accessKey } }))
      .body as Order;
  const status = async () => (await look()).status as string;
  const opened = (disputeId = 'dp_1') =>
    paymentMessage('dispute-opened', { disputeId, disputedCents: 5_100, reason: 'fraudulent' });
  const closed = (outcome: 'won' | 'lost', disputeId = 'dp_1') =>
    paymentMessage('dispute-closed', { disputeId, outcome });
  return { ticketing, order, paymentMessage, say, status, look, opened, closed };
}

/** The fields of a report about a full refund. */
const WHOLE = { partCents: 5_100, requestId: null };

const returns = (ticketing: Ticketing) =>
  ticketing.rows(`select data->>'reason' as reason from events where type = 'TicketsReturned'`);
const sold = async (ticketing: Ticketing) => (await stockOf(ticketing)).sold;

test('a refund made in the dashboard ends the tickets, restores the stock and is mailed once, even if reported several times', async () => {
  const { ticketing, paymentMessage, say, status } = await anOrder(true);
  const withdrawn = paymentMessage('money-withdrawn', { cause: 'refunded-by-provider' });
  await say(paymentMessage('payment-refunded', { refundId: 're_1' }), withdrawn, withdrawn);
  await say(paymentMessage('money-withdrawn', { cause: 'refunded-by-provider' }));
  await eventually(async () => (await status()) === 'refunded');
  await eventually(() => wereSent(ticketing, 1, 'refunded-by-provider'));
  expect(await returns(ticketing)).toEqual([{ reason: 'refunded-by-provider' }]);
  expect(await sold(ticketing)).toBe(0);
  expect(await ticketing.rows('select from tickets where refund_id is null')).toEqual([]);
});

/** The messages of payments about a lost dispute, by the share of the payment that the bank took. */
const LOST = {
  'the whole payment': ['money-withdrawn', 'dispute-closed'],
  'a part of the payment': ['dispute-closed'],
} as const;

test.each(Object.keys(LOST) as Array<keyof typeof LOST>)(
  'after a lost dispute over %s no ticket admits; if the dispute is won later, the tickets are valid again',
  async (taken) => {
    const { ticketing, paymentMessage, say, look, opened, closed } = await anOrder(true);
    const tickets = async () => (await look()).tickets.map(({ status, qrCode }) => [status, qrCode !== null]);
    await say(opened());
    await eventually(async () => (await tickets())[0]![0] === 'frozen');
    await say(
      ...LOST[taken].map((type) =>
        type === 'dispute-closed' ? closed('lost') : paymentMessage(type, { cause: 'dispute-lost' }),
      ),
    );
    await eventually(async () => (await tickets())[0]![0] === 'disputed');
    expect(await tickets()).toEqual([
      ['disputed', false],
      ['disputed', false],
    ]);
    expect(await look()).toMatchObject({ status: 'disputed', refundable: false, refundableUntil: null, refunds: [] });
    // The tickets stay sold, because the dispute may still be won. Their revenue is not counted.
    expect(await sold(ticketing)).toBe(2);
    const token = await ticketing.identity.tokenFor({ id: 7, role: 'business' });
    expect((await call(ticketing.url, 'GET', '/api/tickets/sales', { token })).body).toEqual([]);
    expect((await call(ticketing.url, 'GET', '/api/tickets/customers', { token })).body).toMatchObject([
      { refund: 'disputed' },
    ]);
    expect((await call(ticketing.url, 'GET', '/api/tickets/customers/totals', { token })).body).toMatchObject({
      totalTickets: 0,
    });
    await eventually(() => wereSent(ticketing, 1, 'dispute-lost:dp_1'));
    // Late and repeated reports that the dispute was opened or lost change nothing.
    await say(opened(), closed('lost'));

    if (taken === 'the whole payment')
      await say(paymentMessage('money-reinstated', { disputeId: 'dp_1', reinstatedCents: 5_100 }));
    await say(closed('won'));
    await eventually(async () => (await tickets())[0]![0] === 'valid');
    expect(await tickets()).toEqual([
      ['valid', true],
      ['valid', true],
    ]);
    expect(await look()).toMatchObject({ status: 'fulfilled', refunds: [] });
    expect((await call(ticketing.url, 'GET', '/api/tickets/sales', { token })).body).toMatchObject([{ tickets: 2 }]);
    await eventually(() => wereSent(ticketing, 1, 'tickets:dp_1'));
    const late = opened();
    await say(closed('lost'), late);
    await eventually(
      async () => (await ticketing.rows(`select 1 from inbox where message_id = '${late.id}'`)).length === 1,
    );
    expect((await tickets())[0]).toEqual(['valid', true]);
  },
);

test('tickets of a disputed payment are not mailed, because they have no code', async () => {
  const { ticketing, order, say, status, look, opened, closed } = await anOrder(true);
  const again = () =>
    call(ticketing.url, 'POST', `/api/orders/${order.orderId}/mail`, { headers: { 'x-order-key': order.accessKey } });
  await say(opened());
  await eventually(async () => (await look()).tickets[0]!.status === 'frozen');
  expect(await again()).toMatchObject({ status: 409, body: { code: 'order-disputed' } });
  await say(closed('lost'));
  await eventually(async () => (await status()) === 'disputed');
  expect(await again()).toMatchObject({ status: 409, body: { code: 'order-disputed' } });
  await say(closed('won'));
  await eventually(async () => (await status()) === 'fulfilled');
  expect((await again()).status).toBe(204);
  await eventually(() => wereSent(ticketing, 1, 'tickets:again-1'));
  expect((await mailsIn(ticketing)).filter(({ error }) => error !== null)).toEqual([]);
});

test('if a dispute is lost before the payment bought anything, the payment buys nothing, whatever part the bank took', async () => {
  const { ticketing, order, paymentMessage, say, status, opened, closed } = await anOrder(false);
  ticketing.fake.become(order.paymentIntentId, 'succeeded');
  await say(opened(), closed('lost'));
  await eventually(async () => (await status()) === 'released');
  await say(paymentMessage('payment-succeeded', {}));
  await eventually(async () => (await ticketing.rows(`select 1 from events where type = 'PaymentNotFulfilled'`))[0]);
  expect(await sold(ticketing)).toBe(0);
});

test('canceling an event after a dispute was lost returns the order; the rest of the money is refunded', async () => {
  const { ticketing, paymentMessage, say, status, opened, closed } = await anOrder(true);
  await say(opened(), closed('lost'));
  await eventually(async () => (await status()) === 'disputed');
  await ticketing.bus.publish('catalog.events', [
    message('catalog.event-canceled', 'event-42', { eventId: 42, ownerId: 7, version: 9 }),
  ]);
  await eventually(
    async () => (await ticketing.rows(`select 1 from availability where closed = 'canceled'`)).length === 1,
  );
  await ticketing.reconcile();
  await eventually(async () => (await status()) === 'refunding');
  await say(paymentMessage('payment-refunded', { refundId: 're_rest' }));
  await eventually(async () => (await status()) === 'refunded');
  expect(await sold(ticketing)).toBe(0);
});

test('an order is returned once when its event is canceled and its money is withdrawn', async () => {
  const { ticketing, paymentMessage, say, status } = await anOrder(true);
  await ticketing.bus.publish('catalog.events', [
    message('catalog.event-canceled', 'event-42', { eventId: 42, ownerId: 7, version: 9 }),
  ]);
  await eventually(
    async () => (await ticketing.rows(`select 1 from availability where closed = 'canceled'`)).length === 1,
  );
  await Promise.all([
    ticketing.reconcile(),
    say(
      paymentMessage('payment-refunded', { refundId: 're_1' }),
      paymentMessage('money-withdrawn', { cause: 'refunded-by-provider' }),
    ),
  ]);
  await eventually(async () => (await status()) === 'refunded');
  await ticketing.reconcile();
  expect(await returns(ticketing)).toHaveLength(1);
});

test('if a payment is withdrawn that did not buy the tickets, they stay valid', async () => {
  const { ticketing, paymentMessage, say, status } = await anOrder(true);
  await say(
    paymentMessage('money-withdrawn', { cause: 'refunded-by-provider', paymentId: 'pi_another' }),
    paymentMessage('payment-refunded', { refundId: 're_1' }),
  );
  // Messages about one payment are handled in order, so the withdrawal was handled when the refund was.
  await eventually(
    async () => (await ticketing.rows('select 1 from checkouts where refunded_at is not null')).length === 1,
  );
  expect(await returns(ticketing)).toEqual([]);
  expect(await status()).toBe('fulfilled');
});

test('a refund that failed after it had succeeded is shown as in progress again', async () => {
  const { paymentMessage, say, status } = await anOrder(true);
  await say(
    paymentMessage('payment-refunded', { refundId: 're_1' }),
    paymentMessage('money-withdrawn', { cause: 'refunded-by-provider' }),
  );
  await eventually(async () => (await status()) === 'refunded');
  await say(paymentMessage('refund-reversed', { refundId: 're_1', code: 'expired_or_canceled_card', ...WHOLE }));
  await eventually(async () => (await status()) === 'refunding');
  await say(paymentMessage('payment-refunded', { refundId: 're_2' }));
  await eventually(async () => (await status()) === 'refunded');
});

test('a successful payment that is reported after its refund buys no tickets', async () => {
  const { ticketing, paymentMessage, say, status } = await anOrder(false);
  await say(
    paymentMessage('payment-refunded', { refundId: 're_1' }),
    paymentMessage('payment-succeeded', {}),
    paymentMessage('payment-failed', { code: 'x' }),
  );
  // The decline is the last message; its event shows that all messages were handled.
  await eventually(async () => (await ticketing.rows(`select 1 from events where type = 'HoldExtended'`)).length === 1);
  expect(await status()).toBe('held');
});

test('a successful payment that is reported after its refund buys no tickets, even if its hold has lapsed in between', async () => {
  const { ticketing, order, paymentMessage, say, status } = await anOrder(false);
  ticketing.fake.become(order.paymentIntentId, 'refunded');
  await say(
    paymentMessage('payment-refunded', { refundId: 're_1' }),
    paymentMessage('money-withdrawn', { cause: 'refunded-by-provider' }),
  );
  await eventually(
    async () => (await ticketing.rows('select 1 from checkouts where refunded_at is not null')).length === 1,
  );
  ticketing.time.offsetMs = 11 * 60_000;
  await ticketing.reconcile();
  // The order counts as refunded, so the buyer is not informed that nothing was charged.
  expect(await status()).toBe('refunded');
  // The success is delivered late, for example from the dead letters. The decline after it has no effect.
  const last = paymentMessage('payment-failed', { code: 'x' });
  await say(paymentMessage('payment-succeeded', {}), last);
  await eventually(
    async () => (await ticketing.rows(`select 1 from inbox where message_id = '${last.id}'`)).length === 1,
  );
  expect(await status()).toBe('refunded');
  expect(await sold(ticketing)).toBe(0);
});

test('if a dispute is lost while the refund of the order is in progress, the order is refunded and the buyer gets a mail', async () => {
  const { ticketing, paymentMessage, say, status } = await anOrder(true);
  await ticketing.bus.publish('catalog.events', [
    message('catalog.event-canceled', 'event-42', { eventId: 42, ownerId: 7, version: 9 }),
  ]);
  await eventually(
    async () => (await ticketing.rows(`select 1 from availability where closed = 'canceled'`)).length === 1,
  );
  await ticketing.reconcile();
  expect(await status()).toBe('refunding');
  await say(paymentMessage('money-withdrawn', { cause: 'dispute-lost' }));
  await eventually(async () => (await status()) === 'refunded');
  await eventually(() => wereSent(ticketing, 1, 'refund-sent:'));
});

test('after a lost dispute, a refund of the rest by hand, and a win, the tickets stay returned and the order disputed', async () => {
  const { ticketing, paymentMessage, say, status, look, opened, closed } = await anOrder(true);
  await say(opened(), closed('lost'));
  await eventually(async () => (await status()) === 'disputed');
  await say(
    paymentMessage('payment-refunded', { refundId: 're_rest' }),
    paymentMessage('money-withdrawn', { cause: 'refunded-by-provider' }),
  );
  await eventually(async () => (await status()) === 'refunded');
  const won = paymentMessage('money-reinstated', { disputeId: 'dp_1', reinstatedCents: 5100 });
  await say(won, won, closed('won'));
  await eventually(async () => (await status()) === 'disputed');
  expect((await look()).tickets.map((ticket) => ticket.status)).toEqual(['disputed', 'disputed']);
  expect(await sold(ticketing)).toBe(0);
  // Later, staff refund the order in the provider's dashboard, and the bank refuses that refund.
  await say(paymentMessage('payment-refunded', { refundId: 're_1' }));
  await eventually(async () => (await status()) === 'refunded');
  await say(paymentMessage('refund-reversed', { refundId: 're_1', code: 'expired_or_canceled_card', ...WHOLE }));
  await eventually(async () => (await status()) === 'refunding');
});

test('if a refund is reported again after it failed, no mail is sent', async () => {
  const { ticketing, paymentMessage, say, status } = await anOrder(true);
  await say(
    paymentMessage('money-withdrawn', { cause: 'refunded-by-provider' }),
    paymentMessage('refund-reversed', { refundId: 're_1', code: 'expired_or_canceled_card', ...WHOLE }),
    paymentMessage('payment-refunded', { refundId: 're_1' }),
    paymentMessage('payment-failed', { code: 'x' }),
  );
  await eventually(async () => (await ticketing.rows('select 1 from inbox')).length >= 3);
  expect(await status()).toBe('refunding');
  expect(await mailsIn(ticketing, 'refund-sent')).toEqual([]);
  await say(paymentMessage('payment-refunded', { refundId: 're_2' }));
  await eventually(async () => (await status()) === 'refunded');
});
