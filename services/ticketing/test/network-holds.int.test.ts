import { describe, expect, test } from 'vitest';
import type { HoldBatchAnswer, HoldRequest } from '@beltway/contracts/ticketing/tickets';
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

/**
 * Starts sales on `instances` instances. One address holds at most a hundred tickets. `capacity` is the number of
 * tickets of each sale.
 */
async function setup({ sales = [42], instances = 1, capacity = 1_000 } = {}) {
  const ticketing = await startTicketing(instances, 10_000, LIMIT);
  await putOnSale(ticketing, ...sales.map((id) => eventState(id, capacity)));

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
  /** Sends holds in a batch, as a gateway forwards them. */
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

test('a burst from one address over several sales, instances and both calls holds a hundred tickets, and another address is served', async () => {
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
  // An unverified account does not raise the limit. Neither the tables nor the log contain the address.
  expect((await intent(99, { quantity: 1 })).body).toMatchObject(refusal);
  for (const table of ['events', 'network_holds', 'orders', 'snapshots'])
    expect(await rows(`select 1 from ${table} t where t::text like '%203.0.113.66%'`), table).toEqual([]);
});

test('only open holds count: after a hold was given back, sold or lapsed, others may hold', async () => {
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

test('at the limit a repeat gets its response and a quantity may be changed; replacing an order of another sale is no exception', async () => {
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
  // The hold that this hold would replace has ended, so this one counts as a new hold.
  expect((await hold({ quantity: 1, replaces })).body).toMatchObject(refusal);
});

test('a refused hold does not count, and a refusal under a key does not release the hold under that key', async () => {
  const { hold, rows, sendBatch, url } = await setup();
  for (let n = 0; n < 30; n++) {
    expect((await hold({ eventId: 2_000_000 })).body).toMatchObject({ status: 409 });
    // The record is removed after the response.
    await eventually(async () => (await rows('select 1 from network_holds')).length === 0);
  }
  for (let n = 0; n < 10; n++) {
    const key = guestKey(`key-${n}`);
    // Concurrent holds of the same order: at an unknown sale, there with another quantity, and at the sale that holds
    // it.
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

test('a record without a hold expires; the sweep keeps the record of an open hold', async () => {
  const { hold, rows, deps } = await setup();
  const notes = networkHolds({ pool: deps.pool, log: deps.log, secret: SECRET, max: LIMIT });
  await hold({ quantity: 10 });
  // Simulates an instance that is killed between writing its record and the decision of the sale.
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

test('IPv6 networks hold at most a hundred tickets for each /64, four hundred for a /56 and sixteen hundred for a /48', async () => {
  const { deps } = await setup({ capacity: 10_000 });
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

describe('guests of one IP address may hold in one sale', () => {
  const grabbed = async (hold: () => Promise<Answer>, times: number) => {
    let tickets = 0;
    for (let n = 0; n < times; n++) if ((await hold()).status === 201) tickets += 5;
    return tickets;
  };

  test.each([
    [500, 100],
    [100, 20],
    [60, 12],
    [50, 10],
    [20, 10],
    [10, 10],
  ])('a fifth of the tickets, but at least ten: of %s tickets %s', async (capacity, most) => {
    const { hold } = await setup({ capacity });
    expect(await grabbed(() => hold({ quantity: 5 }), 25)).toBe(most - (most % 5));
    if (most % 5 > 0) expect((await hold({ quantity: most % 5 })).status).toBe(201);
    const refused = await hold({ quantity: 1 });
    expect(refused.body).toMatchObject(capacity > most ? refusal : { status: expect.any(Number) });
    if (capacity > most) expect((await hold({ quantity: 1, address: '198.51.100.1' })).status).toBe(201);
  });

  test('the same in a burst to two instances, also with unverified accounts; verified accounts are not limited', async () => {
    const { all, hold, identity } = await setup({ capacity: 100, instances: 2 });
    const tokens = await Promise.all(
      Array.from({ length: 12 }, (_, n) => identity.tokenFor({ id: 700 + n, isVerified: false })),
    );
    const burst = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        hold({ quantity: 5, at: all[n % 2]!.url, ...(n % 2 === 0 && { token: tokens[n / 2]! }) }),
      ),
    );
    expect(burst.filter(({ status }) => status === 201)).toHaveLength(4);
    const verified = await identity.tokenFor({ id: 800, isVerified: true });
    expect((await hold({ quantity: 10, token: verified })).status).toBe(201);
  });

  test('at most half of the tickets from a whole IPv6 site', async () => {
    const { hold, held } = await setup({ capacity: 100 });
    for (let subnet = 0; subnet < 40; subnet++)
      await hold({ quantity: 10, address: `2001:db8:9:${(subnet * 256).toString(16)}::1` });
    expect(await held()).toBe(50);
  });

  test('the same number after an exchange, a repeat and a lowered quantity', async () => {
    const { hold } = await setup({ capacity: 100 });
    const key = guestKey('exchange');
    const { orderId, accessKey } = (await hold({ key })).body;
    await hold();
    expect((await hold({ quantity: 1 })).body).toMatchObject(refusal);
    expect((await hold({ key })).body.orderId).toBe(orderId);
    const fewer = await hold({ quantity: 8, replaces: { orderId, accessKey } });
    expect(fewer.status).toBe(201);
    expect((await hold({ quantity: 3 })).status).toBe(429);
    expect((await hold({ quantity: 2 })).status).toBe(201);
  });
});

describe('tickets that lapse unpaid still count for their network', () => {
  async function lapsing({ sales = [42], capacity = 50 } = {}) {
    const it = await setup({ sales, capacity });
    const { rows, time, reconcile, deps, fake, intent, url } = it;
    /** Simulates a guest of the same address who pays. */
    const buy = async (n: number, quantity: number) => {
      const { status, body } = await intent(n, { quantity });
      expect(status).toBe(200);
      fake.become(body.paymentIntentId, 'succeeded');
      await call(url, 'POST', '/api/process-ticket-purchase', { body: { paymentIntentId: body.paymentIntentId } });
    };
    /** Lets the open holds lapse. `swept`: the sweep job runs afterwards. */
    const lapse = async ({ swept = true } = {}) => {
      time.offsetMs += 11 * 60_000;
      await reconcile();
      if (!swept) return;
      await rows(`update network_holds set decided_by = now() - interval '1 s'`);
      await sweepNetworkHolds(deps.pool);
    };
    const pauseIsOver = () => rows(`update network_lapses set paused_until = now()`);
    const retryAfter = ({ headers }: Answer) => Number(headers.get('retry-after'));
    return { ...it, buy, lapse, pauseIsOver, retryAfter };
  }

  test('for ten minutes, and each time for twice as long; other networks can buy', async () => {
    const { hold, lapse, pauseIsOver, retryAfter } = await lapsing();
    for (const minutes of [10, 20, 40, 80, 160, 160]) {
      expect((await hold({ quantity: 10 })).status).toBe(201);
      await lapse();
      const refused = await hold({ quantity: 1 });
      expect(refused.body).toMatchObject(refusal);
      expect(refused.body.detail).toMatch(
        minutes < 160 ? `Please try again in ${minutes} minutes.` : 'Please try again in 3 hours.',
      );
      expect(retryAfter(refused) / 60).toBeGreaterThan(minutes - 1);
      expect(retryAfter(refused) / 60).toBeLessThanOrEqual(minutes);
      const other = await hold({ quantity: 1, address: `198.51.100.${minutes}` });
      expect(other.status).toBe(201);
      await pauseIsOver();
    }
  });

  test('even before the job that counts them has run', async () => {
    const { hold, lapse } = await lapsing();
    await hold({ quantity: 10 });
    await lapse({ swept: false });
    expect((await hold({ quantity: 1 })).body).toMatchObject(refusal);
  });

  test('fewer than ten lapsed tickets change nothing; more reduce the allowance, only in the same sale', async () => {
    const { hold, lapse } = await lapsing({ sales: [42, 43], capacity: 100 });
    await hold({ quantity: 9 });
    await lapse();
    const held = await hold({ quantity: 10 });
    expect([held.status, (await hold({ quantity: 10 })).status]).toEqual([201, 201]);
    await lapse();
    // 29 tickets of this sale lapsed, none of the other.
    expect((await hold({ quantity: 1 })).status).toBe(429);
    expect((await hold({ quantity: 10, eventId: 43 })).status).toBe(201);
    await lapse();
    expect((await hold({ quantity: 10, eventId: 43 })).status).toBe(201);
    expect((await hold({ quantity: 1, eventId: 43 })).status).toBe(429);
  });

  test('one hoarder does not block a campus with buyers, and never blocks verified accounts', async () => {
    const { hold, buy, lapse, identity, rows } = await lapsing({ capacity: 100 });
    for (let round = 0; round < 4; round++) {
      expect((await hold({ quantity: 10 })).status).toBe(201);
      for (let buyer = 0; buyer < 5; buyer++) await buy(10 * round + buyer, 2);
      await lapse();
    }
    expect(await rows('select tickets from network_lapses where tickets > 0')).toEqual([]);
    for (let n = 0; n < 2; n++) {
      expect((await hold({ quantity: 10 })).status).toBe(201);
      expect((await hold({ quantity: 10 })).status).toBe(201);
      await lapse();
      expect((await hold({ quantity: 1 })).status).toBe(429);
      const token = await identity.tokenFor({ id: 810 + n, isVerified: true });
      expect((await hold({ quantity: 2, token })).status).toBe(201);
      await rows(`update network_lapses set paused_until = now()`);
    }
  });

  test('a hold that is given back early counts in proportion to the time that others waited for it', async () => {
    const { url, hold, rows, lapse } = await lapsing({ capacity: 100 });
    const giveBack = ({ orderId, accessKey }: { orderId: string; accessKey: string }) =>
      call(url, 'DELETE', `/api/holds/${orderId}`, { headers: { 'x-order-key': accessKey } });
    const holdFor = async (minutes: number) => {
      const { status, body } = await hold({ quantity: 5 });
      expect(status).toBe(201);
      await rows(`update orders set held_at = held_at - make_interval(mins => $1) where order_id = $2`, [
        minutes,
        body.orderId,
      ]);
      await giveBack(body);
    };
    for (let n = 0; n < 5; n++) await holdFor(0);
    expect((await hold({ quantity: 10, address: '198.51.100.1' })).status).toBe(201);
    for (let n = 0; n < 3; n++) await holdFor(8);
    // Three holds of five tickets, each given back after four fifths of its time, count as twelve lapsed tickets.
    expect((await hold({ quantity: 9 })).status).toBe(429);
    await lapse();
    expect((await hold({ quantity: 9 })).status).toBe(429);
    expect((await hold({ quantity: 8 })).status).toBe(201);
  });

  test('an order with a changed quantity lapses once', async () => {
    const { hold, rows, lapse } = await lapsing();
    const { orderId, accessKey } = (await hold({ quantity: 5 })).body;
    await rows(`update orders set held_at = held_at - interval '5 minutes'`);
    expect((await hold({ quantity: 4, replaces: { orderId, accessKey } })).status).toBe(201);
    await lapse();
    expect(await rows('select tickets, paused from network_lapses')).toEqual([{ tickets: 4, paused: 4 }]);
  });

  test('each ticket that the network paid for offsets one lapsed ticket', async () => {
    const { hold, buy, lapse, rows } = await lapsing();
    await buy(1, 6);
    await hold({ quantity: 4 });
    await lapse();
    expect((await hold({ quantity: 10 })).status).toBe(201);
    await lapse();
    expect(await rows('select tickets from network_lapses')).toEqual([{ tickets: 10 }]);
  });

  test('until a day without a lapse has passed', async () => {
    const { hold, lapse, rows, deps } = await lapsing();
    await hold({ quantity: 10 });
    await lapse();
    await sweepNetworkHolds(deps.pool);
    expect(await rows('select 1 from network_lapses')).toHaveLength(1);
    await rows(`update network_lapses set paused_until = now(), updated_at = now() - interval '25 hours'`);
    await sweepNetworkHolds(deps.pool);
    expect(await rows('select 1 from network_lapses')).toEqual([]);
  });
});
