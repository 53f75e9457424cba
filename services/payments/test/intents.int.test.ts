import { afterAll, beforeAll, expect, test } from 'vitest';
import { DecidedPayments, RequestedPayment, SettledPayment } from '@beltway/contracts/payments/payments';
import { anOrder, type Stack, startStack, termsOf } from './stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack.stop());

const asked = async (change = {}) => {
  const order = anOrder(change);
  const { status, body } = await stack.request(order);
  expect(status).toBe(200);
  return { order, paymentId: RequestedPayment.parse(body).paymentId, clientSecret: body.clientSecret as string };
};
const intentsOf = async (orderId: string) =>
  (await stack.stripe.paymentIntents.list({ limit: 100 })).data.filter(
    ({ metadata }) => metadata['orderId'] === orderId,
  );

test('an order gets one intent, with its full description at the provider and a record here', async () => {
  const { order, paymentId, clientSecret } = await asked();
  const intent = await stack.stripe.paymentIntents.retrieve(paymentId);
  expect(intent).toMatchObject({
    amount: 5_099,
    currency: 'usd',
    client_secret: clientSecret,
    description: order.description,
    receipt_email: null,
    metadata: { purpose: 'tickets', orderId: order.orderId, eventId: '7', organizerId: '3', buyerId: '9' },
  });
  expect(
    await stack.query(
      'select id, user_id, event_id, order_id, stripe_payment_intent_id, amount, status, promotion_type from payments where id = $1',
      [order.orderId],
    ),
  ).toEqual([
    {
      id: order.orderId,
      user_id: 9,
      event_id: 7,
      order_id: order.orderId,
      stripe_payment_intent_id: paymentId,
      amount: 5_099,
      status: 'open',
      promotion_type: null,
    },
  ]);
});

test('the same order again gets the same intent, without asking the provider', async () => {
  const { order, paymentId, clientSecret } = await asked();
  await stack.away();
  try {
    expect((await stack.request(order)).body).toEqual({ paymentId, clientSecret });
  } finally {
    await stack.back();
  }
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested']);
});

test('concurrent requests for an order get one intent', async () => {
  const order = anOrder();
  const answers = await Promise.all(Array.from({ length: 5 }, () => stack.request(order)));
  const good = answers.filter(({ status }) => status === 200);
  expect(good.length).toBeGreaterThan(0);
  expect(new Set(good.map(({ body }) => body.paymentId)).size).toBe(1);
  expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
  expect(await intentsOf(order.orderId)).toHaveLength(1);
});

test('an order requested again with different terms is refused, even if only the provider has the first request', async () => {
  const { order } = await asked();
  for (const change of [{ amountCents: 1_000 }, { eventId: 8 }, { organizerId: 4 }, { buyerId: null }])
    expect(await stack.request({ ...order, ...change })).toMatchObject({
      status: 422,
      body: { code: 'payment-changed' },
    });

  const forgotten = anOrder({ buyerId: null });
  await stack.deps.provider.request(termsOf(forgotten), forgotten, `beltway-payment-${forgotten.orderId}`);
  expect(await stack.request({ ...forgotten, amountCents: 1_000 })).toMatchObject({
    status: 422,
    body: { code: 'payment-changed' },
  });
});

test('the client secret is stored sealed', async () => {
  const { clientSecret } = await asked();
  const [{ found } = {}] = await stack.query<{ found: string }>(
    'select count(*) as found from events where data::text like $1',
    [`%${clientSecret}%`],
  );
  expect(found).toBe('0');
});

test('a request that the provider refuses is 422 with its message, and stores nothing', async () => {
  const order = anOrder({ amountCents: 10 });
  expect(await stack.request(order)).toMatchObject({
    status: 422,
    body: { code: 'payment-refused', detail: expect.stringContaining('at least') },
  });
  expect(await stack.events(order.orderId)).toEqual([]);
});

test('invalid bodies, unknown payments and callers without access are refused', async () => {
  expect((await stack.request({ ...anOrder(), amountCents: 0 })).status).toBe(400);
  expect((await stack.request({ ...anOrder(), surprise: 1 } as never)).status).toBe(400);
  expect((await stack.settle('pi_unknown_payment')).status).toBe(404);
  expect((await stack.cancel('pi_unknown_payment')).status).toBe(404);
  expect((await stack.settle('nonsense')).status).toBe(404);
  for (const [method, path] of [
    ['POST', '/internal/payments'],
    ['POST', '/internal/payments/pi_unknown_payment/settle'],
    ['POST', '/internal/payments/decided'],
    ['GET', '/internal/invariants'],
    ['GET', '/internal/config'],
  ] as const)
    expect(
      (await stack.call(method, path, method === 'POST' ? {} : undefined, { 'x-internal-token': 'wrong' })).status,
    ).toBe(403);
});

test('the final states of many payments are returned immediately, without asking the provider', async () => {
  const [open, paid, canceled] = [await asked(), await asked(), await asked()];
  await stack.pay(paid.paymentId);
  await stack.settle(paid.paymentId);
  await stack.cancel(canceled.paymentId);
  const paymentIds = [open, paid, canceled].map(({ paymentId }) => paymentId);
  await stack.away();
  const { status, body } = await stack.call('POST', '/internal/payments/decided', {
    paymentIds: [...paymentIds, paymentIds[1], 'pi_unknown_payment'],
  });
  await stack.back();
  expect(status).toBe(200);
  const { payments } = DecidedPayments.parse(body);
  expect(payments.toSorted((a, b) => a.status.localeCompare(b.status))).toEqual([
    { paymentId: paymentIds[2], orderId: canceled.order.orderId, eventId: 7, amountCents: 5_099, status: 'canceled' },
    { paymentId: paymentIds[1], orderId: paid.order.orderId, eventId: 7, amountCents: 5_099, status: 'succeeded' },
  ]);
});

test("settling returns the provider's state, and records that state once", async () => {
  const { order, paymentId } = await asked();
  const settled = { paymentId, orderId: order.orderId, eventId: 7, amountCents: 5_099 };
  expect(SettledPayment.parse((await stack.settle(paymentId)).body)).toEqual({ ...settled, status: 'open' });

  expect(await stack.pay(paymentId, 'pm_card_chargeDeclined')).toBe('card_declined');
  expect((await stack.settle(paymentId)).body).toEqual({ ...settled, status: 'open' });
  expect((await stack.settle(paymentId)).body).toEqual({ ...settled, status: 'open' });
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested', 'PaymentFailed']);

  expect(await stack.pay(paymentId)).toBe('paid');
  const answers = await Promise.all([stack.settle(paymentId), stack.settle(paymentId), stack.settle(paymentId)]);
  for (const { body } of answers) expect(body).toEqual({ ...settled, status: 'succeeded' });
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested', 'PaymentFailed', 'PaymentSucceeded']);

  await stack.away();
  expect((await stack.settle(paymentId)).body.status).toBe('succeeded'); // final: the provider is not asked
  await stack.back();
});

test('a card that requires a challenge is `action` until it is answered', async () => {
  const { order, paymentId } = await asked();
  await stack.pay(paymentId, 'pm_card_authenticationRequired');
  expect((await stack.settle(paymentId)).body.status).toBe('action');
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested']);
});

test('canceling cancels an unpaid payment, at the provider and here', async () => {
  const { order, paymentId } = await asked();
  expect((await stack.cancel(paymentId)).body.status).toBe('canceled');
  expect((await stack.cancel(paymentId)).body.status).toBe('canceled');
  expect((await stack.stripe.paymentIntents.retrieve(paymentId)).status).toBe('canceled');
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested', 'PaymentCanceled']);
});

test('canceling an intent that was paid in the meantime records the payment', async () => {
  const { order, paymentId } = await asked();
  await stack.pay(paymentId);
  expect((await stack.cancel(paymentId)).body.status).toBe('succeeded');
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested', 'PaymentSucceeded']);
});

test('while the provider is down, requests get 503 with a time to retry; afterwards they succeed', async () => {
  const { paymentId } = await asked();
  const order = anOrder();
  await stack.away();
  for (const answer of [await stack.request(order), await stack.settle(paymentId), await stack.cancel(paymentId)]) {
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  await stack.back();
  expect((await stack.request(order)).status).toBe(200);
  for (const mode of ['failing', 'rate-limited'] as const) {
    await stack.tune('api', { mode });
    expect((await stack.settle(paymentId)).status).toBe(503);
    await stack.tune('api', { mode: 'normal' });
    expect((await stack.settle(paymentId)).status).toBe(200);
  }
});

test('if the provider’s response is lost in transit, the retry creates no second intent', async () => {
  const order = anOrder();
  await stack.tune('api', { mode: 'lost-answers', share: 1 });
  expect((await stack.request(order)).status).toBe(503);
  await stack.tune('api', { mode: 'normal' });
  expect((await stack.request(order)).status).toBe(200);
  expect(await intentsOf(order.orderId)).toHaveLength(1);
});

test('the frontend gets the publishable key and no other key', async () => {
  expect((await stack.call('GET', '/internal/config')).body).toEqual({
    publishableKey: 'pk_test_payments',
    sandbox: true,
  });
});
