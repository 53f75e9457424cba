import { expect, test } from 'vitest';
import { MyTickets } from '@beltway/contracts/ticketing/tickets';
import { HttpProblem, unavailable } from '@beltway/kit/problems';
import { eventually } from '@beltway/kit/testing';
import { startClaims } from '../src/link/claims.ts';
import { call, later, message, onSale, pay, startCheckout, type Ticketing } from './support.ts';

const CLAIMS = `jobs where queue = 'address-claim'`;
const EMAIL = 'gail.o_guest@example.test';

/** A fake identity with the calls that claims use. */
function people() {
  const known = new Map<number, { email: string; isVerified: boolean }>();
  let isAway = false;
  return {
    known,
    away: (value: boolean) => void (isAway = value),
    get: async (path: string) => {
      if (isAway) throw unavailable('part-away');
      const found = known.get(Number(/\d+/.exec(path)![0]));
      if (!found) throw new HttpProblem(404, 'not-found.account');
      return found;
    },
  };
}

async function claiming(ticketing: Ticketing, identity = people()) {
  const claims = await startClaims({ ...ticketing.deps, identity });
  later(claims.stop);
  const verified = (userId: number, id?: string) =>
    ticketing.bus.publish('identity.events', [message('identity.email-verified', `user-${userId}`, { userId }, id)]);
  /** Waits until all messages are handled and no job is due or running. */
  const settled = () =>
    eventually(async () => {
      const lags = await ticketing.bus.lag('ticketing.accounts', ['identity.events']);
      if (!Object.values(lags).every((lag) => lag === 0)) return false;
      claims.wake();
      // The job of an account with an order in checkout is due again only after minutes, so it does not count.
      return (await ticketing.rows(`select from ${CLAIMS} and run_at < now() + interval '61 seconds'`)).length === 0;
    });
  return { claims, identity, verified, settled };
}

async function checkout(ticketing: Ticketing, email: string, name = 'Gail Guest') {
  const { body } = await startCheckout(ticketing, { ticketHolderName: name, ticketHolderEmail: email });
  return {
    orderId: String(body['orderId']),
    accessKey: String(body['accessKey']),
    paymentId: String(body['paymentIntentId']),
  };
}
async function bought(ticketing: Ticketing, email: string, name?: string) {
  const order = await checkout(ticketing, email, name);
  expect((await pay(ticketing, order.paymentId)).body.status).toBe('fulfilled');
  return order;
}
const ordersOf = async (ticketing: Ticketing, id: number) => {
  const token = await ticketing.identity.tokenFor({ id });
  const { body } = await call(ticketing.url, 'GET', '/api/tickets/my-tickets', { token });
  return [...new Set(MyTickets.parse(body).map(({ ticket }) => ticket.orderId))].sort();
};
const claimedInLog = async ({ rows }: Ticketing) =>
  (await rows(`select from events where type = 'OrderClaimed'`)).length;

test('guest orders with an account’s verified email address are saved to the account once, and no other orders', async () => {
  const ticketing = await onSale(1_000);
  const own = [await bought(ticketing, EMAIL), await bought(ticketing, EMAIL.toUpperCase())];
  // These email addresses are only similar to the account's email address.
  for (const other of ['gail.oxguest@example.test', `a${EMAIL}`, `${EMAIL}.org`]) await bought(ticketing, other);
  await bought(ticketing, 'someone@example.test', `Somebody ${EMAIL}`);
  const { identity, verified, settled } = await claiming(ticketing);
  identity.known.set(31, { email: EMAIL, isVerified: true });
  const id = crypto.randomUUID();
  await verified(31, id);
  await eventually(async () => (await ordersOf(ticketing, 31)).length === 2);
  expect(await ordersOf(ticketing, 31)).toEqual(own.map(({ orderId }) => orderId).sort());
  await settled();
  // The message is delivered again, and later another account gets the address.
  await verified(31, id);
  await verified(31);
  identity.known.set(32, { email: EMAIL, isVerified: true });
  await verified(32);
  await settled();
  expect(await ordersOf(ticketing, 32)).toEqual([]);
  expect(await claimedInLog(ticketing)).toBe(2);
  // As with a claim by link, the earlier link is revoked and the account opens the order.
  const [{ orderId, accessKey }] = own as [(typeof own)[0]];
  const open = (way: object) => call(ticketing.url, 'GET', `/api/orders/${orderId}`, way);
  expect((await open({ headers: { 'x-order-key': accessKey } })).status).toBe(404);
  expect((await open({ token: await ticketing.identity.tokenFor({ id: 31 }) })).status).toBe(200);
});

test('an account with an unverified email address, or a deleted account, gets no orders', async () => {
  const ticketing = await onSale(1_000);
  await bought(ticketing, EMAIL);
  const { identity, verified, settled } = await claiming(ticketing);
  identity.known.set(31, { email: EMAIL, isVerified: false });
  await verified(31);
  await verified(32);
  await settled();
  expect(await claimedInLog(ticketing)).toBe(0);
});

test('while identity is down nothing is lost, and an order in checkout is claimed once it is bought', async () => {
  const ticketing = await onSale(1_000);
  const held = await checkout(ticketing, EMAIL);
  const { identity, verified, settled } = await claiming(ticketing);
  identity.known.set(31, { email: EMAIL, isVerified: true });
  identity.away(true);
  await verified(31);
  const waiting = (seconds: string) =>
    ticketing.rows(`select from ${CLAIMS} and lease is null and run_at > now() + interval '${seconds}'`);
  await eventually(async () => (await waiting('20 seconds')).length === 1);
  identity.away(false);
  await ticketing.rows(`update jobs set run_at = now() where queue = 'address-claim'`);
  await settled();
  expect(await waiting('4 minutes')).toHaveLength(1);
  expect(await claimedInLog(ticketing)).toBe(0);
  await pay(ticketing, held.paymentId);
  await ticketing.rows(`update jobs set run_at = now() where queue = 'address-claim'`);
  await settled();
  expect(await ticketing.rows(`select from ${CLAIMS}`)).toEqual([]);
  expect(await ordersOf(ticketing, 31)).toEqual([held.orderId]);
});

test('if the holder of the link and the account with the email address claim concurrently, one of them gets the order', async () => {
  const ticketing = await onSale(1_000);
  const orders = [];
  for (let count = 0; count < 6; count++) orders.push(await bought(ticketing, EMAIL));
  const { identity, verified, settled } = await claiming(ticketing);
  identity.known.set(31, { email: EMAIL, isVerified: true });
  const token = await ticketing.identity.tokenFor({ id: 99 });
  await Promise.all([
    verified(31),
    ...orders.map(({ orderId, accessKey }) =>
      call(ticketing.url, 'POST', `/api/orders/${orderId}/claim`, { token, headers: { 'x-order-key': accessKey } }),
    ),
  ]);
  await eventually(async () => (await claimedInLog(ticketing)) === orders.length);
  await settled();
  const all = [...(await ordersOf(ticketing, 31)), ...(await ordersOf(ticketing, 99))].sort();
  expect(all).toEqual(orders.map(({ orderId }) => orderId).sort());
});
