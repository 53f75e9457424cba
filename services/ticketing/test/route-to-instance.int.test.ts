import { expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { call, eventState, guestKey, message, putOnSale, startCheckout, startTicketing, stockOf } from './support.ts';

const IDS = Array.from({ length: 60 }, (_, n) => 42 + n);
const MINUTE = 60_000;

/** Starts two instances, with three sales routed to each. */
async function twoInstances(capacity = 10, timeoutMs?: number) {
  const ticketing = await startTicketing(2, timeoutMs);
  const [one, two] = ticketing.all as [(typeof ticketing.all)[number], (typeof ticketing.all)[number]];
  const instanceFor = (id: number) => (one.urlOf(id) === one.url ? one : two);
  const otherOf = (id: number) => (instanceFor(id) === one ? two : one);
  // URLs differ between runs, and with them the instance of each sale. Selects three sales of each instance, including
  // 42.
  const routedTo = (instance: typeof one) => IDS.filter((id) => instanceFor(id) === instance).slice(0, 3);
  await eventually(() => routedTo(one).length === 3 && routedTo(two).length === 3);
  // The instances find each other. Until then each decides all commands that it receives.
  await eventually(() => IDS.every((id) => two.urlOf(id) === one.urlOf(id)));
  const sales = [...routedTo(one), ...routedTo(two)];
  await putOnSale(ticketing, ...sales.map((id) => eventState(id, capacity)));
  return { ...ticketing, one, two, sales, instanceFor, otherOf };
}

const hold = (url: string, eventId: number, quantity: number, key?: string) =>
  call(url, 'POST', '/api/holds', {
    body: { eventId, quantity },
    headers: key ? { 'idempotency-key': guestKey(key) } : {},
  });

const stock = async (url: string, eventId: number) => {
  const { sold, held } = await stockOf({ url }, eventId);
  return { sold, held };
};

test('one instance decides all commands of a sale, from all senders and via all instances', async () => {
  const { one, two, sales, instanceFor, bus, fake, time, rows } = await twoInstances();

  const everyCaller = async (eventId: number) => {
    const orders = [];
    for (const { url } of [one, two]) {
      const { body } = await hold(url, eventId, 1);
      const headers = { 'x-order-key': body.accessKey };
      expect((await call(url, 'POST', `/api/holds/${body.orderId}/extension`, { headers })).status).toBe(200);
      expect((await call(url, 'DELETE', `/api/holds/${body.orderId}`, { headers })).status).toBe(204);
      await hold(url, eventId, 1); // This hold lapses, for the job that releases lapsed holds.
      const intent = await startCheckout({ url }, { eventId, quantity: 1 });
      orders.push(intent.body);
      fake.become(intent.body.paymentIntentId, 'succeeded');
    }
    const [first, second] = orders;
    const { paymentIntentId } = first;
    await call(two.url, 'POST', '/api/process-ticket-purchase', { body: { paymentIntentId } });
    await bus.publish('payments.events', [
      message('payments.payment-succeeded', second.orderId, {
        paymentId: second.paymentIntentId,
        orderId: second.orderId,
        eventId,
        amountCents: second.amount,
      }),
    ]);
    await eventually(async () => (await stock(one.url, eventId)).sold === 2, { what: `two sold of ${eventId}` });
  };
  await Promise.all(sales.map(everyCaller));
  time.offsetMs = 11 * MINUTE;
  await Promise.all([one.reconcile(), two.reconcile()]);
  for (const eventId of sales) expect(await stock(two.url, eventId)).toEqual({ sold: 2, held: 0 });

  for (const instance of [one, two]) {
    expect(instance.decided.length).toBeGreaterThan(0);
    expect(instance.decided.filter((id) => instanceFor(Number(id)) !== instance)).toEqual([]);
  }
  const refunds = await rows(`select from events where type = 'PaymentNotFulfilled'`);
  expect(refunds).toEqual([]);
});

test('a refusal and a repeat are the same at any instance', async () => {
  const { one, two, sales } = await twoInstances(3);
  for (const eventId of sales) {
    const first = await hold(one.url, eventId, 3, `a-key-of-${eventId}`);
    const again = await hold(two.url, eventId, 3, `a-key-of-${eventId}`);
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    for (const { url } of [one, two]) {
      expect((await hold(url, eventId, 1)).body).toMatchObject({ status: 409, code: 'all-held' });
      expect((await hold(url, eventId, 2, `a-key-of-${eventId}`)).body).toMatchObject({
        status: 422,
        code: 'idempotency-key-reused',
      });
    }
  }
});

test('sales of a hanging instance are routed to the other instance; when it is back, nothing is lost or done twice', async () => {
  const { instanceFor, otherOf, rows } = await twoInstances(10, 1_500);
  const eventId = 42;
  const [target, other] = [instanceFor(eventId), otherOf(eventId)];
  const before = await hold(other.url, eventId, 1, 'before-it-hangs');
  const thaw = target.freeze();

  const asked = hold(target.url, eventId, 1, 'asked-while-it-hangs');
  const [repeated, others] = await Promise.all([
    hold(other.url, eventId, 1, 'asked-while-it-hangs'),
    Promise.all(['a', 'b', 'c'].map((name) => hold(other.url, eventId, 1, `another-key-${name}`))),
  ]);
  expect([repeated, ...others].map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  await eventually(() => other.urlOf(eventId) === other.url, { what: 'the sale to be routed to the other' });
  expect(other.decided.filter((id) => id === '42').length).toBeGreaterThanOrEqual(4);

  thaw();
  expect((await asked).body).toEqual(repeated.body);
  expect((await hold(other.url, eventId, 1, 'before-it-hangs')).body).toEqual(before.body);
  await eventually(() => other.urlOf(eventId) === target.url, { what: 'the sale to be routed back' });
  expect(await stock(other.url, eventId)).toEqual({ sold: 0, held: 5 });
  expect(await rows(`select from events where stream = 'sale-42' and type = 'TicketsHeld'`)).toHaveLength(5);
});

test('sales of a lost instance are routed to the other instance immediately', async () => {
  const { instanceFor, otherOf } = await twoInstances();
  const [target, other] = [instanceFor(42), otherOf(42)];
  await target.stop();
  const holds = await Promise.all(['a', 'b', 'c'].map((name) => hold(other.url, 42, 1, `a-key-${name}-xxxxx`)));
  expect(holds.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(other.urlOf(42)).toBe(other.url);
  expect(await stock(other.url, 42)).toEqual({ sold: 0, held: 3 });
});
