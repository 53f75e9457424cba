import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Provider } from '../src/provider/provider.ts';
import { cancelStrays, sweepAttempts } from '../src/work/strays.ts';
import { anOrder, type Stack, startStack, termsOf } from './stack.ts';

let stack: Stack;
/** Set by a test: runs after the provider made the intent and before we receive its response. */
let afterRequest: (key: string) => unknown = () => undefined;
const wrap = (provider: Provider): Provider => ({
  ...provider,
  request: async (terms, wording, key) => {
    const intent = await provider.request(terms, wording, key);
    await afterRequest(key);
    return intent;
  },
});
beforeAll(async () => void (stack = await startStack({ wrap })));
afterAll(() => stack.stop());
beforeEach(async () => {
  afterRequest = () => undefined;
  await stack.tune('api', { mode: 'normal' });
  await stack.query('delete from intent_attempts');
  await stack.query('delete from provider_tasks');
});

const intentsOf = async (orderId: string) =>
  (await stack.stripe.paymentIntents.search({ query: `metadata['orderId']:'${orderId}'` })).data;
const often = { pauseMs: 0, maxPauseMs: 0 };
const aged = (orderId: string) =>
  stack.query(`update intent_attempts set failed_at = now() - interval '10 minutes' where order_id = $1`, [orderId]);

test("a fault that the provider stores under the key does not block the buyer's next try", async () => {
  const order = anOrder();
  await stack.tune('api', { mode: 'failing' });
  expect((await stack.request(order)).status).toBe(503);
  await stack.tune('api', { mode: 'normal' });
  const second = await stack.request(order);
  expect(second.status).toBe(200);
  expect(await stack.pay(second.body.paymentId)).toBe('paid');
  expect((await stack.request(order)).body).toEqual(second.body);
  expect(await intentsOf(order.orderId)).toHaveLength(1);
});

test('the next key survives restarts, and each cached fault advances it', async () => {
  const order = anOrder();
  await stack.tune('api', { mode: 'failing' });
  for (let n = 0; n < 3; n++) expect((await stack.request(order)).status).toBe(503);
  expect(await stack.query('select attempt from intent_attempts where order_id = $1', [order.orderId])).toEqual([
    { attempt: 3 },
  ]);
  await stack.tune('api', { mode: 'normal' });
  expect((await stack.request(order)).status).toBe(200);
});

test('after a response is lost in transit, the key stays the same, and the same intent is found again', async () => {
  const order = anOrder();
  await stack.tune('api', { mode: 'lost-answers' });
  expect((await stack.request(order)).status).toBe(503);
  await stack.tune('api', { mode: 'normal' });
  expect((await stack.request(order)).status).toBe(200);
  expect(await intentsOf(order.orderId)).toHaveLength(1);
  expect(await stack.query('select 1 from intent_attempts where order_id = $1', [order.orderId])).toEqual([]);
});

test('when two calls make an intent under different keys, both return the same intent, and the other intent is canceled', async () => {
  const order = anOrder();
  let arrived = 0;
  let go = (): void => undefined;
  const both = new Promise<void>((resolve) => (go = resolve));
  afterRequest = async () => {
    if (++arrived === 2) go();
    await both;
  };
  const first = stack.request(order);
  await stack.eventually(() => arrived === 1);
  // Another call then gets a fault, so the call after it uses another key.
  await stack.query('insert into intent_attempts (order_id, attempt, failed_at) values ($1, 1, now())', [
    order.orderId,
  ]);
  const answers = await Promise.all([first, stack.request(order)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[0].body).toEqual(answers[1].body);
  const made = await intentsOf(order.orderId);
  expect(made).toHaveLength(2);
  expect(made.filter(({ status }) => status !== 'canceled').map(({ id }) => id)).toEqual([answers[0].body.paymentId]);
});

test('if a failed call created an intent after all, that intent is found and canceled once no call is using it', async () => {
  const order = anOrder();
  // The provider made the intent but returned a cached fault; then we crashed.
  const stray = await stack.deps.provider.request(termsOf(order), order, `beltway-payment-${order.orderId}`);
  await stack.query('insert into intent_attempts (order_id, attempt, failed_at) values ($1, 1, now())', [
    order.orderId,
  ]);
  const counted = (await stack.request(order)).body as { paymentId: string };
  expect(counted.paymentId).not.toBe(stray.id);
  expect(await cancelStrays(stack.deps, often)).toBe(0); // too young
  await aged(order.orderId);
  expect(await cancelStrays(stack.deps, often)).toBe(1);
  expect((await stack.deps.provider.retrieve(stray.id)).status).toBe('requires_payment_method'); // still too young
  expect(await cancelStrays(stack.deps, often, -1_000)).toBe(1);
  expect((await stack.deps.provider.retrieve(stray.id)).status).toBe('canceled');
  expect(await stack.pay(counted.paymentId)).toBe('paid');
  expect(await cancelStrays(stack.deps, often, -1_000)).toBe(1);
  expect((await stack.settle(counted.paymentId)).body.status).toBe('succeeded');
});

test('an orphaned intent of an order that was never recorded is also canceled, and if it is paid, the payment is refunded', async () => {
  const order = anOrder();
  const terms = termsOf(order);
  const open = await stack.deps.provider.request(terms, order, `a-${order.orderId}`);
  const paid = await stack.deps.provider.request(terms, order, `b-${order.orderId}`);
  await stack.pay(paid.id);
  await stack.query('insert into intent_attempts (order_id, attempt, failed_at) values ($1, 1, now())', [
    order.orderId,
  ]);
  for (let n = 0; n < 2; n++) await cancelStrays(stack.deps, often, -1_000);
  expect((await stack.deps.provider.retrieve(open.id)).status).toBe('canceled');
  expect((await stack.stripe.refunds.list({ payment_intent: paid.id })).data).toHaveLength(1);
});

test('an order is deleted when the provider has deleted its keys', async () => {
  const order = anOrder();
  await stack.query(`insert into intent_attempts values ($1, 1, now() - interval '26 hours')`, [order.orderId]);
  await sweepAttempts(stack.deps);
  expect(await stack.query('select 1 from intent_attempts')).toEqual([]);
});

test('a payment method that settles in days is refused by the provider, because tickets cannot be held that long', async () => {
  const order = anOrder();
  const { paymentId } = (await stack.request(order)).body as { paymentId: string };
  expect(await stack.pay(paymentId, 'pm_usBankAccount_success')).toBe('payment_intent_incompatible_payment_method');
  expect((await stack.settle(paymentId)).body.status).toBe('open');
  expect(await stack.pay(paymentId)).toBe('paid');

  const anyMethod = await stack.stripe.paymentIntents.create({ amount: 900, currency: 'usd' });
  expect(await stack.pay(anyMethod.id, 'pm_usBankAccount_success')).toBe('paid');
  expect((await stack.deps.provider.retrieve(anyMethod.id)).status).toBe('processing');
});
