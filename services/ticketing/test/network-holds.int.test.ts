import { expect, test } from 'vitest';
import type { HoldBatchAnswer, HoldRequest } from '@beltway/contracts/ticketing';
import { eventually } from '@beltway/kit/testing';
import { networkHolds, sweepNetworkHolds } from '../src/checkout/network-holds.ts';
import {
  call,
  eventState,
  guestKey,
  putOnSale,
  SECRET,
  startCheckout,
  startTicketing,
  TOKEN,
  type Answer,
} from './support.ts';

const HOARDER = '203.0.113.66';
const LIMIT = 100;

/** Sales of a thousand tickets each, on so many instances; of one address at most a hundred are held. */
async function setup({ sales = [42], instances = 1 } = {}) {
  const ticketing = await startTicketing(instances, 10_000, LIMIT);
  await putOnSale(ticketing, ...sales.map((id) => eventState(id, 1_000)));

  interface HoldOptions {
    eventId?: number;
    quantity?: number;
    address?: string;
    key?: string;
    token?: string;
    at?: string;
    replaces?: { orderId: string; accessKey: string };
  }
  const hold = (options: HoldOptions = {}): Promise<Answer> => {
    const { eventId = 42, quantity = 10, address = HOARDER, key, token, at = ticketing.url, replaces } = options;
    return call(at, 'POST', '/api/holds', {
      body: { eventId, quantity, ...(replaces && { replaces }) },
      ...(token !== undefined && { token }),
      headers: { 'x-forwarded-for': address, ...(key !== undefined && { 'idempotency-key': key }) },
    });
  };
  /** As a gateway hands them on. */
  const sendBatch = async (at: string, address: string, bodies: object[]): Promise<number[]> => {
    const holds = bodies.map((body, n): HoldRequest => ({
      key: `${address}-${n}-${Math.random()}`,
      gatewayKey: true,
      address,
      requestId: `request-${n}`,
      body: JSON.stringify(body),
    }));
    const answer = await call(at, 'POST', '/internal/holds', {
      body: { holds },
      headers: { 'x-internal-token': TOKEN },
    });
    return (answer.body as HoldBatchAnswer).answers.map(({ status }) => status);
  };
  const intent = (n: number, { at = ticketing.url, address = HOARDER, eventId = 42, quantity = 10 } = {}) =>
    startCheckout(
      { url: at },
      { eventId, quantity, ticketHolderEmail: `ann${n}@example.test` },
      { headers: { 'x-forwarded-for': address } },
    );
  const held = async () =>
    Number(
      (await ticketing.rows(`select coalesce(sum(quantity), 0) as held from orders where status = 'held'`))[0]!['held'],
    );
  return { ...ticketing, hold, sendBatch, intent, held };
}

const refusal = { status: 429, code: 'too-many-held-here' };

test('a burst from one address over several sales, instances and both ways of holding takes a hundred tickets, and another address is served', async () => {
  const { all, sendBatch, intent, held, hold, rows } = await setup({ sales: [42, 43, 44], instances: 2 });
  const body = (n: number) => ({ eventId: 42 + (n % 3), quantity: 10 });
  const attack = all.flatMap(({ url }) => [
    ...Array.from({ length: 4 }, () =>
      sendBatch(
        url,
        HOARDER,
        Array.from({ length: 20 }, (_, n) => body(n)),
      ),
    ),
    ...Array.from({ length: 10 }, async (_, n) => [(await intent(n, { at: url, eventId: 42 + (n % 3) })).status]),
    ...Array.from({ length: 10 }, async (_, n) => [(await hold({ at: url, eventId: 42 + (n % 3) })).status]),
  ]);
  const innocents = Array.from({ length: 20 }, (_, n) =>
    hold({ quantity: 2, eventId: 42 + (n % 3), address: `198.51.100.${n}`, at: all[n % 2]!.url }),
  );
  const statuses = (await Promise.all(attack)).flat();
  expect((await Promise.all(innocents)).map(({ status }) => status)).toEqual(Array(20).fill(201));
  expect(statuses.filter((status) => status === 200 || status === 201)).toHaveLength(LIMIT / 10);
  expect(new Set(statuses)).toEqual(new Set([...statuses.filter((status) => status < 300), 429]));
  expect(await held()).toBe(LIMIT + 40);
  const refused = await hold({ quantity: 1 });
  expect(refused.body).toMatchObject(refusal);
  expect(refused.headers.get('retry-after')).toBe('60');
  // An account does not make it more, and neither table nor log knows the address.
  expect((await intent(99, { quantity: 1 })).body).toMatchObject(refusal);
  for (const table of ['events', 'network_holds', 'orders', 'snapshots'])
    expect(await rows(`select 1 from ${table} t where t::text like '%203.0.113.66%'`), table).toEqual([]);
});

test('only open holds count: what is given back, sold or lapsed may be held anew', async () => {
  const { url, hold, intent, held, fake, time, reconcile } = await setup();
  const orders = [];
  for (let n = 0; n < 9; n++) orders.push((await hold()).body);
  const { body: paid } = await intent(1);
  expect((await hold({ quantity: 1 })).body).toMatchObject(refusal);

  const { orderId, accessKey } = orders[0];
  await call(url, 'DELETE', `/api/holds/${orderId}`, { headers: { 'x-order-key': accessKey } });
  expect((await hold({ quantity: 10 })).status).toBe(201);
  expect((await hold({ quantity: 1 })).status).toBe(429);

  fake.become(paid.paymentIntentId, 'succeeded');
  const { paymentIntentId } = paid;
  await call(url, 'POST', '/api/process-ticket-purchase', { body: { paymentIntentId } });
  expect((await hold({ quantity: 11 })).status).toBe(400);
  expect((await hold({ quantity: 10 })).status).toBe(201);
  expect((await hold({ quantity: 1 })).status).toBe(429);

  time.offsetMs = 11 * 60_000;
  await reconcile();
  expect(await held()).toBe(0);
  for (let n = 0; n < 10; n++) expect((await hold()).status).toBe(201);
  expect((await hold({ quantity: 1 })).status).toBe(429);
});

test('at the limit a repeat is answered, and a quantity may be changed; an order of another sale makes no room', async () => {
  const { hold, held } = await setup({ sales: [42, 43] });
  const key = guestKey('mine');
  const mine = await hold({ key });
  for (let n = 0; n < 9; n++) await hold({ eventId: 43 });
  const again = await hold({ key });
  expect([again.status, again.body]).toEqual([201, mine.body]);
  const { orderId, accessKey } = mine.body;
  const replaces = { orderId, accessKey };
  expect((await hold({ eventId: 43, quantity: 1, replaces })).body).toMatchObject(refusal);
  const fewer = await hold({ quantity: 8, replaces });
  expect(fewer.status).toBe(201);
  expect(await held()).toBe(98);
  const { orderId: newId, accessKey: newKey } = fewer.body;
  expect((await hold({ quantity: 10, replaces: { orderId: newId, accessKey: newKey } })).status).toBe(201);
  expect(await held()).toBe(100);
  // The one it would replace is gone: that is a hold like any other.
  expect((await hold({ quantity: 1, replaces })).body).toMatchObject(refusal);
});

test('a refused hold does not count, and refusals under a key do not uncount what is held under it', async () => {
  const { hold, rows, sendBatch, url } = await setup();
  for (let n = 0; n < 30; n++) {
    expect((await hold({ eventId: 2_000_000 })).body).toMatchObject({ status: 409 });
    // The room is given back after the answer.
    await eventually(async () => (await rows('select 1 from network_holds')).length === 0);
  }
  for (let n = 0; n < 10; n++) {
    const key = guestKey(`key-${n}`);
    // The same order at a sale that refuses it, in another quantity, and as it will be held.
    const answers = await Promise.all([
      hold({ key, eventId: 2_000_000 }),
      hold({ key, quantity: 10 }),
      hold({ key, eventId: 2_000_000, quantity: 1 }),
      hold({ key, quantity: 10 }),
      hold({ key, eventId: 2_000_000 }),
    ]);
    expect([answers[1]!.status, answers[3]!.status]).toEqual([201, 201]);
  }
  expect((await hold({ quantity: 1 })).body).toMatchObject(refusal);
  expect(await sendBatch(url, HOARDER, [{ eventId: 42, quantity: 1 }])).toEqual([429]);
});

test('a note without a hold lapses; the sweep keeps the note of an open hold', async () => {
  const { hold, rows, deps } = await setup();
  const notes = networkHolds({ pool: deps.pool, log: deps.log, secret: SECRET, max: LIMIT });
  await hold({ quantity: 10 });
  // As an instance that is killed between its note and the sale.
  for (let n = 0; n < 9; n++)
    await notes.take({ address: HOARDER, orderId: crypto.randomUUID(), eventId: 42, quantity: 10 });
  expect((await hold({ quantity: 1 })).body).toMatchObject(refusal);
  await rows(`update network_holds set decided_by = now() - interval '1 s'`);
  for (let n = 0; n < 8; n++) expect((await hold()).status).toBe(201);
  expect(await rows('select count(*)::int as n from network_holds')).toEqual([{ n: 18 }]);
  await sweepNetworkHolds(deps.pool);
  expect(await rows('select count(*)::int as n from network_holds')).toEqual([{ n: 9 }]);
  expect((await hold({ quantity: 10 })).status).toBe(201);
  expect((await hold({ quantity: 1 })).body).toMatchObject(refusal);
});

test('a network of IPv6 holds a hundred tickets for each /64, four hundred for a /56 and sixteen hundred for a /48', async () => {
  const { deps } = await setup();
  const notes = networkHolds({ pool: deps.pool, log: deps.log, secret: SECRET, max: LIMIT });
  const taken = async (addresses: string[]) => {
    const results = await Promise.allSettled(
      addresses.map((address) => notes.take({ address, orderId: crypto.randomUUID(), eventId: 42, quantity: 10 })),
    );
    return results.filter(({ status }) => status === 'fulfilled').length * 10;
  };
  const subnets = (count: number, step: number) =>
    Array.from({ length: count }, (_, n) => `2001:db8:7:${((n * step) & 0xffff).toString(16)}::${n.toString(16)}`);
  expect(await taken(subnets(30, 0))).toBe(100);
  expect(await taken(subnets(100, 1))).toBe(300);
  expect(await taken(subnets(300, 0x100))).toBe(1_200);
  expect(await taken(['2001:db8:8::1', '198.51.100.1', '::ffff:198.51.100.1'])).toBe(30);
});
