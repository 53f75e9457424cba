import { afterAll, beforeAll, expect, test } from 'vitest';
import type Stripe from 'stripe';
import { eventually } from '@beltway/kit/testing';
import { KEYS, startSandbox, the, type Sandbox } from './harness.ts';

let sandbox: Sandbox;
let stripe: Stripe;
beforeAll(async () => {
  sandbox = await startSandbox();
  stripe = sandbox.stripe();
});
afterAll(() => sandbox.stop());

const paid = (method = 'pm_card_visa') =>
  stripe.paymentIntents.create({
    ...{ amount: 2500, currency: 'usd', payment_method: method, confirm: true },
    allowed_payment_method_types: ['card'],
  });
const codeOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => 'went through',
    (error: Stripe.errors.StripeError) => error.code,
  );
const typesOf = async (intent: string) =>
  (
    await sandbox
      .pool()
      .query<{ type: string }>('select type from events where intent = $1 order by position', [intent])
  ).rows.map(({ type }) => type);
const chargeOf = async ({ latest_charge }: Stripe.PaymentIntent) =>
  stripe.charges.retrieve(typeof latest_charge === 'string' ? latest_charge : the(latest_charge?.id));
const act = async (path: string, body: object = {}) => sandbox.dev('POST', path, body);

test('a refund that fails later returns its money to the charge, and webhooks report it', async () => {
  const intent = await paid();
  const refund = await stripe.refunds.create({ payment_intent: intent.id });
  expect((await act(`/refunds/${refund.id}/fail`)).status).toBe(200);
  expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
  });
  expect(await chargeOf(intent)).toMatchObject({ amount_refunded: 0, refunded: false });
  expect((await typesOf(intent.id)).slice(-3)).toEqual(['refund.updated', 'refund.failed', 'charge.refund.updated']);
  const hook = await eventually(() => sandbox.target.hooks.find(({ event }) => event.type === 'refund.failed'));
  const event = stripe.webhooks.constructEvent(hook.body, hook.signature, KEYS.webhook);
  expect(event.data.object).toMatchObject({ id: refund.id, status: 'failed' });
  expect((await act(`/refunds/${refund.id}/fail`)).status).toBe(400);
  expect((await act('/refunds/re_nobody/fail')).status).toBe(404);
  // After a failed refund, a second refund is possible.
  expect((await stripe.refunds.create({ payment_intent: intent.id })).status).toBe('succeeded');
});

test('a refund to the card whose refunds fail succeeds at first, as with Stripe', async () => {
  const intent = await paid('pm_card_refundFail');
  const refund = await stripe.refunds.create({ payment_intent: intent.id });
  expect(refund.status).toBe('succeeded');
  expect((await stripe.refunds.retrieve(refund.id)).status).toBe('failed');
});

test('a manual refund is full or partial, and never exceeds the remaining amount', async () => {
  const intent = await paid();
  expect((await act(`/intents/${intent.id}/refund`, { amount: 1000 })).body).toMatchObject({ amount: 1000 });
  expect((await act(`/intents/${intent.id}/refund`, { amount: 1501 })).status).toBe(400);
  expect((await act(`/intents/${intent.id}/refund`, { amount: -1 })).status).toBe(400);
  expect((await act(`/intents/${intent.id}/refund`)).body).toMatchObject({ amount: 1500 });
  expect((await act(`/intents/${intent.id}/refund`)).status).toBe(400);
  expect(await chargeOf(intent)).toMatchObject({ amount_refunded: 2500, refunded: true });
});

test('refunds are impossible during a dispute, and possible after it is won', async () => {
  const intent = await paid();
  const { id } = (await act(`/intents/${intent.id}/dispute`)).body as unknown as { id: string };
  expect(await stripe.disputes.retrieve(id)).toMatchObject({
    ...{ object: 'dispute', amount: 2500, status: 'needs_response', reason: 'fraudulent', payment_intent: intent.id },
  });
  expect((await chargeOf(intent)).disputed).toBe(true);
  expect(await codeOf(stripe.refunds.create({ payment_intent: intent.id }))).toBe('charge_disputed');
  expect((await act(`/intents/${intent.id}/dispute`)).status).toBe(400);
  await stripe.disputes.update(id, { evidence: { uncategorized_text: 'a letter' } });
  expect((await stripe.disputes.retrieve(id)).status).toBe('under_review');
  await stripe.disputes.update(id, { evidence: { uncategorized_text: 'winning_evidence' } });
  expect((await stripe.disputes.retrieve(id)).status).toBe('won');
  expect((await typesOf(intent.id)).slice(-5)).toEqual([
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.updated',
    'charge.dispute.closed',
    'charge.dispute.funds_reinstated',
  ]);
  expect(await codeOf(stripe.disputes.close(id))).toBeUndefined();
  expect((await stripe.refunds.create({ payment_intent: intent.id })).status).toBe('succeeded');
});

test.each([
  ['given up', (id: string) => stripe.disputes.close(id)],
  [
    'lost by evidence',
    (id: string) => stripe.disputes.update(id, { evidence: { uncategorized_text: 'losing_evidence' } }),
  ],
  ['lost on the page', (id: string) => act(`/disputes/${id}/close`, { outcome: 'lost' })],
])('a dispute that is %s stays lost', async (_how, lose) => {
  const intent = await paid('pm_card_createDispute');
  const [dispute] = (await stripe.disputes.list({ payment_intent: intent.id })).data;
  await lose(the(dispute).id);
  expect((await stripe.disputes.retrieve(the(dispute).id)).status).toBe('lost');
  expect((await act(`/disputes/${the(dispute).id}/close`, { outcome: 'won' })).status).toBe(400);
  expect(await codeOf(stripe.refunds.create({ payment_intent: intent.id }))).toBe('charge_disputed');
});

test.each([2_400, 2_600])('after a dispute of %i of 2500 cents, that amount cannot be refunded', async (amount) => {
  const intent = await paid();
  const { id } = (await act(`/intents/${intent.id}/dispute`, { amount })).body as unknown as { id: string };
  expect(await stripe.disputes.retrieve(id)).toMatchObject({ amount, status: 'needs_response' });
  expect(await codeOf(stripe.refunds.create({ payment_intent: intent.id, amount: 100 }))).toBe('charge_disputed');
  await stripe.disputes.close(id);
  expect(await codeOf(stripe.refunds.create({ payment_intent: intent.id }))).toBe('charge_disputed');
  expect(await codeOf(stripe.refunds.create({ payment_intent: intent.id, amount: 101 }))).toBe('charge_disputed');
  const rest = stripe.refunds.create({ payment_intent: intent.id, amount: 100 });
  if (amount < 2_500) expect((await rest).status).toBe('succeeded');
  else expect(await codeOf(rest)).toBe('charge_disputed');
  const { data } = await stripe.balanceTransactions.list({ limit: 100 });
  const taken = data.filter(({ source }) => source === id).map((moved) => moved.amount);
  expect(taken).toEqual([-amount]);
});

test('a dispute of a fully refunded charge needs an explicit amount', async () => {
  const intent = await paid();
  await stripe.refunds.create({ payment_intent: intent.id });
  expect((await act(`/intents/${intent.id}/dispute`)).status).toBe(400);
  expect((await act(`/intents/${intent.id}/dispute`, { amount: 0 })).status).toBe(400);
  expect((await act(`/intents/${intent.id}/dispute`, { amount: 2_500 })).status).toBe(200);
});

test('an inquiry withdraws no money until it becomes a dispute, and a lost dispute can be reversed', async () => {
  const intent = await paid();
  const { id } = (await act(`/intents/${intent.id}/dispute`, { isInquiry: true })).body as unknown as { id: string };
  const taken = async () =>
    (await stripe.balanceTransactions.list({ limit: 100 })).data
      .filter(({ source }) => source === id)
      .reduce((sum, moved) => sum + moved.amount, 0);
  expect([(await stripe.disputes.retrieve(id)).status, await taken()]).toEqual(['warning_needs_response', 0]);
  expect((await act(`/disputes/${id}/reverse`)).status).toBe(400);
  await act(`/disputes/${id}/escalate`);
  expect((await act(`/disputes/${id}/escalate`)).status).toBe(400);
  expect([(await stripe.disputes.retrieve(id)).status, await taken()]).toEqual(['needs_response', -2_500]);
  await act(`/disputes/${id}/close`, { outcome: 'lost' });
  await act(`/disputes/${id}/reverse`);
  expect([(await stripe.disputes.retrieve(id)).status, await taken()]).toEqual(['won', 0]);
  expect((await typesOf(intent.id)).slice(-5)).toEqual([
    'charge.dispute.created',
    'charge.dispute.updated',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.closed',
    'charge.dispute.funds_reinstated',
  ]);
  const asked = await paid();
  const inquiry = (await act(`/intents/${asked.id}/dispute`, { isInquiry: true })).body as unknown as { id: string };
  await act(`/disputes/${inquiry.id}/close`, { outcome: 'lost' });
  expect((await stripe.disputes.retrieve(inquiry.id)).status).toBe('warning_closed');
});

test('intents are found by their metadata', async () => {
  const intent = await stripe.paymentIntents.create({ amount: 900, currency: 'usd', metadata: { orderId: 'o-77' } });
  const search = async (query: string) => (await stripe.paymentIntents.search({ query })).data.map(({ id }) => id);
  expect(await search(`metadata['orderId']:'o-77'`)).toEqual([intent.id]);
  expect(await search(`metadata['orderId']:'o-78'`)).toEqual([]);
  expect(await codeOf(search('amount>1'))).toBeUndefined();
});

test('only allowed payment methods can pay, and the parameter of older API versions is refused', async () => {
  const card = await stripe.paymentIntents.create({
    ...{ amount: 900, currency: 'usd', allowed_payment_method_types: ['card'] },
  });
  expect(card).toMatchObject({ payment_method_types: ['card'], automatic_payment_methods: null });
  const bank = { payment_method: 'pm_usBankAccount_success', return_url: 'https://beltway.test' };
  expect(await codeOf(stripe.paymentIntents.confirm(card.id, bank))).toBe('payment_intent_incompatible_payment_method');
  const any = await stripe.paymentIntents.create({ amount: 900, currency: 'usd' });
  expect((await stripe.paymentIntents.confirm(any.id, bank)).status).toBe('processing');
  expect((await stripe.paymentIntents.cancel(any.id)).status).toBe('canceled');
  const old = { amount: 900, currency: 'usd', payment_method_types: ['card'] };
  expect(await codeOf(stripe.paymentIntents.create(old))).toBe('payment_method_types_no_longer_supported');
  expect(
    await codeOf(
      stripe.paymentIntents.create({
        ...{ amount: 900, currency: 'usd', allowed_payment_method_types: ['card'] },
        automatic_payment_methods: { enabled: true },
      }),
    ),
  ).toBe('parameters_exclusive');
});

test('a failure is stored under its idempotency key and changes nothing', async () => {
  const create = (idempotencyKey: string) =>
    stripe.paymentIntents.create({ amount: 900, currency: 'usd', metadata: { orderId: 'o-kept' } }, { idempotencyKey });
  const statusOf = (work: Promise<unknown>) =>
    work.then(
      () => 200,
      (error: Stripe.errors.StripeError) => error.statusCode,
    );
  await sandbox.dev('PUT', '/api', { mode: 'failing' });
  expect(await statusOf(create('k-1'))).toBe(500);
  expect(await statusOf(stripe.paymentIntents.list())).toBe(500);
  await sandbox.dev('PUT', '/api', { mode: 'normal' });
  expect(await statusOf(create('k-1'))).toBe(500);
  expect((await stripe.paymentIntents.search({ query: `metadata['orderId']:'o-kept'` })).data).toEqual([]);
  expect(await statusOf(create('k-2'))).toBe(200);
});

test('the page has a button for each action, and shows the result', async () => {
  const buttons = async () => {
    const html = await (await fetch(`${sandbox.origin()}/dev/payments`)).text();
    return [...html.matchAll(/data-act="([^"]+)" data-body="([^"]+)"[^>]*>([^<]+)</g)].map(([, path, body, text]) => ({
      path: path!,
      body: JSON.parse(body!.replaceAll('&#34;', '"')) as object,
      text: text!,
    }));
  };
  const intent = await paid();
  /** Presses a button of the newest payment. */
  const press = async (text: string) => {
    const found = the((await buttons()).find((button) => button.text.startsWith(text)));
    expect((await act(found.path, found.body)).status).toBe(200);
  };
  expect((await buttons()).slice(0, 3).map(({ text }) => text)).toEqual(['Refund all', 'Refund $12.50', 'Dispute']);
  const html = await (await fetch(`${sandbox.origin()}/dev/payments`)).text();
  expect(html).toContain(`<form class="amount" data-act-form="/intents/${intent.id}/dispute">`);
  await press('Refund $12.50');
  await press('Refund all');
  await press('Let it fail');
  await press('Dispute');
  await press('Lose it');
  expect((await sandbox.dev('GET', '/state')).body.intents[0]).toMatchObject({
    id: intent.id,
    refunds: [{ amount: 1250, status: expect.any(String) }, { amount: 1250 }],
    disputes: [{ amount: 1250, status: 'lost' }],
  });
  await press('Win it after all');
  expect((await sandbox.dev('GET', '/state')).body.intents[0]).toMatchObject({ disputes: [{ status: 'won' }] });
  const other = await sandbox.dev('POST', `/intents/${intent.id}/refund`);
  expect(other.status).toBe(415); // only JSON is accepted, so that another site's form cannot press a button
});
