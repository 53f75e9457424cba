import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconcile } from '../src/work/reconciler.ts';
import { startStack, type Stack } from './stack.ts';

let stack: Stack;
const olga = { id: 3 };
const eve = { id: 4 };
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

let events = 100;
const state = (eventId: number, more: object = {}) => ({
  ...{ eventId, version: 1, ownerId: olga.id, title: 'Go-Go Night', location: 'DC', imageUrl: null },
  ...{ eventDate: '2099-12-05T05:00:00.000Z', eventStartTime: '19:00', eventEndTime: null, description: 'x', tags: [] },
  ...{ hasTickets: false, salesEnabled: false, salesStart: null, salesEnd: null, priceCents: null, capacity: null },
  refundDeadlineHours: 24,
  ...more,
});
/** The catalog publishes an event. Resolves when payments has stored the event. */
async function published(more: object = {}): Promise<number> {
  const eventId = ++events;
  await stack.say('event-published', state(eventId, more), randomUUID(), 'catalog');
  await known(eventId, 'published');
  return eventId;
}
const known = (eventId: number, status: string) =>
  stack.eventually(
    async () =>
      (await stack.query('select 1 from promotable_events where event_id = $1 and status = $2', [eventId, status]))
        .length === 1,
  );
const as = async (person: { id: number }, path: string, body: object) =>
  stack.call('POST', path, body, { authorization: `Bearer ${await stack.identity.tokenFor(person)}` });
const create = (eventId: number | undefined, more: object = {}, person = olga) =>
  as(person, '/api/create-promotion-payment', {
    promotionLevel: 'featured',
    ...(eventId !== undefined && { eventId }),
    ...more,
  });
const confirm = (paymentIntentId: string, person = olga) =>
  as(person, '/api/confirm-promotion-payment', { paymentIntentId });
const intentOf = (clientSecret: string): string => clientSecret.slice(0, clientSecret.indexOf('_secret'));
const rowOf = async (paymentId: string) =>
  (
    await stack.query<{ id: string; status: string }>(
      'select id, status from payments where stripe_payment_intent_id = $1',
      [paymentId],
    )
  )[0]!;
const paidMessages = async (id: string) =>
  (await stack.heard()).filter(({ key, type }) => key === `payment-${id}` && type === 'payments.promotion-paid');

test.each([
  ['featured', 2_999],
  ['premium', 4_999],
] as const)('%s costs %i cents, whatever the page says', async (promotionLevel, amount) => {
  const eventId = await published();
  const { status, body } = await create(eventId, { promotionLevel });
  expect([status, body.amount]).toEqual([200, amount]);
  const intent = await stack.stripe.paymentIntents.retrieve(intentOf(body.clientSecret));
  expect(intent).toMatchObject({
    amount,
    metadata: { purpose: 'promotion', level: promotionLevel, eventId: String(eventId) },
  });
});

test('input that was tampered with is refused, with the reason', async () => {
  const eventId = await published();
  expect(await create(eventId, { amount: 1 })).toMatchObject({
    status: 422,
    body: { code: 'wrong-amount', errors: [{ field: 'amount' }] },
  });
  expect(await create(eventId, { promotionLevel: 'basic' })).toMatchObject({
    status: 422,
    body: { code: 'unknown-promotion', errors: [{ field: 'promotionLevel' }] },
  });
  expect(await create(eventId, { promotionLevel: 'toString' })).toMatchObject({ status: 422 });
  expect(await create(undefined)).toMatchObject({ status: 422, body: { code: 'event-missing' } });
  expect(await create(eventId, { amount: 2_999 })).toMatchObject({ status: 200 });
  expect(
    (await stack.call('POST', '/api/create-promotion-payment', { promotionLevel: 'featured', eventId })).status,
  ).toBe(401);
});

test('only the organizer can promote an event, and only an upcoming event', async () => {
  const eventId = await published();
  expect((await create(eventId, {}, eve)).status).toBe(403);
  expect((await create(2_000_000)).status).toBe(404);
  // The event is unknown, but its message may still arrive.
  const early = await create(eventId + 1);
  expect([early.status, early.headers.get('retry-after')]).toEqual([503, '1']);
  const over = await published({ eventDate: '2024-12-05T05:00:00.000Z' });
  expect(await create(over)).toMatchObject({ status: 409, body: { code: 'event-over' } });
  await stack.say('event-updated', state(eventId, { version: 2, isPostponed: true }), randomUUID(), 'catalog');
  await known(eventId, 'postponed');
  expect(await create(eventId)).toMatchObject({ status: 409, body: { code: 'event-postponed' } });
  await stack.say('event-canceled', { eventId, version: 3, ownerId: olga.id }, randomUUID(), 'catalog');
  await known(eventId, 'canceled');
  // An older message that arrives late does not undo the cancellation.
  await stack.say('event-published', state(eventId), randomUUID(), 'catalog');
  const later = await published();
  expect((await create(later)).status).toBe(200);
  expect(await create(eventId)).toMatchObject({ status: 409, body: { code: 'event-canceled' } });
});

test('a page loaded ten times, even concurrently, has one intent', async () => {
  const eventId = await published();
  const answers = await Promise.all(Array.from({ length: 10 }, () => create(eventId)));
  // While the provider processes the same call, a call that waits too long gets 503 with Retry-After.
  const made = answers.filter(({ status }) => status === 200);
  expect(answers.filter(({ status }) => status !== 200).map(({ status }) => status)).toEqual(
    Array.from({ length: 10 - made.length }, () => 503),
  );
  expect(new Set(made.map(({ body }) => body.clientSecret)).size).toBe(1);
  expect((await create(eventId)).body).toEqual(made[0]!.body);
});

test('a payment whose success is not known yet is not requested twice; the next payment is another purchase', async () => {
  const eventId = await published();
  const first = intentOf((await create(eventId)).body.clientSecret);
  await stack.pay(first);
  const second = intentOf((await create(eventId)).body.clientSecret);
  expect(second).not.toBe(first);
  expect((await rowOf(first)).status).toBe('succeeded');
  expect(await paidMessages((await rowOf(first)).id)).toHaveLength(1);
});

test('browser, webhook and reconciler together start a promotion once', async () => {
  const eventId = await published();
  const paymentId = intentOf((await create(eventId)).body.clientSecret);
  expect(await confirm(paymentId)).toMatchObject({ status: 409, body: { code: 'not-paid' } });
  expect(await stack.pay(paymentId, 'pm_card_chargeDeclined')).toBe('card_declined');
  expect(await confirm(paymentId)).toMatchObject({ status: 409, body: { code: 'not-paid' } });
  await stack.pay(paymentId);
  const told = await stack.providerEvents(paymentId);
  const answers = await Promise.all([
    confirm(paymentId),
    confirm(paymentId),
    ...told.map((event) => stack.tell(event)),
    reconcile(stack.deps, 0, { pauseMs: 1, maxPauseMs: 1 }),
  ]);
  expect(answers[0]).toMatchObject({ status: 200, body: { status: 'paid', eventId, promotionLevel: 'featured' } });
  expect(await paidMessages((await rowOf(paymentId)).id)).toHaveLength(1);
});

test("confirming another account's payment, or a payment for something else, is refused", async () => {
  const eventId = await published();
  const paymentId = intentOf((await create(eventId)).body.clientSecret);
  expect((await confirm(paymentId, eve)).status).toBe(404);
  expect((await confirm('pi_unknown1')).status).toBe(404);
  expect((await confirm('../internal')).status).toBe(400);
});

test('a started promotion is fulfilled; a refused one is refunded completely, once; neither breaks an invariant', async () => {
  const pay = async () => {
    const paymentId = intentOf((await create(await published())).body.clientSecret);
    await stack.pay(paymentId);
    await confirm(paymentId);
    const { id } = await rowOf(paymentId);
    const [message] = await paidMessages(id);
    return { id, paymentId, data: message!.data as object };
  };
  const [started, refused] = [await pay(), await pay()];
  await stack.say('promotion-started', { ...started.data, until: '2099-01-01T00:00:00.000Z' }, randomUUID(), 'catalog');
  for (let n = 0; n < 2; n++)
    await stack.say('promotion-refused', { ...refused.data, reason: 'event-canceled' }, randomUUID(), 'catalog');
  await stack.eventually(async () => (await stack.events(started.id)).includes('PaymentFulfilled'));
  await stack.eventually(async () => (await stack.events(refused.id)).includes('PaymentRefunded'));
  expect((await stack.events(refused.id)).filter((type) => type.startsWith('Refund'))).toEqual(['RefundRequested']);
  expect(
    (await stack.stripe.refunds.list({ payment_intent: refused.paymentId })).data.map(({ amount }) => amount),
  ).toEqual([2_999]);
  expect(await confirm(refused.paymentId)).toMatchObject({ status: 200, body: { status: 'refunded' } });
  await stack.query(`update payments set succeeded_at = succeeded_at - interval '61 seconds' where id = any($1)`, [
    [started.id, refused.id],
  ]);
  const violated = await stack.query(
    `select p.id from payments p left join refunds r using (id) where p.id = any($1) and p.fulfilled_at is null and r.id is null`,
    [[started.id, refused.id]],
  );
  expect(violated).toEqual([]);
});

test('a promotion whose event is canceled is refunded completely, once, and breaks no invariant', async () => {
  const paymentId = intentOf((await create(await published())).body.clientSecret);
  await stack.pay(paymentId);
  await confirm(paymentId);
  const { id } = await rowOf(paymentId);
  const data = (await paidMessages(id))[0]!.data as object;
  await stack.say('promotion-started', { ...data, until: '2099-01-01T00:00:00.000Z' }, randomUUID(), 'catalog');
  await stack.eventually(async () => (await stack.events(id)).includes('PaymentFulfilled'));
  for (let n = 0; n < 2; n++)
    await stack.say('promotion-returned', { ...data, reason: 'event-canceled' }, randomUUID(), 'catalog');
  await stack.eventually(async () => (await stack.events(id)).includes('PaymentRefunded'));
  expect((await stack.stripe.refunds.list({ payment_intent: paymentId })).data.map(({ amount }) => amount)).toEqual([
    2_999,
  ]);
  expect(await confirm(paymentId)).toMatchObject({ status: 200, body: { status: 'refunded' } });
  expect((await stack.invariants())['no payment is both fulfilled and refunded']).toBe(0);
});
