import { expect, test } from 'vitest';
import { call, onSale, startCheckout, stockOf } from './support.ts';

async function setup() {
  const ticketing = await onSale(100);
  const { url } = ticketing;
  const hold = (quantity: number, more: object = {}, token?: string) =>
    call(url, 'POST', '/api/holds', { body: { eventId: 42, quantity, ...more }, ...(token && { token }) });
  const intent = (ticketHolderEmail: string, { orderId, accessKey }: { orderId?: string; accessKey?: string } = {}) =>
    startCheckout(ticketing, { quantity: 1, ticketHolderEmail, ...(orderId && { orderId, accessKey }) });
  const held = async () => (await stockOf(ticketing)).held;
  return { ...ticketing, hold, intent, held };
}

test('an account has two open holds in a sale; the third is refused in plain words, and possible again when one ended', async () => {
  const { url, identity, hold } = await setup();
  const token = await identity.tokenFor({ id: 3 });
  const [first] = [await hold(10, {}, token), await hold(10, {}, token)];
  const third = await hold(1, {}, token);
  expect(third.body).toMatchObject({ status: 409, code: 'too-many-holds', detail: expect.stringMatching(/2 orders/) });
  const others = await identity.tokenFor({ id: 4 });
  expect((await hold(1, {}, others)).status).toBe(201);
  await call(url, 'DELETE', `/api/holds/${first!.body.orderId}`, { token });
  expect((await hold(1, {}, token)).status).toBe(201);
});

test('a guest is the same buyer however the email is spelled, and no address stands in the log', async () => {
  const { intent, held, rows } = await setup();
  expect((await intent('ann@example.test')).status).toBe(200);
  expect((await intent('Ann@Example.test')).status).toBe(200);
  expect((await intent('ANN@example.test')).body).toMatchObject({ status: 409, code: 'too-many-holds' });
  expect(await held()).toBe(2);
  expect((await intent('bob@example.test')).status).toBe(200);
  expect(await rows(`select 1 from events where data::text ilike '%example%'`)).toEqual([]);
});

test('a guest who holds first is counted when the payment is asked for: without one the hold runs out', async () => {
  const { hold, intent, held, rows, time, reconcile } = await setup();
  const holds = [(await hold(1)).body, (await hold(1)).body, (await hold(1)).body];
  for (const order of holds.slice(0, 2)) expect((await intent('ann@example.test', order)).status).toBe(200);
  const third = await intent('ann@example.test', holds[2]);
  expect([third.status, third.body.code, third.body.clientSecret]).toEqual([409, 'too-many-holds', undefined]);
  expect((await intent('bob@example.test', holds[2])).status).toBe(200);
  expect(await held()).toBe(3);
  time.offsetMs = 11 * 60_000;
  await reconcile();
  expect(await rows('select distinct status from orders')).toEqual([{ status: 'expired' }]);
});

test('a guest who has said no email is counted under the key of their orders, and under the email from the payment on', async () => {
  const { url, intent, rows } = await setup();
  const newKey = async () => (await call(url, 'POST', '/api/order-keys')).body.key as string;
  const holdBy = (key: string, more: object = {}) =>
    call(url, 'POST', '/api/holds', {
      body: { eventId: 42, quantity: 1, ...more },
      headers: { 'idempotency-key': key },
    });
  const ann = await newKey();
  const [one, two] = [(await holdBy(`${ann}.1`)).body, (await holdBy(`${ann}.2`)).body];
  const refused = { status: 409, code: 'too-many-holds' };
  expect((await holdBy(`${ann}.3`)).body).toMatchObject(refused);
  // The same order again is no order more, and a change of it neither.
  expect((await holdBy(`${ann}.2`)).body.orderId).toBe(two.orderId);
  const { orderId, accessKey } = two;
  const changed = await holdBy(`${ann}.4`, { quantity: 3, replaces: { orderId, accessKey } });
  expect(changed.status).toBe(201);
  expect((await holdBy(`${await newKey()}.1`)).status).toBe(201);

  expect((await intent('ann@example.test', one)).status).toBe(200);
  expect((await holdBy(`${ann}.5`)).status).toBe(201);
  expect((await holdBy(`${ann}.6`)).body).toMatchObject(refused);
  expect((await intent('ann@example.test')).status).toBe(200);
  expect((await intent('ann@example.test')).body).toMatchObject(refused);
  // The key opens orders, so it stands nowhere.
  expect(await rows('select 1 from events where strpos(data::text, $1) > 0', [ann.slice(0, 24)])).toEqual([]);
});

test('changing the quantity again and again keeps tickets for twenty minutes, not for ever', async () => {
  const { hold, time, held, reconcile } = await setup();
  const began = Date.now();
  let last = (await hold(2)).body;
  for (const [minute, quantity] of [
    [8, 3],
    [16, 2],
    [19, 3],
  ] as const) {
    time.offsetMs = minute * 60_000;
    await reconcile();
    const { orderId, accessKey } = last;
    const changed = await hold(quantity, { replaces: { orderId, accessKey } });
    expect(changed.status).toBe(201);
    last = changed.body;
  }
  expect(Math.round((Date.parse(last.holdUntil) - began) / 60_000)).toBe(20);
  time.offsetMs = 21 * 60_000;
  await reconcile();
  expect(await held()).toBe(0);
});
