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

test('an account has at most two open holds in a sale; a third is refused with the reason until one ends', async () => {
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

test('limits ignore the email address that a guest types: its owner cannot be locked out, and the log contains no email address', async () => {
  const { url, identity, intent, held, rows } = await setup();
  for (let n = 0; n < 3; n++) expect((await intent('victim@example.test')).status).toBe(200);
  // The address's owner still buys as a guest and with an account.
  expect((await intent('Victim@example.test')).status).toBe(200);
  const token = await identity.tokenFor({ id: 5, email: 'victim@example.test' });
  const own = await call(url, 'POST', '/api/holds', { body: { eventId: 42, quantity: 10 }, token });
  expect(own.status).toBe(201);
  expect(await held()).toBe(14);
  expect(await rows(`select 1 from events where data::text ilike '%example%'`)).toEqual([]);
});

test('a guest is counted under the key of the guest’s orders, before and after the email address is entered', async () => {
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
  // Repeating or changing an order does not count as another one.
  expect((await holdBy(`${ann}.2`)).body.orderId).toBe(two.orderId);
  const { orderId, accessKey } = two;
  const changed = await holdBy(`${ann}.4`, { quantity: 3, replaces: { orderId, accessKey } });
  expect(changed.status).toBe(201);
  expect((await holdBy(`${await newKey()}.1`)).status).toBe(201);

  expect((await intent('ann@example.test', one)).status).toBe(200);
  expect((await holdBy(`${ann}.5`)).body).toMatchObject(refused);
  const byIntent = await startCheckout(
    { url },
    { quantity: 1, ticketHolderEmail: 'ann@example.test' },
    { headers: { 'idempotency-key': `${ann}.6` } },
  );
  expect(byIntent.body).toMatchObject(refused);
  // The key opens orders, so the log must not contain it.
  expect(await rows('select 1 from events where strpos(data::text, $1) > 0', [ann.slice(0, 24)])).toEqual([]);
});

test('with repeated changes of the quantity, tickets are held for at most twenty minutes', async () => {
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
