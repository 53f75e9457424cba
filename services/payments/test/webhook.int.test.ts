import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Secrets } from '@beltway/kit/secrets';
import { openProvider } from '../src/provider/provider.ts';
import { anOrder, type Stack, startStack, termsOf } from './stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack.stop());

/** An order whose card was declined once and then paid, with all the provider's reports of it. */
async function paidAtSecondTry() {
  const order = anOrder();
  const { paymentId } = (await stack.request(order)).body as { paymentId: string };
  await stack.pay(paymentId, 'pm_card_chargeDeclinedInsufficientFunds');
  await stack.pay(paymentId);
  return { order, paymentId, providerEvents: await stack.providerEvents(paymentId) };
}
const rowsOf = (orderId: string) =>
  stack.query('select account, amount_cents::int as cents from ledger_entries where payment_id = $1 order by account', [
    orderId,
  ]);
const shuffled = <T>(list: T[]): T[] =>
  list
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

test('reports of the provider are recorded; several reports of the same fact are recorded once', async () => {
  const { order, providerEvents } = await paidAtSecondTry();
  expect(providerEvents.map(({ type }) => type)).toEqual([
    'payment_intent.created',
    'charge.failed',
    'payment_intent.payment_failed',
    'charge.succeeded',
    'payment_intent.succeeded',
  ]);
  for (const event of providerEvents)
    expect(await stack.tell(event)).toMatchObject({ status: 200, body: { received: true } });
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested', 'PaymentFailed', 'PaymentSucceeded']);
  expect(await rowsOf(order.orderId)).toEqual([
    { account: 'organizer:3', cents: -4_844 },
    { account: 'platform', cents: -255 },
    { account: 'provider', cents: 5_099 },
  ]);
});

test("a webhook's id is in the log with the log event it caused", async () => {
  const { order, providerEvents } = await paidAtSecondTry();
  const event = providerEvents.find(({ type }) => type === 'payment_intent.succeeded');
  await stack.tell(event ?? {});
  const [{ causation_id } = {}] = await stack.query<{ causation_id: string }>(
    `select causation_id from events where stream = $1 and type = 'PaymentSucceeded' and command_id is not null`,
    [`payment-${order.orderId}`],
  );
  expect(causation_id).toBe(event?.id);
});

test.each(['each five times at once', 'newest first', 'in any order, some twice'])(
  'the result is the same: %s',
  async (how) => {
    const { order, providerEvents } = await paidAtSecondTry();
    if (how === 'each five times at once')
      await Promise.all(providerEvents.flatMap((event) => Array.from({ length: 5 }, () => stack.tell(event))));
    else
      for (const event of how === 'newest first'
        ? providerEvents.reverse()
        : shuffled([...providerEvents, ...providerEvents.slice(2)]))
        await stack.tell(event);
    const events = await stack.events(order.orderId);
    // A decline reported after the success is ignored.
    expect(events.filter((type) => type !== 'PaymentFailed')).toEqual(['PaymentRequested', 'PaymentSucceeded']);
    expect(events.filter((type) => type === 'PaymentFailed').length).toBeLessThanOrEqual(1);
    expect(await rowsOf(order.orderId)).toHaveLength(3);
    expect(
      (await stack.heard()).filter(
        ({ type, data }) =>
          type === 'payments.payment-succeeded' && (data as { orderId: string }).orderId === order.orderId,
      ),
    ).toHaveLength(1);
  },
);

test('a webhook that is repeated much later does not restore an earlier state', async () => {
  const order = anOrder();
  const { paymentId } = (await stack.request(order)).body as { paymentId: string };
  const event = (type: string, change: object) => {
    const object = {
      object: 'payment_intent',
      id: paymentId,
      amount: 5_099,
      currency: 'usd',
      metadata: { orderId: order.orderId },
      ...change,
    };
    return { id: `evt_${randomUUID()}`, type: `payment_intent.${type}`, data: { object } };
  };
  const processing = event('processing', { status: 'processing' });
  const failed = event('payment_failed', {
    status: 'requires_payment_method',
    last_payment_error: { code: 'debit_refused', payment_method: { id: 'pm_1' } },
  });
  for (const one of [processing, failed, processing, failed]) expect((await stack.tell(one)).status).toBe(200);
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested', 'PaymentProcessing', 'PaymentFailed']);
});

test('concurrent webhook, settle and cancel record one success', async () => {
  const { order, paymentId, providerEvents } = await paidAtSecondTry();
  await Promise.all([
    ...providerEvents.map((event) => stack.tell(event)),
    stack.settle(paymentId),
    stack.cancel(paymentId),
    stack.settle(paymentId),
  ]);
  expect((await stack.events(order.orderId)).filter((type) => type === 'PaymentSucceeded')).toHaveLength(1);
});

test('a webhook without a valid, fresh signature is refused and nothing is stored', async () => {
  const { order, providerEvents } = await paidAtSecondTry();
  const event = providerEvents.at(-1) ?? {};
  const payload = JSON.stringify(event);
  const now = Math.floor(Date.now() / 1000);
  const signed = stack.stripe.webhooks.generateTestHeaderString({ payload, secret: 'whsec_payments1', timestamp: now });
  const refused = [
    await stack.tell(event, { secret: 'whsec_somebody_else' }),
    await stack.tell(event, { at: now - 301 }),
    await stack.call('POST', '/api/stripe/webhook', payload),
    await stack.call('POST', '/api/stripe/webhook', payload, { 'stripe-signature': 'nonsense' }),
    await stack.call('POST', '/api/stripe/webhook', payload, {
      'stripe-signature': signed.replace(/t=\d+/, `t=${now + 1}`),
    }),
    await stack.call('POST', '/api/stripe/webhook', payload.replace('5099', '1'), { 'stripe-signature': signed }),
    await stack.call('POST', '/api/stripe/webhook', '', { 'stripe-signature': signed }),
  ];
  for (const answer of refused) expect(answer).toMatchObject({ status: 400, body: { code: 'bad-signature' } });
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested']);
  expect((await stack.tell(event, { at: now - 290 })).status).toBe(200);
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested', 'PaymentSucceeded']);
});

test('badly signed webhooks from an IP address get 400 up to 60 times a minute, then 429; well signed webhooks are never counted', async () => {
  const { providerEvents } = await paidAtSecondTry();
  const event = providerEvents.at(-1) ?? {};
  const from = (address: string, signature?: string) =>
    stack.call('POST', '/api/stripe/webhook', JSON.stringify(event), {
      'x-forwarded-for': address,
      ...(signature !== undefined && { 'stripe-signature': signature }),
    });
  const signed = () =>
    stack.stripe.webhooks.generateTestHeaderString({ payload: JSON.stringify(event), secret: 'whsec_payments1' });
  const statuses = [];
  for (let n = 0; n < 61; n++) statuses.push((await from('203.0.113.60', n % 2 ? 'nonsense' : undefined)).status);
  expect(statuses).toEqual([...Array<number>(60).fill(400), 429]);
  const refused = await from('203.0.113.60');
  expect([refused.status, refused.body.code]).toEqual([429, 'too-many-requests']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await from('203.0.113.61')).status).toBe(400);
  for (let n = 0; n < 70; n++) expect((await from('203.0.113.60', signed())).status).toBe(200);
});

test('signed bytes that are not an event are refused', async () => {
  for (const body of ['nonsense', '{}', '[]', '{"id":"evt_1"}']) {
    const signature = stack.stripe.webhooks.generateTestHeaderString({ payload: body, secret: 'whsec_payments1' });
    expect((await stack.call('POST', '/api/stripe/webhook', body, { 'stripe-signature': signature })).status).toBe(400);
  }
});

test('reports of ignored types or about other products’ payments get 200 and are dropped', async () => {
  const events = async () => (await stack.query<{ n: string }>('select count(*) as n from events'))[0]?.n;
  const before = await events();
  const foreign = await stack.stripe.paymentIntents.create({
    amount: 900,
    currency: 'usd',
    automatic_payment_methods: { enabled: true },
  });
  await stack.pay(foreign.id);
  for (const event of await stack.providerEvents(foreign.id)) expect((await stack.tell(event)).status).toBe(200);
  expect(
    (await stack.tell({ id: 'evt_x', object: 'event', type: 'customer.created', data: { object: { id: 'cus_1' } } }))
      .status,
  ).toBe(200);
  expect(await events()).toBe(before);
});

test("a signed report from an organizer's account pays for nothing, whatever its content", async () => {
  const order = anOrder();
  const { paymentId } = (await stack.request(order)).body as { paymentId: string };
  const forged = anOrder();
  const of = ({ orderId, eventId, organizerId }: typeof order, id: string) => ({
    ...{ object: 'payment_intent', id, amount: 50, amount_received: 50, currency: 'usd', status: 'succeeded' },
    metadata: { purpose: 'tickets', orderId, eventId: String(eventId), organizerId: String(organizerId) },
  });
  const told = [
    { type: 'payment_intent.succeeded', object: of(order, paymentId) },
    { type: 'payment_intent.succeeded', object: of(forged, 'pi_of_another_account') },
    { type: 'payment_intent.canceled', object: { ...of(order, paymentId), status: 'canceled' } },
    {
      type: 'charge.dispute.created',
      object: {
        ...{ object: 'dispute', id: 'dp_theirs', amount: 5_099, currency: 'usd', status: 'lost', reason: 'fraudulent' },
        payment_intent: paymentId,
      },
    },
  ];
  for (const { type, object } of told)
    expect(
      (await stack.tell({ id: `evt_${randomUUID()}`, type, account: 'acct_theirs', data: { object } })).status,
    ).toBe(200);
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested']);
  expect(await stack.events(forged.orderId)).toEqual([]);
});

test('a webhook that arrives before our own record is not lost, but recorded together with the payment', async () => {
  const order = anOrder();
  // The provider made the intent, but we crashed before recording it.
  const intent = await stack.deps.provider.request(termsOf(order), order, `beltway-payment-${order.orderId}`);
  await stack.pay(intent.id);
  for (const event of (await stack.providerEvents(intent.id)).reverse())
    expect((await stack.tell(event)).status).toBe(200);
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested', 'PaymentSucceeded']);
  expect((await stack.request(order)).body).toEqual({ paymentId: intent.id, clientSecret: intent.client_secret });
  expect((await stack.settle(intent.id)).body.status).toBe('succeeded');
});

test('a webhook with an unknown shape does not count as handled, so that it is delivered again', async () => {
  const { providerEvents } = await paidAtSecondTry();
  const event = structuredClone(providerEvents.at(-1)) as unknown as {
    id: string;
    data: { object: Record<string, unknown> };
  };
  event.id = `evt_${randomUUID()}`;
  delete event.data.object['status'];
  expect((await stack.tell(event)).status).toBe(500);
});

test('fields that differ between API versions are ignored', async () => {
  const { order, providerEvents } = await paidAtSecondTry();
  const event = structuredClone(providerEvents.at(-1)) as unknown as {
    api_version: string;
    data: { object: Record<string, unknown> };
  };
  event.api_version = '2031-01-01.future';
  const { id, object, amount, currency, status, metadata } = event.data.object;
  event.data.object = { id, object, amount, currency, status, metadata, brand_new: { field: [1] } };
  expect((await stack.tell(event)).status).toBe(200);
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested', 'PaymentSucceeded']);
});

test('while the database is down the provider is asked to retry', async () => {
  const { order, paymentId, providerEvents } = await paidAtSecondTry();
  const event = providerEvents.at(-1) ?? {};
  // Also sends a report without our metadata, which requires reading our rows.
  const bare = {
    id: `evt_${randomUUID()}`,
    type: 'charge.succeeded',
    data: {
      object: {
        object: 'charge',
        id: 'ch_1',
        amount: 5_099,
        currency: 'usd',
        status: 'succeeded',
        captured: true,
        payment_intent: paymentId,
      },
    },
  };
  stack.database.cut();
  const answers = await Promise.all([
    stack.tell(event),
    stack.tell(bare),
    stack.request(anOrder()),
    stack.settle(paymentId),
  ]);
  await stack.database.mend();
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
  expect((await stack.tell(event)).status).toBe(200);
  expect(await stack.events(order.orderId)).toEqual(['PaymentRequested', 'PaymentSucceeded']);
});

test('with the sandbox’s own deliveries, repeated and shuffled, the payment is completed', async () => {
  await stack.tune('webhooks', { mode: 'shuffled', seconds: 0.3 });
  const order = anOrder();
  const { paymentId } = (await stack.request(order)).body as { paymentId: string };
  await stack.pay(paymentId, 'pm_card_chargeDeclined');
  await stack.tune('webhooks', { mode: 'doubled' });
  await stack.pay(paymentId);
  await stack.eventually(async () => (await stack.events(order.orderId)).includes('PaymentSucceeded'), {
    what: 'the success',
  });
  await stack.tune('webhooks', { mode: 'lost' });
});

test('while the webhook secret is rotated, signatures with either secret are accepted, and no others', () => {
  const sdk = new Stripe('sk_test_rotation');
  const payload = JSON.stringify({
    ...{ id: 'evt_rotation', object: 'event', type: 'payout.paid', created: 1, livemode: false },
    data: { object: { id: 'po_1', object: 'payout' } },
  });
  const signedWith = (secret: string) => sdk.webhooks.generateTestHeaderString({ payload, secret });
  const isBelieved = (webhookSecret: Secrets, by: string, connectWebhookSecret?: Secrets) => {
    const provider = openProvider({ secretKey: 'sk_test_rotation', webhookSecret, connectWebhookSecret });
    try {
      provider.verify(Buffer.from(payload), signedWith(by));
      return true;
    } catch {
      return false;
    }
  };
  for (const secrets of [
    ['whsec_old12345', 'whsec_new12345'],
    ['whsec_new12345', 'whsec_old12345'],
  ] as const) {
    expect(isBelieved(secrets, 'whsec_old12345')).toBe(true);
    expect(isBelieved(secrets, 'whsec_new12345')).toBe(true);
    expect(isBelieved(secrets, 'whsec_other123')).toBe(false);
    expect(isBelieved('whsec_first123', 'whsec_new12345', secrets)).toBe(true);
  }
  expect(isBelieved(['whsec_new12345'], 'whsec_old12345')).toBe(false);
});
