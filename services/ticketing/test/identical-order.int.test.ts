import { expect, test } from 'vitest';
import { IdenticalOrderAnswer } from '@beltway/contracts/ticketing/orders';
import { call, guestKey, onSale, pay, startCheckout, type Ticketing } from './support.ts';

type Checkout = { orderId: string; accessKey: string; paymentIntentId: string };
let orders = 0;
const byGuest = (who: string) => ({ headers: { 'idempotency-key': `${guestKey(who)}.${++orders}` } });

async function begin(ticketing: Ticketing, change: object, signed: Parameters<typeof startCheckout>[2]) {
  const { status, body } = await startCheckout(ticketing, change, signed);
  expect(status).toBe(200);
  return body as Checkout;
}
const asked = async ({ url }: Ticketing, { orderId, accessKey }: Checkout) => {
  const { body } = await call(url, 'GET', `/api/orders/${orderId}/identical`, {
    headers: { 'x-order-key': accessKey },
  });
  return IdenticalOrderAnswer.parse(body).order?.orderId ?? null;
};

test('for a second order of an account for the same event and quantity within minutes, the response names the first order', async () => {
  const ticketing = await onSale(50);
  const signed = { token: await ticketing.identity.tokenFor({ id: 5 }) };
  const first = await begin(ticketing, {}, signed);
  expect(await asked(ticketing, first)).toBeNull();
  await pay(ticketing, first.paymentIntentId, signed);
  const second = await begin(ticketing, {}, signed);
  expect(await asked(ticketing, second)).toBe(first.orderId);
  // The buyer is only asked: the order can still be paid.
  expect((await pay(ticketing, second.paymentIntentId, signed)).body.status).toBe('fulfilled');
  expect(await asked(ticketing, await begin(ticketing, { quantity: 3 }, signed))).toBeNull();
  ticketing.time.offsetMs = 16 * 60_000;
  expect(await asked(ticketing, await begin(ticketing, {}, signed))).toBeNull();
});

test('a guest is asked in the browser of the first order; in another browser, typing the same email address reveals nothing', async () => {
  const ticketing = await onSale(50);
  const ann = { ticketHolderEmail: 'ann@example.test' };
  const first = await begin(ticketing, ann, byGuest('ann'));
  await pay(ticketing, first.paymentIntentId);
  expect(
    await asked(ticketing, await begin(ticketing, { ticketHolderEmail: 'ANN@example.test' }, byGuest('ann'))),
  ).toBe(first.orderId);
  expect(await asked(ticketing, await begin(ticketing, ann, byGuest('eve')))).toBeNull();
  expect(await asked(ticketing, await begin(ticketing, ann, {}))).toBeNull();
  // The page holds one ticket first and then changes the quantity.
  const hold = (quantity: number, replaces?: object) =>
    call(ticketing.url, 'POST', '/api/holds', { ...byGuest('ann'), body: { eventId: 42, quantity, replaces } });
  const { orderId, accessKey } = (await hold(1)).body;
  const changed = (await hold(2, { orderId, accessKey })).body;
  const bound = { orderId: changed.orderId, accessKey: changed.accessKey };
  expect(await asked(ticketing, await begin(ticketing, { ...ann, ...bound }, {}))).toBe(first.orderId);
  const other = await begin(ticketing, { ticketHolderEmail: 'bob@example.test' }, byGuest('bob'));
  expect(await asked(ticketing, other)).toBeNull();
  const stranger = await call(ticketing.url, 'GET', `/api/orders/${other.orderId}/identical`);
  expect(stranger.status).toBe(404);
});
