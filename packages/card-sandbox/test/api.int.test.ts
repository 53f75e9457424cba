import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import Stripe from 'stripe';
import { eventually } from '@beltway/kit/testing';
import { testCards } from '../src/cards.ts';
import { KEYS, startSandbox, type Sandbox } from './harness.ts';

let sandbox: Sandbox;
let stripe: Stripe;
beforeAll(async () => {
  sandbox = await startSandbox();
  stripe = sandbox.stripe();
});
afterAll(() => sandbox.stop());

const create = (more: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  stripe.paymentIntents.create({ amount: 2500, currency: 'usd', ...more });
const pay = (id: string, method = 'pm_card_visa', more: Stripe.PaymentIntentConfirmParams = {}) =>
  stripe.paymentIntents.confirm(id, { payment_method: method, return_url: 'https://beltway.test/done', ...more });
const refusal = async (work: Promise<unknown>): Promise<Stripe.errors.StripeError> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error('it was not refused');
};
const typesOf = async (intent: string) => {
  const { rows } = await sandbox
    .pool()
    .query<{ type: string }>('select type from events where intent = $1 order by position', [intent]);
  return rows.map((row) => row.type);
};

describe('payment intents', () => {
  test('are created, retrieved, changed and listed', async () => {
    const made = await create({
      metadata: { orderId: 'o-1', note: 'x' },
      description: 'Two tickets',
      receipt_email: 'ann@example.test',
    });
    expect(made).toMatchObject({
      object: 'payment_intent',
      amount: 2500,
      currency: 'usd',
      status: 'requires_payment_method',
      livemode: false,
    });
    expect(made.id).toMatch(/^pi_\w{24}$/);
    expect(made.client_secret).toMatch(new RegExp(`^${made.id}_secret_\\w{25}$`));
    expect(made.lastResponse.requestId).toMatch(/^req_/);
    expect(made.lastResponse.apiVersion).toBe(Stripe.API_VERSION);

    const changed = await stripe.paymentIntents.update(made.id, { amount: 3000, metadata: { note: '', more: 'y' } });
    expect(changed.metadata).toEqual({ orderId: 'o-1', more: 'y' });
    expect(await stripe.paymentIntents.retrieve(made.id)).toMatchObject({ amount: 3000, description: 'Two tickets' });

    const other = await create();
    const page = await stripe.paymentIntents.list({ limit: 1 });
    expect(page).toMatchObject({ has_more: true, data: [{ id: other.id }] });
    expect((await stripe.paymentIntents.list({ limit: 1, starting_after: other.id })).data[0]?.id).toBe(made.id);
    expect((await stripe.paymentIntents.list({ ending_before: made.id })).data.map((intent) => intent.id)).toEqual([
      other.id,
    ]);
  });

  test('charge once', async () => {
    const { id } = await create();
    const paid = await pay(id, 'pm_card_visa', { expand: ['latest_charge', 'payment_method'] });
    expect(paid).toMatchObject({
      status: 'succeeded',
      amount_received: 2500,
      latest_charge: { paid: true, amount: 2500, payment_intent: id },
    });
    expect(paid.payment_method).toMatchObject({ card: { brand: 'visa', last4: '4242' } });
    expect(await typesOf(id)).toEqual(['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded']);

    const again = await refusal(pay(id));
    expect(again).toMatchObject({
      statusCode: 400,
      code: 'payment_intent_unexpected_state',
      type: 'StripeInvalidRequestError',
    });
    expect(again.payment_intent).toMatchObject({ id, status: 'succeeded' });
    expect(await refusal(stripe.paymentIntents.cancel(id))).toMatchObject({ code: 'payment_intent_unexpected_state' });
    expect(await refusal(stripe.paymentIntents.update(id, { amount: 100 }))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
    expect(await stripe.paymentIntents.update(id, { metadata: { seen: '1' } })).toMatchObject({
      amount: 2500,
      metadata: { seen: '1' },
    });
    expect((await stripe.charges.list({ payment_intent: id })).data).toHaveLength(1);
  });

  test('are changed based on their current state, even concurrently', async () => {
    const { id } = await create();
    await sandbox
      .pool()
      .query(
        `update objects set version = version + 1, body = jsonb_set(body::jsonb, '{status}', '"canceled"') where id = $1`,
        [id],
      );
    expect(await refusal(pay(id))).toMatchObject({ code: 'payment_intent_unexpected_state' });
    expect(await typesOf(id)).toEqual(['payment_intent.created']);
  });

  test('charge once when confirmed concurrently', async () => {
    const { id } = await create();
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => pay(id)));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect((await stripe.charges.list({ payment_intent: id })).data).toHaveLength(1);
  });

  test('can be confirmed on creation', async () => {
    const paid = await create({
      confirm: true,
      payment_method: 'pm_card_mastercard',
      return_url: 'https://beltway.test/',
    });
    expect(paid.status).toBe('succeeded');
  });

  test('wait for a confirmation when a method is attached', async () => {
    const { id, status } = await create({
      payment_method: 'pm_card_visa',
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    });
    expect(status).toBe('requires_confirmation');
    expect((await stripe.paymentIntents.confirm(id)).status).toBe('succeeded');
  });

  test('are canceled once', async () => {
    const { id } = await create();
    expect(await stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' })).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'abandoned',
    });
    expect(await typesOf(id)).toEqual(['payment_intent.created', 'payment_intent.canceled']);
    expect((await refusal(pay(id))).message).toContain('status of canceled');
    expect(await refusal(stripe.paymentIntents.cancel(id))).toMatchObject({ code: 'payment_intent_unexpected_state' });
  });

  test.each<[string, object, object]>([
    ['no amount', { currency: 'usd' }, { code: 'parameter_missing', param: 'amount', statusCode: 400 }],
    ['too little', { amount: 49, currency: 'usd' }, { code: 'amount_too_small', param: 'amount' }],
    ['too much', { amount: 100_000_000, currency: 'usd' }, { code: 'amount_too_large' }],
    ['no number', { amount: 'ten', currency: 'usd' }, { code: 'parameter_invalid_integer' }],
    ['an unknown currency', { amount: 500, currency: 'zzz' }, { param: 'currency' }],
    [
      'an unknown parameter',
      { amount: 500, currency: 'usd', ammount: 5 },
      { code: 'parameter_unknown', param: 'ammount' },
    ],
    [
      'an unknown customer',
      { amount: 500, currency: 'usd', customer: 'cus_no' },
      { code: 'resource_missing', statusCode: 404 },
    ],
    ['no email', { amount: 500, currency: 'usd', receipt_email: 'ann' }, { code: 'email_invalid' }],
  ])('refuse %s', async (_name, params, expected) => {
    expect(await refusal(stripe.paymentIntents.create(params as never))).toMatchObject(expected);
  });

  test('are refused if they do not exist or have no payment method', async () => {
    expect(await refusal(stripe.paymentIntents.retrieve('pi_nobody'))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
    expect(await refusal(pay('pi_nobody'))).toMatchObject({ statusCode: 404, code: 'resource_missing' });
    const { id } = await create();
    expect((await refusal(stripe.paymentIntents.confirm(id))).message).toContain('missing a payment method');
  });
});

describe('test cards', () => {
  test.each(
    testCards.filter((card) => card.method).map((card) => [card.method ?? '', card.title, card.behavior] as const),
  )('%s: %s', async (method, _title, behavior) => {
    const { id } = await create();
    if (behavior.kind === 'succeeds') return void expect((await pay(id, method)).status).toBe('succeeded');
    if (behavior.kind === 'challenge') {
      const asked = await pay(id, method);
      expect(asked).toMatchObject({
        status: 'requires_action',
        next_action: { type: 'redirect_to_url', redirect_to_url: { return_url: 'https://beltway.test/done' } },
      });
      return void expect(await typesOf(id)).toEqual(['payment_intent.created', 'payment_intent.requires_action']);
    }
    if (behavior.kind !== 'declines') throw new Error('no card settles later');
    const declined = await refusal(pay(id, method));
    expect(declined).toMatchObject({
      statusCode: 402,
      type: 'StripeCardError',
      code: behavior.code,
      message: behavior.message,
    });
    expect(declined.decline_code).toBe(behavior.declineCode ?? '');
    expect(declined.payment_intent).toMatchObject({
      id,
      status: 'requires_payment_method',
      last_payment_error: { code: behavior.code },
    });
    expect(await typesOf(id)).toEqual(['payment_intent.created', 'charge.failed', 'payment_intent.payment_failed']);
    expect((await pay(id, 'pm_card_visa')).status).toBe('succeeded');
  });
});

describe('refunds', () => {
  const paid = async () => {
    const { id } = await create();
    return pay(id);
  };

  test('can be partial, and never exceed the charge', async () => {
    const { id, latest_charge } = await paid();
    const part = await stripe.refunds.create({
      payment_intent: id,
      amount: 1000,
      reason: 'requested_by_customer',
      metadata: { orderId: 'o-1' },
    });
    expect(part).toMatchObject({
      object: 'refund',
      status: 'succeeded',
      amount: 1000,
      charge: latest_charge,
      payment_intent: id,
    });
    expect((await refusal(stripe.refunds.create({ payment_intent: id, amount: 1501 }))).message).toBe(
      'Refund amount ($15.01) is greater than unrefunded amount on charge ($15.00)',
    );
    expect(await stripe.refunds.create({ charge: String(latest_charge) })).toMatchObject({ amount: 1500 });
    expect(await refusal(stripe.refunds.create({ payment_intent: id }))).toMatchObject({
      code: 'charge_already_refunded',
      statusCode: 400,
    });
    expect(await stripe.charges.retrieve(String(latest_charge))).toMatchObject({
      amount_refunded: 2500,
      refunded: true,
    });
    expect((await stripe.refunds.list({ payment_intent: id })).data).toHaveLength(2);
    expect(await stripe.refunds.retrieve(part.id)).toMatchObject({ id: part.id });
    expect((await typesOf(id)).slice(3)).toEqual([
      'refund.created',
      'charge.refunded',
      'refund.created',
      'charge.refunded',
    ]);
    expect((await stripe.paymentIntents.retrieve(id)).status).toBe('succeeded');
  });

  test('that are requested concurrently return the money once', async () => {
    const { id } = await paid();
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => stripe.refunds.create({ payment_intent: id })),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  test('need a payment', async () => {
    const { id } = await create();
    expect((await refusal(stripe.refunds.create({ payment_intent: id }))).message).toContain(
      'does not have a successful charge',
    );
    expect(await refusal(stripe.refunds.create({ payment_intent: 'pi_nobody' }))).toMatchObject({ statusCode: 404 });
    expect(await refusal(stripe.refunds.create({}))).toMatchObject({ statusCode: 400 });
  });
});

describe('idempotency keys', () => {
  test('return the same response without a second effect', async () => {
    const first = await stripe.paymentIntents.create({ amount: 700, currency: 'usd' }, { idempotencyKey: 'order-1' });
    const again = await stripe.paymentIntents.create({ amount: 700, currency: 'usd' }, { idempotencyKey: 'order-1' });
    expect(again.id).toBe(first.id);
    expect(again.client_secret).toBe(first.client_secret);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined();
    expect(await typesOf(first.id)).toEqual(['payment_intent.created']);
  });

  test('are refused for other parameters and for another call', async () => {
    const { id } = await stripe.paymentIntents.create({ amount: 700, currency: 'usd' }, { idempotencyKey: 'order-2' });
    const expected = { statusCode: 400, type: 'StripeIdempotencyError' };
    expect(
      await refusal(stripe.paymentIntents.create({ amount: 701, currency: 'usd' }, { idempotencyKey: 'order-2' })),
    ).toMatchObject(expected);
    expect(await refusal(stripe.paymentIntents.cancel(id, {}, { idempotencyKey: 'order-2' }))).toMatchObject(expected);
  });

  test('keep a decline, but not the rejection of an invalid request', async () => {
    const { id } = await create();
    const attempt = () =>
      stripe.paymentIntents.confirm(
        id,
        { payment_method: 'pm_card_chargeDeclined', return_url: 'https://b.test/' },
        { idempotencyKey: 'order-3' },
      );
    expect(await refusal(attempt())).toMatchObject({ code: 'card_declined' });
    expect((await refusal(attempt())).headers?.['idempotent-replayed']).toBe('true');
    expect((await stripe.charges.list({ payment_intent: id })).data).toHaveLength(1);

    await refusal(stripe.paymentIntents.create({ amount: 1, currency: 'usd' }, { idempotencyKey: 'order-4' }));
    expect(
      (await stripe.paymentIntents.create({ amount: 900, currency: 'usd' }, { idempotencyKey: 'order-4' })).amount,
    ).toBe(900);
  });

  test('are refused during the first call, and return its response afterwards', async () => {
    const client = await sandbox.pool().connect();
    const send = () => stripe.paymentIntents.create({ amount: 600, currency: 'usd' }, { idempotencyKey: 'order-7' });
    await client.query('begin; lock table objects');
    const first = send();
    await eventually(
      async () =>
        (await sandbox.pool().query(`select from pg_locks where not granted and relation = 'objects'::regclass`))
          .rowCount,
    );
    const early = await refusal(send());
    await client.query('commit');
    client.release();
    expect(early).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
    const { id } = await first;
    expect((await send()).id).toBe(id);
  });

  test('used concurrently have one effect; all other calls get 409 or the same response', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        stripe.paymentIntents.create({ amount: 800, currency: 'usd' }, { idempotencyKey: 'order-5' }),
      ),
    );
    const ids = new Set(results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : [])));
    expect(ids.size).toBe(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ statusCode: 409 });
    const retrying = sandbox.stripe(KEYS.secret, 8);
    const intents = await Promise.all(
      Array.from({ length: 5 }, () =>
        retrying.paymentIntents.create({ amount: 800, currency: 'usd' }, { idempotencyKey: 'order-6' }),
      ),
    );
    expect(new Set(intents.map((intent) => intent.id)).size).toBe(1);
  });
});

describe('keys and the rest of the API', () => {
  test('a wrong key, a publishable key and a missing key are refused', async () => {
    expect(await refusal(sandbox.stripe('sk_test_wrong').paymentIntents.list())).toMatchObject({
      statusCode: 401,
      type: 'StripeAuthenticationError',
    });
    expect(await refusal(sandbox.stripe(KEYS.publishable).paymentIntents.list())).toMatchObject({
      statusCode: 401,
      code: 'secret_key_required',
    });
    expect((await fetch(`${sandbox.origin()}/v1/payment_intents`)).status).toBe(401);
    const odd = await fetch(`${sandbox.origin()}/v1/payment_intents`, { headers: { authorization: 'Bearer é' } });
    expect(odd.status).toBe(401);
  });

  test('calls that the sandbox does not implement get 404', async () => {
    const error = await refusal(stripe.products.list());
    expect(error).toMatchObject({ statusCode: 404 });
    expect(error.message).toContain('Unrecognized request URL (GET: /v1/products)');
  });

  test('customers can be created, and cause events', async () => {
    const customer = await stripe.customers.create({ email: 'ann@example.test', name: 'Ann' });
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ email: 'ann@example.test' });
    const { id } = await create({ customer: customer.id });
    expect((await stripe.paymentIntents.list({ customer: customer.id })).data.map((intent) => intent.id)).toEqual([id]);
    const [event] = (await stripe.events.list({ type: 'customer.created' })).data;
    expect(event).toMatchObject({
      type: 'customer.created',
      data: { object: { id: customer.id } },
      api_version: Stripe.API_VERSION,
    });
    expect(await stripe.events.retrieve(event?.id ?? '')).toMatchObject({ id: event?.id });
    expect(
      (await stripe.events.list({ types: ['customer.*', 'refund.created'], limit: 100 })).data.length,
    ).toBeGreaterThan(1);
  });

  test('the SDK loads all pages of a list automatically', async () => {
    const { id } = await create();
    await Promise.all([1, 2, 3].map((n) => stripe.paymentIntents.update(id, { metadata: { n } })));
    const seen: string[] = [];
    for await (const intent of stripe.paymentIntents.list({ limit: 3 })) {
      seen.push(intent.id);
      if (seen.length === 10) break;
    }
    expect(new Set(seen).size).toBe(10);
  });

  test('a server that allows redirects must send a return URL', async () => {
    const { id } = await create();
    expect((await refusal(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }))).message).toContain(
      'return_url',
    );
  });

  test('the SDK copes with rate limits, failures and lost answers', async () => {
    const retrying = sandbox.stripe(KEYS.secret, 2);
    try {
      await sandbox.dev('PUT', '/api', { mode: 'rate-limited' });
      expect(await refusal(create())).toMatchObject({ statusCode: 429, type: 'StripeRateLimitError' });
      await sandbox.dev('PUT', '/api', { mode: 'failing' });
      expect(await refusal(create())).toMatchObject({ statusCode: 500, type: 'StripeAPIError' });
      await sandbox.dev('PUT', '/api', { mode: 'lost-answers' });
      await refusal(retrying.paymentIntents.create({ amount: 1234, currency: 'usd' }, { idempotencyKey: 'lost-1' }));
      await sandbox.dev('PUT', '/api', { mode: 'normal' });
      const after = await retrying.paymentIntents.create(
        { amount: 1234, currency: 'usd' },
        { idempotencyKey: 'lost-1' },
      );
      expect(after.lastResponse.headers['idempotent-replayed']).toBe('true');
    } finally {
      await sandbox.dev('PUT', '/api', { mode: 'normal' });
    }
  });
});
