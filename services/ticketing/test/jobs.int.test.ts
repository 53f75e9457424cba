import { expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { expireHolds, settleLapsedPayments } from '../src/checkout/expire-holds.ts';
import { startExpiring, startReturning } from '../src/checkout/jobs.ts';
import { RULES } from '../src/sale/decider.ts';
import { call, message, onSale, startCheckout } from './support.ts';

const MINUTE = 60_000;

async function setup(capacity: number) {
  const ticketing = await onSale(capacity);
  const { deps, rows } = ticketing;
  let buyer = 0;
  const hold = (orderId: string = crypto.randomUUID()) =>
    deps.sales.handle(
      42,
      {
        type: 'HoldTickets',
        orderId,
        wanted: [{ type: 'general', quantity: 1 }],
        buyerId: ++buyer,
        at: deps.clock().toISOString(),
      },
      { commandId: orderId },
    );
  const checkOut = async () => {
    const answer = await startCheckout(ticketing, { quantity: 1, ticketHolderEmail: `ann${++buyer}@example.test` });
    return answer.body as { orderId: string; paymentIntentId: string };
  };
  const count = async (status: string) =>
    Number((await rows('select count(*)::int as n from orders where status = $1', [status]))[0]?.['n']);
  const lease = (name: string, ms: number) =>
    rows(`insert into leases values ($1, gen_random_uuid(), clock_timestamp() + make_interval(secs => $2 / 1000.0))`, [
      name,
      ms,
    ]);
  return { ...ticketing, hold, checkOut, count, lease };
}

test('five thousand lapsed holds are released, each once', async () => {
  const { hold, deps, time, rows, count } = await setup(5_000);
  await Promise.all(Array.from({ length: 5_000 }, () => hold()));
  time.offsetMs = 11 * MINUTE;
  await expireHolds(deps);
  expect(await count('expired')).toBe(5_000);
  expect(await rows(`select count(*)::int as n from events where type = 'HoldReleased'`)).toEqual([{ n: 5_000 }]);
  expect(await rows('select held from availability')).toEqual([{ held: 0 }]);
});

test('while the cancellation of one payment hangs, all other holds are released when they lapse', async () => {
  const { hold, checkOut, deps, time, count, rows } = await setup(100);
  const stuck = await checkOut();
  const others = [];
  for (let n = 0; n < 40; n++) others.push(await checkOut());
  await hold();
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = deps.payments.cancel;
  deps.payments.cancel = async (paymentId) => {
    if (paymentId === stuck.paymentIntentId) await promise;
    return cancel(paymentId);
  };
  time.offsetMs = 5 * MINUTE;
  await hold();
  const late = await checkOut();
  time.offsetMs = 11 * MINUTE;
  const expiring = startExpiring(deps, 20);
  await eventually(async () => (await count('expired')) === 41);
  time.offsetMs = 16 * MINUTE;
  await eventually(async () => (await count('expired')) === 43);
  expect(await rows('select status from orders where order_id = $1', [late.orderId])).toEqual([{ status: 'expired' }]);
  // No transaction is open during the call to payments: the database would end it after ten seconds. Other workers have
  // short ones, and the job that expires holds ends a moment after its last hold.
  const open = async () =>
    (
      await rows(`select pid || ' since ' || xact_start as one from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`)
    ).map(({ one }) => one);
  const opened = await open();
  const isOver = async () => (await open()).every((one) => !opened.includes(one));
  await eventually(isOver, { timeoutMs: 3_000, what: 'the end of the open transactions' });
  const leases = async () => (await rows(`select name from leases`)).map(({ name }) => name).join();
  await eventually(async () => (await leases()) === 'settle lapsed payments', { what: 'the end of the first job' });
  resolve();
  await eventually(async () => (await count('held')) === 0);
  await expiring.stop();
  expect(await rows(`select name from leases`)).toEqual([]);
});

test('while payments is down, the job stops calling it after some failures instead of trying every hold', async () => {
  const { checkOut, deps, fake, time, count } = await setup(100);
  for (let n = 0; n < 80; n++) await checkOut();
  let asked = 0;
  const { cancel } = deps.payments;
  fake.state.down = true;
  deps.payments.cancel = (paymentId) => (asked++, cancel(paymentId));
  time.offsetMs = 11 * MINUTE;
  await settleLapsedPayments(deps);
  expect(await count('held')).toBe(80);
  expect(asked).toBeLessThan(80);
});

test('a hold is not released if a payment was attached after the job read the hold', async () => {
  const { hold, deps, time, count } = await setup(10);
  const orderId = crypto.randomUUID();
  await hold(orderId);
  time.offsetMs = 11 * MINUTE;
  const sales = {
    ...deps.sales,
    handle: async (...command: Parameters<typeof deps.sales.handle>) => {
      // The clock of the instance that attaches the payment is slightly behind, so the hold has not lapsed there.
      const at = new Date(Date.now() + 9 * MINUTE).toISOString();
      await deps.sales.handle(
        42,
        { type: 'AttachPayment', orderId, paymentId: 'pi_in_time', at },
        { commandId: crypto.randomUUID() },
      );
      return deps.sales.handle(...command);
    },
  };
  await expireHolds({ ...deps, sales });
  expect(await count('held')).toBe(1);
});

test('a frozen instance delays a job only until its lease ends, and each job has a separate lease', async () => {
  const { hold, deps, time, count, lease, rows } = await setup(10);
  await hold();
  time.offsetMs = 11 * MINUTE;
  await lease('settle lapsed payments', 60_000);
  await lease('return canceled orders', 60_000);
  await lease('expire holds', 400);
  const expiring = startExpiring(deps, 20);
  await eventually(async () => (await count('expired')) === 1);
  const [took] = await rows(
    `select e.occurred_at >= t.occurred_at + interval '300 milliseconds' as after from events e, events t where e.type = 'HoldReleased' and t.type = 'TicketsHeld'`,
  );
  expect(took).toEqual({ after: true });
  await expiring.stop();
});

test('a cancellation releases more holds than one command, also if its message is handled again after a crash', async () => {
  const { hold, deps, bus, rows, count } = await setup(RULES.releasedAtOnce + 500);
  await Promise.all(Array.from({ length: RULES.releasedAtOnce - 500 }, () => hold()));
  await Promise.all(Array.from({ length: 1_000 }, () => hold()));
  const canceled = message('catalog.event-canceled', 'event-42', { eventId: 42, ownerId: 7, version: 9 });
  // The consumer crashed after its first command.
  await deps.sales.handle(42, { type: 'CloseSale', reason: 'canceled', catalogVersion: 9 }, { commandId: canceled.id });
  expect(await count('held')).toBe(500);
  await bus.publish('catalog.events', [canceled]);
  await eventually(async () => (await count('held')) === 0);
  expect(await rows('select held, closed from availability')).toEqual([{ held: 0, closed: 'canceled' }]);
  expect(
    await rows(
      `select type, count(*)::int as n from events where type in ('SaleClosed', 'HoldReleased') group by type order by type`,
    ),
  ).toEqual([
    { type: 'HoldReleased', n: RULES.releasedAtOnce + 500 },
    { type: 'SaleClosed', n: 1 },
  ]);
});

test('an instance that receives a cancellation returns the tickets immediately, without waiting for the next poll', async () => {
  const { checkOut, fake, url, bus, deps, count, onCanceled } = await setup(10);
  for (let n = 0; n < 3; n++) {
    const { paymentIntentId } = await checkOut();
    fake.become(paymentIntentId, 'succeeded');
    await call(url, 'POST', '/api/process-ticket-purchase', { body: { paymentIntentId } });
  }
  const open = await checkOut();
  const returning = startReturning(deps, 60 * MINUTE);
  onCanceled.push(returning.wake);
  await bus.publish('catalog.events', [
    message('catalog.event-canceled', 'event-42', { eventId: 42, ownerId: 7, version: 9 }),
  ]);
  await eventually(async () => (await count('refunding')) === 3);
  expect(await count('released')).toBe(1);
  // A payment requested before the cancellation can no longer be attached, so it cannot be paid.
  await expect(
    deps.sales.handle(
      42,
      { type: 'AttachPayment', orderId: open.orderId, paymentId: 'pi_too_late', at: deps.clock().toISOString() },
      { commandId: crypto.randomUUID() },
    ),
  ).rejects.toMatchObject({ code: 'hold-gone' });
  await returning.stop();
});
