import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelOpenIntents, sweepCancels } from '../src/work/canceled-events.ts';
import { ordersOf } from './orders.ts';
import { anOrder, startStack, type Stack } from './stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack.stop());

const pacing = { pauseMs: 0, maxPauseMs: 0 };
const asked = async (eventId: number) => {
  const order = anOrder({ eventId });
  return { order, paymentId: (await stack.request(order)).body.paymentId as string };
};
async function canceled(eventId: number) {
  await stack.say('event-canceled', { eventId, version: 9, ownerId: 3 }, undefined, 'catalog');
  await stack.eventually(
    async () => (await stack.query('select 1 from canceled_events where event_id = $1', [eventId])).length === 1,
  );
}
const statusOf = async (orderId: string) =>
  (await stack.query<{ status: string }>('select status from payments where id = $1', [orderId]))[0]?.status;

test('the open intents of a canceled event are canceled at the provider; intents of other events are not', async () => {
  const mine = await Promise.all(Array.from({ length: 5 }, () => asked(41)));
  const other = await asked(42);
  expect(await cancelOpenIntents(stack.deps, pacing)).toBe(0);
  await canceled(41);
  await stack.say('event-canceled', { eventId: 41, version: 9, ownerId: 3 }, undefined, 'catalog'); // sent twice
  expect(await cancelOpenIntents(stack.deps, pacing)).toBe(5);
  for (const { order, paymentId } of mine) {
    expect((await stack.deps.provider.retrieve(paymentId)).status).toBe('canceled');
    expect(await statusOf(order.orderId)).toBe('canceled');
  }
  expect((await stack.deps.provider.retrieve(other.paymentId)).status).toBe('requires_payment_method');
  expect(await cancelOpenIntents(stack.deps, pacing)).toBe(0);
  expect(await stack.query('select 1 from provider_tasks')).toEqual([]);
});

test('an intent that turns out to be paid is recorded and then handled like a late payment', async () => {
  const { order, paymentId } = await asked(43);
  await stack.pay(paymentId); // its webhook is lost
  await canceled(43);
  await cancelOpenIntents(stack.deps, pacing);
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested', 'PaymentSucceeded']);
});

test('an intent made after its event was canceled is canceled too', async () => {
  await canceled(44);
  const { order } = await asked(44);
  await cancelOpenIntents(stack.deps, pacing);
  expect(await statusOf(order.orderId)).toBe('canceled');
});

test('while the provider is down, intents wait for their cancellation, and the rate of calls is bounded', async () => {
  await Promise.all(Array.from({ length: 25 }, () => asked(45)));
  await canceled(45);
  await stack.tune('api', { mode: 'failing' });
  expect(await cancelOpenIntents(stack.deps, pacing)).toBe(20);
  await stack.tune('api', { mode: 'normal' });
  expect(await cancelOpenIntents(stack.deps, pacing)).toBe(20);
  expect(await cancelOpenIntents(stack.deps, pacing)).toBe(5);
  expect(await stack.query(`select 1 from payments where event_id = 45 and status = 'open'`)).toEqual([]);
});

test('intents that were settled in another way, or are too old for this worker, are no longer due', async () => {
  const intents = [await asked(47), await asked(47), await asked(48)] as const;
  const [settled, open, old] = intents.map(({ order }) => order.orderId);
  await canceled(47);
  await canceled(48);
  await stack.tune('api', { mode: 'failing' });
  await cancelOpenIntents(stack.deps, pacing);
  await stack.tune('api', { mode: 'normal' });
  const listed = async () =>
    (await stack.query<{ id: string }>(`select payment_id as id from provider_tasks where kind = 'cancel'`)).map(
      ({ id }) => id,
    );
  expect((await listed()).sort()).toEqual([settled, open, old].sort());
  await sweepCancels(stack.pool);
  expect(await listed()).toHaveLength(3);
  // A webhook reports one intent as canceled, and two days pass.
  await stack.cancel(intents[0].paymentId);
  await stack.query(`update canceled_events set canceled_at = now() - interval '49 hours' where event_id = 48`);
  await sweepCancels(stack.pool);
  expect(await listed()).toEqual([open]);
  expect(await cancelOpenIntents(stack.deps, pacing)).toBe(1);
  expect(await listed()).toEqual([]);
});

test('two instances cancel each intent once', async () => {
  const own = await Promise.all(Array.from({ length: 4 }, () => asked(46)));
  await canceled(46);
  let calls = 0;
  const provider = { ...stack.deps.provider, cancel: (id: string) => (calls++, stack.deps.provider.cancel(id)) };
  const slowPacing = { pauseMs: 60_000, maxPauseMs: 60_000 };
  await Promise.all([0, 1].map(() => cancelOpenIntents({ ...stack.deps, provider }, slowPacing)));
  expect(calls).toBe(own.length);
});

test('a cancellation refunds the payments for the event’s tickets, without the amounts that were or are being refunded', async () => {
  const figures = async (eventId: number, organizerId = 3) =>
    (await stack.call('GET', `/internal/events/${eventId}/refundable?organizerId=${organizerId}`)).body;
  expect(await figures(71)).toEqual({ orders: 0, refundCents: 0 });
  const { paid, askRefund, until } = ordersOf(stack);
  const [, parted, gone] = [
    await paid('pm_card_visa', { eventId: 71 }),
    await paid('pm_card_visa', { eventId: 71 }),
    await paid('pm_card_visa', { eventId: 71 }),
  ];
  await paid('pm_card_visa', { eventId: 72 });
  await asked(71);
  expect(await figures(71)).toEqual({ orders: 3, refundCents: 3 * 5_099 });
  await stack.dashboard(`/intents/${parted!.paymentId}/refund`, { amount: 99 });
  for (const event of await stack.providerEvents(parted!.paymentId)) await stack.tell(event);
  await askRefund(gone!, 'refunded-by-organizer');
  await until(gone!.order.orderId, 'PaymentRefunded');
  expect(await figures(71)).toEqual({ orders: 2, refundCents: 5_099 + 5_000 });
  expect(await figures(71, 4)).toEqual({ orders: 0, refundCents: 0 });
  expect((await stack.call('GET', '/internal/events/71/refundable')).status).toBe(400);
});
