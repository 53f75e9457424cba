import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { unavailable } from '@beltway/kit/problems';
import { call, onSale, startCheckout, stockOf, type Answer, type Ticketing } from './support.ts';

const CAPACITY = 40;

async function setup() {
  const ticketing = await onSale(CAPACITY);
  const { rows } = ticketing;
  const token = await ticketing.identity.tokenFor({ id: 3 });
  const intent = (key: string, change: object = {}) =>
    startCheckout(ticketing, change, { token, headers: { 'idempotency-key': key } });
  const held = async () => (await stockOf(ticketing)).held;
  const statusOf = async ({ body: { orderId } }: Answer) =>
    (await rows('select status from orders where order_id = $1', [orderId]))[0]?.['status'];
  return { ...ticketing, token, intent, held, statusOf };
}

/** Makes payments respond with these results in order. Each response waits until the test releases it. */
function inTurn(payments: Ticketing['deps']['payments'], fates: Array<'succeed' | 'fail'>) {
  const ask = payments.request;
  const gates = fates.map(() => Promise.withResolvers<void>());
  const arrived = fates.map(() => Promise.withResolvers<void>());
  let calls = 0;
  payments.request = async (wanted) => {
    const turn = calls++;
    arrived[turn]?.resolve();
    await gates[turn]?.promise;
    if (fates[turn] === 'fail') throw Object.assign(unavailable('provider-away', 1), { transient: true });
    return ask(wanted);
  };
  return { arrived: (turn: number) => arrived[turn]!.promise, letGo: (turn: number) => gates[turn]!.resolve() };
}

test('if the same key is sent twice and the first request fails, the hold is released and the slow request returns no secret for it', async () => {
  const { intent, deps, held, statusOf } = await setup();
  const { arrived, letGo } = inTurn(deps.payments, ['succeed', 'fail']);
  const slow = intent('a-key-of-ann');
  await arrived(0);
  const failing = intent('a-key-of-ann');
  await arrived(1);
  letGo(1);
  expect((await failing).status).toBe(503);
  expect(await held()).toBe(0);
  letGo(0);
  const answer = await slow;
  expect([answer.status, answer.body.clientSecret]).toEqual([503, undefined]);
  expect(await held()).toBe(0);
  const again = await intent('a-key-of-ann');
  expect([again.status, await statusOf(again), await held()]).toEqual([200, 'held', 2]);
});

test('if the same key is sent twice and one request has returned a secret, the failure of the other request releases nothing', async () => {
  const { intent, deps, held, statusOf } = await setup();
  const { arrived, letGo } = inTurn(deps.payments, ['fail', 'succeed']);
  const failing = intent('a-key-of-ann');
  await arrived(0);
  const quick = intent('a-key-of-ann');
  await arrived(1);
  letGo(1);
  const answered = await quick;
  expect(answered.status).toBe(200);
  letGo(0);
  expect((await failing).status).toBe(503);
  expect([await statusOf(answered), await held()]).toEqual(['held', 2]);
  expect((await intent('a-key-of-ann')).body).toEqual(answered.body);
});

test('in any interleaving a returned secret belongs to an existing hold, and one key holds once', async () => {
  const { intent, deps, held, statusOf, rows } = await setup();
  const ask = deps.payments.request;
  deps.payments.request = async (wanted) => {
    await pause(Math.random() * 12);
    if (Math.random() < 0.6) throw Object.assign(unavailable('provider-away', 1), { transient: true });
    return ask(wanted);
  };
  for (let round = 0; round < 12; round++) {
    const key = `key-of-round-${round}`;
    const answers = await Promise.all(
      Array.from({ length: 5 }, async (_, n) => {
        await pause(n * Math.random() * 8);
        return intent(key);
      }),
    );
    const secrets = answers.filter(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
    for (const answer of secrets) expect(await statusOf(answer)).toBe('held');
    const orders = new Set(secrets.map(({ body }) => body.orderId));
    expect(orders.size).toBeLessThanOrEqual(1);
    expect(await held()).toBe(2 * orders.size);
    // Gives all holds back, so that the next round begins without holds.
    for (const orderId of orders)
      await deps.sales.handle(
        42,
        {
          type: 'ReleaseHold',
          orderId,
          reason: 'given-back',
          at: new Date().toISOString(),
          closedPaymentId: secrets[0]!.body.paymentIntentId,
        },
        { commandId: `give-back:${orderId}` },
      );
  }
  const [log] = await rows(
    `select count(*) filter (where type = 'TicketsHeld')::int as held, count(*) filter (where type = 'HoldReleased')::int as released from events`,
  );
  expect(log?.['held']).toBe(log?.['released']);
});

test('after a 503 the same key can be sent again until payments responds; all repeats get the same order', async () => {
  const { intent, fake, held, rows } = await setup();
  fake.state.down = true;
  for (let n = 0; n < 5; n++) expect((await intent('a-key-of-ann')).status).toBe(503);
  expect(await held()).toBe(0);
  fake.state.down = false;
  const answers = await Promise.all(Array.from({ length: 8 }, () => intent('a-key-of-ann')));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(new Set(answers.map(({ body }) => body.orderId)).size).toBe(1);
  expect(await held()).toBe(2);
  expect(await rows(`select count(*)::int as n from events where type = 'PaymentAttached'`)).toEqual([{ n: 1 }]);
  // The same key with another body is refused.
  expect((await intent('a-key-of-ann', { quantity: 3 })).status).toBe(422);
});

test('if a hold is given back while its payment is prepared, no secret is returned for it', async () => {
  const { url, deps, held, statusOf } = await setup();
  const hold = await call(url, 'POST', '/api/holds', { body: { eventId: 42, quantity: 2 } });
  const { orderId, accessKey } = hold.body;
  const { arrived, letGo } = inTurn(deps.payments, ['succeed']);
  const preparing = startCheckout({ url }, { orderId, accessKey });
  await arrived(0);
  const given = await call(url, 'DELETE', `/api/holds/${orderId}`, { headers: { 'x-order-key': accessKey } });
  expect([given.status, await held()]).toEqual([204, 0]);
  letGo(0);
  const answer = await preparing;
  expect([answer.status, answer.body.code, answer.body.clientSecret]).toEqual([409, 'hold-gone', undefined]);
  expect(await statusOf(hold)).toBe('released');
});

test('giving back a hold while a payment is attached is refused with a request to retry, and the retry succeeds', async () => {
  const { intent, url, deps, token, held } = await setup();
  const { body } = await intent('a-key-of-ann');
  const cancel = deps.payments.cancel;
  // Another window attaches another payment between our read and our command.
  deps.payments.cancel = async (paymentId) => {
    const closed = await cancel(paymentId);
    await deps.sales.handle(
      42,
      {
        type: 'AttachPayment',
        orderId: body.orderId,
        paymentId: 'pi_another_window',
        instead: paymentId,
        at: new Date().toISOString(),
      },
      { commandId: crypto.randomUUID() },
    );
    return closed;
  };
  const giveBack = () => call(url, 'DELETE', `/api/holds/${body.orderId}`, { token });
  expect((await giveBack()).body.code).toBe('payment-under-way');
  expect(await held()).toBe(2);
  deps.payments.cancel = async (paymentId) => ({ ...(await cancel(body.paymentIntentId)), paymentId });
  expect((await giveBack()).status).toBe(204);
  expect(await held()).toBe(0);
});

test('if a checkout is written twice concurrently and the payment conflicts before the order does, the second try writes it', async () => {
  const ticketing = await onSale(CAPACITY);
  const { deps, rows, url } = ticketing;
  const { body: hold } = await call(url, 'POST', '/api/holds', { body: { eventId: 42, quantity: 2 } });
  const payment = `pi_${hold.orderId.replaceAll('-', '')}`;
  // Provokes PostgreSQL's own error, which two concurrent inserts sometimes cause. Then removes the conflicting row, so
  // that the next try finds the other request's result.
  await rows('insert into checkouts (order_id, holder_name, holder_email, payment_id) values ($1, $2, $3, $4)', [
    ...[crypto.randomUUID(), 'Ann', 'ann@example.test', payment],
  ]);
  const query = deps.pool.query.bind(deps.pool) as (...args: unknown[]) => Promise<unknown>;
  const failures: unknown[] = [];
  deps.pool.query = (async (...args: unknown[]) => {
    try {
      return await query(...args);
    } catch (error) {
      failures.push((error as { constraint?: string }).constraint);
      await query('delete from checkouts where order_id <> $1', [hold.orderId]);
      throw error;
    }
  }) as unknown as typeof deps.pool.query;
  const answer = await startCheckout(ticketing, { orderId: hold.orderId, accessKey: hold.accessKey });
  expect(failures).toEqual(['checkouts_payment_id_key']);
  expect(answer.status).toBe(200);
});
