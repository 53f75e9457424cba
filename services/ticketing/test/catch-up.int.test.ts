import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { invariants } from '../src/invariants.ts';
import { rebuild } from '../src/rebuild.ts';
import { backup, catchUpLater, heard } from './restored.ts';
import {
  call,
  eventState,
  guestKey,
  lapseHold,
  message,
  onSale,
  pay,
  putOnSale,
  startCheckout,
  stockOf,
  type Ticketing,
} from './support.ts';

const buy = async (ticketing: Ticketing, change: object = {}) => {
  const { body } = await startCheckout(ticketing, change);
  expect((await pay(ticketing, body.paymentIntentId)).body.status).toBe('fulfilled');
  return body as { orderId: string; paymentIntentId: string; amount: number };
};

const codes = async ({ rows }: Pick<Ticketing, 'rows'>, orderId: string) =>
  (await rows('select id, code from tickets where order_id = $1 order by ordinal', [orderId])) as unknown[];

const statusOf = async ({ rows }: Pick<Ticketing, 'rows'>, orderId: string) =>
  (await rows('select status from orders where order_id = $1', [orderId]))[0]?.['status'];

test('after a restore to an earlier moment buyers keep their tickets or get a refund, and nothing is sold twice', async () => {
  const ticketing = await onSale(12);
  const before = await buy(ticketing);
  const returned = await buy(ticketing, { quantity: 1 });
  const heldBefore = (await startCheckout(ticketing, { quantity: 1 })).body;
  await eventually(
    async () => (await heard(ticketing)).filter(({ type }) => type === 'ticketing.ticket-purchased').length === 2,
  );
  const restore = await backup(ticketing);

  // Sales that the backup does not contain.
  const lost = await buy(ticketing, { quantity: 3 });
  const lostCodes = await codes(ticketing, lost.orderId);
  await pay(ticketing, heldBefore.paymentIntentId);
  await putOnSale(ticketing, eventState(43, 2));
  const ofLostEvent = await buy(ticketing, { eventId: 43, quantity: 2 });
  const admin = await ticketing.identity.tokenFor({ id: 1, role: 'admin' });
  const refund = await call(ticketing.url, 'POST', `/api/orders/${returned.orderId}/refund`, {
    token: admin,
    headers: { 'idempotency-key': randomUUID() },
    body: { reason: 'as asked' },
  });
  expect(refund.status).toBeLessThan(300);
  const unsold = (await startCheckout(ticketing, { quantity: 2 })).body;
  const said = await eventually(async () => {
    const all = await heard(ticketing);
    const done = all.some(
      ({ type, data }) =>
        type === 'ticketing.refund-requested' && (data as { orderId: string }).orderId === returned.orderId,
    );
    return done && all.filter(({ type }) => type === 'ticketing.ticket-purchased').length === 5 && all;
  });
  await ticketing.stop();
  const payments = (
    type: string,
    order: { orderId: string; paymentIntentId: string; amount: number },
    data: object = {},
    eventId = 42,
  ) =>
    message(`payments.${type}`, order.orderId, {
      orderId: order.orderId,
      paymentId: order.paymentIntentId,
      eventId,
      amountCents: order.amount,
      ...data,
    });
  await ticketing.bus.publish('payments.events', [
    payments('payment-succeeded', before),
    payments('payment-succeeded', lost),
    payments('payment-succeeded', ofLostEvent, {}, 43),
    payments('payment-refunded', returned, { refundId: 're_1' }),
    // The order was paid, but ticketing crashed before recording it, so the number of tickets is lost.
    payments('payment-succeeded', unsold),
  ]);
  await restore();

  const done = await catchUpLater(ticketing);
  expect(done).toEqual({
    sales: [42, 43],
    soldAgain: expect.arrayContaining([lost.orderId, heldBefore.orderId, ofLostEvent.orderId]),
    refunded: [unsold.orderId],
    returned: [returned.orderId],
    unknownTickets: [],
  });
  expect(done.soldAgain).toHaveLength(3);
  expect(await codes(ticketing, lost.orderId)).toEqual(lostCodes);
  expect(await statusOf(ticketing, before.orderId)).toBe('fulfilled');
  expect(await statusOf(ticketing, returned.orderId)).toBe('refunding');
  // Repeating the run, as after a crash, has no effect.
  const events = await ticketing.rows('select stream, version from events order by position');
  expect(await catchUpLater(ticketing)).toEqual({
    sales: [],
    soldAgain: [],
    refunded: [],
    returned: [],
    unknownTickets: [],
  });
  expect(await ticketing.rows('select stream, version from events order by position')).toEqual(events);
  for (const { table, before: was, after } of (await rebuild(ticketing.databaseUrl)).tables)
    expect(after, table).toBe(was);

  const again = await ticketing.instance();
  const now = { ...ticketing, ...again };
  expect(await stockOf(now)).toEqual({ capacity: 12, sold: 6, held: 0 });
  expect(await stockOf(now, 43)).toEqual({ capacity: 2, sold: 2, held: 0 });
  const hold = (eventId: number, quantity: number) =>
    call(now.url, 'POST', '/api/holds', {
      body: { eventId, quantity },
      headers: { 'idempotency-key': guestKey(randomUUID()) },
    });
  expect((await hold(43, 1)).body.code).toBe('sold-out');
  expect((await hold(42, 7)).body.code).toBe('not-enough-left');
  expect((await hold(42, 6)).status).toBe(201);

  await eventually(
    async () =>
      (
        await again.deps.store.pool.query(
          `select from checkpoints where name = 'relay' and position = (select max(position) from events)`,
        )
      ).rowCount === 1,
  );
  const all = await heard(ticketing);
  const refunds = all.filter(
    ({ type, data }) =>
      type === 'ticketing.refund-requested' && (data as { orderId: string }).orderId === unsold.orderId,
  );
  expect(new Set(refunds.map(({ id }) => id)).size).toBe(1);
  expect(refunds[0]!.data).toMatchObject({
    paymentId: unsold.paymentIntentId,
    amountCents: unsold.amount,
    reason: 'order-lost',
  });
  // No new message has the id of a message from before the restore, and stock messages have higher versions than
  // consumers' copies.
  const idsBefore = new Map(said.map((one) => [one.id, one]));
  for (const one of all) if (idsBefore.has(one.id)) expect(one.data).toEqual(idsBefore.get(one.id)!.data);
  const stocks = all
    .filter(({ type }) => type === 'ticketing.stock-changed')
    .map(({ data }) => data as { eventId: number; version: number; sold: number; held: number });
  for (const [eventId, sold, held] of [
    [42, 6, 6],
    [43, 2, 0],
  ]) {
    const newest = stocks.filter((one) => one.eventId === eventId).reduce((a, b) => (b.version > a.version ? b : a));
    expect([newest.sold, newest.held]).toEqual([sold, held]);
  }
  for (const check of await invariants(again.deps.pool)) expect(check).toMatchObject({ ok: true });
});

test('a buyer who paid late but before the end keeps the tickets, even if the end was moved since', async () => {
  const ticketing = await onSale(2);
  const { body: late } = await startCheckout(ticketing);
  await lapseHold(ticketing, late);
  const restore = await backup(ticketing);
  expect((await pay(ticketing, late.paymentIntentId)).body.status).toBe('fulfilled');
  await eventually(async () => (await heard(ticketing)).some(({ type }) => type === 'ticketing.ticket-purchased'));
  await ticketing.bus.publish('catalog.events', [
    message(
      'catalog.event-updated',
      'event-42',
      eventState(42, 2, { version: 2, eventDate: '2020-01-02T05:00:00.000Z' }),
    ),
  ]);
  await ticketing.stop();
  await restore();
  expect(await catchUpLater(ticketing)).toMatchObject({ soldAgain: [late.orderId], refunded: [] });
});

test('if other buyers got the tickets in between, the former buyers get a refund', async () => {
  const ticketing = await onSale(2);
  const restore = await backup(ticketing);
  const lost = await buy(ticketing);
  await eventually(async () => (await heard(ticketing)).some(({ type }) => type === 'ticketing.ticket-purchased'));
  await ticketing.stop();
  await restore();
  // Ticketing starts without catching up and sells a ticket.
  const hasty = { ...ticketing, ...(await ticketing.instance()) };
  await buy(hasty, { ticketHolderName: 'Bob' });
  await hasty.stop();
  expect(await catchUpLater(ticketing)).toMatchObject({ soldAgain: [], refunded: [lost.orderId] });
  const again = { ...ticketing, ...(await ticketing.instance()) };
  expect(await stockOf(again)).toEqual({ capacity: 2, sold: 2, held: 0 });
  for (const check of await invariants(again.deps.pool)) expect(check).toMatchObject({ ok: true });
});

test('the catch-up does nothing while ticketing runs', async () => {
  const ticketing = await onSale(2);
  await expect(catchUpLater(ticketing)).rejects.toThrow(/Ticketing runs on this database/);
  // The refused run leaves nothing that blocks the next start.
  expect(await ticketing.rows('select from catching_up')).toEqual([]);
});
