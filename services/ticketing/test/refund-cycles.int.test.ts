import { expect, test } from 'vitest';
import { DAY_S } from '@beltway/kit/allowances';
import { call, onSale, pay, startCheckout, type Ticketing } from './support.ts';

const NETWORK = '198.51.100.1';

/** Buys two tickets of event 42 as a guest with this email, or as an account. Returns a function that refunds them. */
async function bought(ticketing: Ticketing, { email = 'ann@example.test', token }: { email?: string; token?: string }) {
  const by = { ...(token !== undefined && { token }) };
  const checkout = await startCheckout(ticketing, { quantity: 2, ticketHolderEmail: email }, by);
  const { orderId, paymentIntentId, accessKey } = checkout.body as Record<string, string>;
  expect((await pay(ticketing, paymentIntentId!, by)).body.status).toBe('fulfilled');
  const url = `/api/orders/${orderId}`;
  const headers = { 'x-order-key': accessKey! };
  const tickets = async (): Promise<string[]> =>
    (await call(ticketing.url, 'GET', url, { ...by, headers })).body.tickets.map(({ id }: { id: string }) => id);
  const giveBack = (body: object = {}, { key, as = by, address = NETWORK, at = ticketing.url }: Request = {}) =>
    call(at, 'POST', `${url}/refund`, {
      ...as,
      body,
      headers: { ...headers, 'x-forwarded-for': address, ...(key !== undefined && { 'idempotency-key': key }) },
    });
  return { orderId: orderId!, tickets, giveBack };
}

interface Request {
  key?: string;
  as?: { token?: string };
  address?: string;
  at?: string;
}

const refusal = { status: 429, body: { code: 'too-many-refunds' } };

test('buying and returning repeatedly is refused from the sixth order on, and the organizer may still refund it', async () => {
  const ticketing = await onSale(500);
  const token = await ticketing.identity.tokenFor({ id: 3, isVerified: true });
  for (let n = 0; n < 5; n++) {
    const { giveBack } = await bought(ticketing, { token });
    expect((await giveBack({}, { address: `198.51.100.${n}` })).status).toBe(200);
  }
  const sixth = await bought(ticketing, { token });
  const refused = await sixth.giveBack();
  expect(refused).toMatchObject(refusal);
  // The limit becomes available again at one order every six days.
  expect(Number(refused.headers.get('retry-after')) / DAY_S).toBeCloseTo(6, 1);
  expect(refused.body.detail).toContain('The organizer can still refund this one.');
  const owner = await ticketing.identity.tokenFor({ id: 7 });
  expect((await sixth.giveBack({}, { as: { token: owner } })).status).toBe(200);
});

test('a repeated request, the remaining tickets of an order, and a refused request are not counted again', async () => {
  const ticketing = await onSale(500);
  for (let n = 0; n < 4; n++) {
    const { giveBack, tickets } = await bought(ticketing, {});
    const [one, other] = await tickets();
    for (let again = 0; again < 2; again++)
      expect((await giveBack({ ticketIds: [one] }, { key: `part-number-${n}` })).status).toBe(200);
    expect((await giveBack({ ticketIds: [other] })).status).toBe(200);
    expect((await giveBack()).body.code).toBe('already-refunded');
  }
  expect((await (await bought(ticketing, {})).giveBack()).status).toBe(200);
  expect(await (await bought(ticketing, {})).giveBack()).toMatchObject(refusal);
});

test('a guest is counted by email address in any case, separately from an account with that email address', async () => {
  const ticketing = await onSale(500);
  for (let n = 0; n < 5; n++)
    expect((await (await bought(ticketing, { email: n % 2 ? 'ann@example.test' : 'Ann@Example.test' })).giveBack()).status).toBe(200); // prettier-ignore
  expect(await (await bought(ticketing, {})).giveBack()).toMatchObject(refusal);
  const token = await ticketing.identity.tokenFor({ id: 3, isVerified: true });
  const own = await bought(ticketing, { token });
  expect((await own.giveBack()).status).toBe(200);
  expect((await (await bought(ticketing, { email: 'ben@example.test' })).giveBack()).status).toBe(200);
});

test('guests and unverified accounts with one IP address may return thirty orders a day, verified accounts any number', async () => {
  const ticketing = await onSale(500);
  const { identity } = ticketing;
  for (let n = 0; n < 30; n++) {
    const who = n % 2 ? { token: await identity.tokenFor({ id: 100 + n, isVerified: false }) } : {};
    const { giveBack } = await bought(ticketing, { email: `guest${n}@example.test`, ...who });
    expect((await giveBack()).status).toBe(200);
  }
  const { giveBack } = await bought(ticketing, { email: 'next@example.test' });
  expect(await giveBack()).toMatchObject(refusal);
  const token = await identity.tokenFor({ id: 3, isVerified: true });
  expect((await (await bought(ticketing, { token })).giveBack()).status).toBe(200);
  expect((await giveBack({}, { address: '203.0.113.9' })).status).toBe(200);
});

test('an organizer who buys tickets of their own event counts as a buyer', async () => {
  const ticketing = await onSale(500);
  const token = await ticketing.identity.tokenFor({ id: 7, isVerified: true });
  for (let n = 0; n < 5; n++) expect((await (await bought(ticketing, { token })).giveBack()).status).toBe(200);
  expect(await (await bought(ticketing, { token })).giveBack()).toMatchObject(refusal);
});
