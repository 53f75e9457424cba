import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rebuild } from '../src/rebuild.ts';
import { reconcile, sweepChecks } from '../src/work/reconciler.ts';
import { anOrder, startStack, type Stack } from './stack.ts';

let stack: Stack;
/** Allows two concurrent calls to the provider. */
beforeAll(async () => void (stack = await startStack({ atOnce: 2 })));
afterAll(() => stack.stop());

const asked = async () => {
  const order = anOrder();
  return { order, paymentId: (await stack.request(order)).body.paymentId as string };
};
const pacing = { pauseMs: 60_000, maxPauseMs: 60_000 };
const tasks = (orderId: string) =>
  stack.query<{ attempts: number }>('select attempts from provider_tasks where payment_id = $1', [orderId]);
const aged = (orderId: string, hours: number) =>
  stack.query('update payments set created_at = now() - make_interval(hours => $2) where id = $1', [orderId, hours]);

// Must run first, because the other tests age rows by hand.
test('a rebuild from the log gives the same read models', async () => {
  for (const card of ['pm_card_visa', 'pm_card_chargeDeclined']) {
    const { order, paymentId } = await asked();
    await stack.pay(paymentId, card);
    await stack.settle(paymentId);
    if (card === 'pm_card_visa') {
      await stack.say('refund-requested', {
        orderId: order.orderId,
        eventId: 7,
        quantity: 2,
        paymentId,
        amountCents: order.amountCents,
        reason: 'too-late',
        requestId: null,
      });
      await stack.eventually(async () => (await stack.events(order.orderId)).includes('PaymentRefunded'));
    } else expect((await stack.cancel(paymentId)).body.status).toBe('canceled');
  }
  const aside = await asked();
  await stack.say('refund-requested', {
    orderId: aside.order.orderId,
    eventId: 7,
    quantity: 2,
    paymentId: aside.paymentId,
    amountCents: aside.order.amountCents,
    reason: 'too-late',
    requestId: null,
  });
  await stack.eventually(async () => (await stack.events(aside.order.orderId)).includes('RefundRequested'));

  const inPart = await asked();
  await stack.pay(inPart.paymentId);
  await stack.settle(inPart.paymentId);
  const returned = { orderId: inPart.order.orderId, eventId: 7, quantity: 1, paymentId: inPart.paymentId };
  const asking = { ...returned, amountCents: 1_000, reason: 'asked', requestId: randomUUID() };
  await stack.say('refund-requested', asking);
  await stack.eventually(async () => (await stack.events(inPart.order.orderId)).includes('PaymentPartlyRefunded'));

  const changed = await asked();
  await stack.pay(changed.paymentId);
  await stack.settle(changed.paymentId);
  const intent = `/intents/${changed.paymentId}`;
  const part = await stack.dashboard(`${intent}/refund`, { amount: 1_000 });
  await stack.dashboard(`${intent}/refund`, { amount: 99 });
  await stack.dashboard(`/refunds/${part.id}/fail`);
  await stack.dashboard(`/disputes/${(await stack.dashboard(`${intent}/dispute`)).id}/close`, { outcome: 'lost' });
  for (const event of await stack.providerEvents(changed.paymentId)) expect((await stack.tell(event)).status).toBe(200);
  expect((await stack.events(changed.order.orderId)).at(-1)).toBe('DisputeLost');

  const { tables } = await rebuild(stack.databaseUrl);
  const ofPayments = ['payments', 'refunds', 'part_refunds', 'ledger_entries', 'alerts'];
  expect(tables.map(({ table }) => table)).toEqual([...ofPayments, 'payout_accounts', 'payouts', 'revenue_days']);
  for (const { table, before, after, rows } of tables) {
    expect(after).toBe(before);
    if (ofPayments.includes(table)) expect(rows).toBeGreaterThan(0);
  }
  expect(Object.values(await stack.invariants()).every((violations) => violations === 0)).toBe(true);
});

test('a payment whose webhook was lost is settled by asking the provider', async () => {
  const { order, paymentId } = await asked();
  await stack.pay(paymentId); // webhooks are lost in this file, and the browser was closed
  expect(await reconcile(stack.deps, 3_600_000, pacing)).toBe(0); // too young
  expect(await reconcile(stack.deps, 0, pacing)).toBeGreaterThan(0);
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested', 'PaymentSucceeded']);
  expect(await tasks(order.orderId)).toEqual([]);
});

test('a payment that stays open is checked with pauses, by one instance at a time', async () => {
  const { order } = await asked();
  const rounds = await Promise.all([
    reconcile(stack.deps, 0, pacing),
    reconcile(stack.deps, 0, pacing),
    reconcile(stack.deps, 0, pacing),
  ]);
  expect(rounds.reduce((a, b) => a + b)).toBe(1);
  expect(await reconcile(stack.deps, 0, pacing)).toBe(0); // during the pause
  await stack.query('update provider_tasks set next_at = now() where payment_id = $1', [order.orderId]);
  expect(await reconcile(stack.deps, 0, pacing)).toBe(1);
  expect(await tasks(order.orderId)).toEqual([{ attempts: 2 }]);
});

test('two instances that find the same payment due ask the provider once', async () => {
  const { order } = await asked();
  const other = await stack.pool.connect();
  await other.query('begin');
  await other.query(
    `insert into provider_tasks (kind, payment_id, attempts, next_at) values ('check', $1, 1, now() + interval '1 minute')`,
    [order.orderId],
  );
  const mine = reconcile(stack.deps, 0, pacing); // finds no claim yet, and waits for the other claim
  await stack.eventually(
    async () =>
      (
        await stack.query(
          `select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like '%provider_tasks%'`,
        )
      ).length,
  );
  await other.query('commit');
  other.release();
  await mine;
  expect(await tasks(order.orderId)).toEqual([{ attempts: 1 }]);
});

test('payments that were settled in another way are no longer due', async () => {
  const { order, paymentId } = await asked();
  await reconcile(stack.deps, 0, pacing);
  expect(await tasks(order.orderId)).toHaveLength(1);
  await sweepChecks(stack.pool);
  expect(await tasks(order.orderId)).toHaveLength(1);
  await stack.cancel(paymentId);
  await sweepChecks(stack.pool);
  expect(await tasks(order.orderId)).toEqual([]);
});

test('pauses double up to their maximum', async () => {
  const { order } = await asked();
  const seconds = [];
  for (let round = 0; round < 5; round++) {
    await reconcile(stack.deps, 0, { pauseMs: 100_000, maxPauseMs: 500_000 });
    const [{ pause } = { pause: 0 }] = await stack.query<{ pause: number }>(
      'select extract(epoch from next_at - now())::int as pause from provider_tasks where payment_id = $1',
      [order.orderId],
    );
    seconds.push(Math.round(pause / 100));
    await stack.query('update provider_tasks set next_at = now() where payment_id = $1', [order.orderId]);
  }
  expect(seconds).toEqual([1, 2, 4, 5, 5]);
});

test('a payment without a success in a day is closed at the provider', async () => {
  const { order, paymentId } = await asked();
  await aged(order.orderId, 25);
  await reconcile(stack.deps, 0, pacing);
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested', 'PaymentCanceled']);
  expect((await stack.stripe.paymentIntents.retrieve(paymentId)).status).toBe('canceled');
});

test('a payment that succeeded is recorded and not closed, even after a day', async () => {
  const { order, paymentId } = await asked();
  await stack.pay(paymentId);
  await aged(order.orderId, 25);
  await reconcile(stack.deps, 0, pacing);
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested', 'PaymentSucceeded']);
});

test('while the provider is down a check is postponed, not lost', async () => {
  const { order, paymentId } = await asked();
  await stack.pay(paymentId);
  await stack.away();
  await reconcile(stack.deps, 0, pacing);
  const [task] = await stack.query<{ last_error: string }>(
    'select last_error from provider_tasks where payment_id = $1',
    [order.orderId],
  );
  expect(task?.last_error).toContain('isn’t responding');
  await stack.back();
  await stack.query('update provider_tasks set next_at = now() where payment_id = $1', [order.orderId]);
  await reconcile(stack.deps, 0, pacing);
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested', 'PaymentSucceeded']);
});

test('a slow provider blocks a few calls but not the service; further calls are refused immediately', async () => {
  const known = await asked();
  await stack.pay(known.paymentId);
  await stack.settle(known.paymentId);
  await stack.tune('api', { mode: 'slow', seconds: 3 });
  let answered = 0;
  const waiting = [stack.request(anOrder()), stack.request(anOrder())];
  for (const one of waiting) void one.then(() => answered++);
  await stack.eventually(() => stack.callsInProgress() === 2);
  const third = await stack.request(anOrder());
  expect(third).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(third.headers.get('retry-after')).toBe('1');
  expect((await stack.settle(known.paymentId)).body.status).toBe('succeeded'); // calls that need no provider continue
  expect(answered).toBe(0); // the slow calls are still in progress
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
  await stack.tune('api', { mode: 'normal' });
  expect((await stack.request(anOrder())).status).toBe(200);
});
