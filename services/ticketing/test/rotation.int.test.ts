import { describe, expect, test } from 'vitest';
import type { Secrets } from '@beltway/kit/secrets';
import { eventually } from '@beltway/kit/testing';
import { isGenuine, openSigner } from '../src/ticket/signing.ts';
import {
  call,
  eventState,
  openDoor,
  pay,
  putOnSale,
  startTicketing,
  startCheckout,
  type Ticketing,
} from './support.ts';

const OLD = 'the-secret-that-everything-was-made-with';
const NEW = 'the-secret-that-everything-is-made-with-next';
/** Values of INTERNAL_TOKEN and TICKET_SECRET at each step of docs/operations/rotation.md. */
const steps: Secrets[] = [[OLD], [OLD, NEW], [NEW, OLD], [NEW]];

const SALES = [42, 43, 44, 45, 46, 47];

type Instance = Pick<Ticketing, 'url' | 'deps' | 'urlOf' | 'decided'>;

/** Starts two instances with the secrets of two steps. They share the databases and the sales of one system. */
async function sideBySide(ticketing: Ticketing, generations: [Secrets, Secrets]): Promise<[Instance, Instance]> {
  const doors = [await openDoor(), await openDoor()] as const;
  const all = doors.map(({ url }) => url);
  const started: Instance[] = [];
  for (const [index, secret] of generations.entries())
    started.push(await ticketing.instance(doors[index]!, { urls: all }, { secret, token: secret }));
  const [one, other] = started as [Instance, Instance];
  // Until the instances have found each other, each decides all commands that it receives.
  await eventually(() => SALES.every((id) => one.urlOf(id) === other.urlOf(id)));
  return [one, other];
}

const guestKeyOf = async ({ url }: Pick<Instance, 'url'>) =>
  (await call(url, 'POST', '/api/order-keys')).body['key'] as string;

const hold = (at: Pick<Instance, 'url'>, key: string, eventId: number) =>
  call(at.url, 'POST', '/api/holds', { headers: { 'idempotency-key': key }, body: { eventId, quantity: 1 } });

/** Buys two tickets at an instance as a guest. Returns the order's id and the access key of its link. */
async function buy(ticketing: Ticketing, at: Instance) {
  const key = await guestKeyOf(at);
  const { body } = await startCheckout(at, {}, { headers: { 'idempotency-key': `${key}.a` } });
  const paid = await pay({ url: at.url, fake: ticketing.fake }, String(body['paymentIntentId']));
  expect(paid.status).toBe(200);
  return { orderId: String(body['orderId']), accessKey: String(body['accessKey']) };
}

const open = (at: Pick<Instance, 'url'>, order: { orderId: string; accessKey: string }) =>
  call(at.url, 'GET', `/api/orders/${order.orderId}`, { headers: { 'x-order-key': order.accessKey } });

async function system() {
  // The system's own instance only prepares the databases. Its secret belongs to no step, so the signing key that it
  // stored is removed.
  const ticketing = await startTicketing();
  await putOnSale(ticketing, ...SALES.map((eventId) => eventState(eventId, 1_000)));
  await ticketing.rows('delete from signing_keys');
  return ticketing;
}

describe.each([
  [0, 1],
  [1, 0],
  [1, 2],
  [2, 1],
  [2, 3],
  [3, 2],
])('instances of step %i and step %i side by side', (before, after) => {
  test('open each other’s links, know each other’s guests, forward to each other, and sign alike', async () => {
    const ticketing = await system();
    const [one, other] = await sideBySide(ticketing, [steps[before]!, steps[after]!]);
    for (const [maker, reader] of [
      [one, other],
      [other, one],
    ] as const) {
      const order = await buy(ticketing, maker);
      const [here, there] = [await open(maker, order), await open(reader, order)];
      expect([here.status, there.status]).toEqual([200, 200]);
      expect(there.body).toEqual(here.body);

      const key = await guestKeyOf(maker);
      const held = await hold(reader, `${key}.b`, 42);
      expect(held.status).toBe(201);
      expect((await hold(maker, `${key}.b`, 42)).body['orderId']).toBe(held.body['orderId']);
    }
    // Calls both instances for sales of both. Each command must be decided at its sale's instance.
    const eventIds = SALES.slice(1);
    for (const at of [one, other])
      for (const eventId of eventIds) expect((await hold(at, `${await guestKeyOf(at)}.c`, eventId)).status).toBe(201);
    const ownerOf = (eventId: number) => (one.urlOf(eventId) === one.url ? one : other);
    for (const eventId of eventIds)
      expect(ownerOf(eventId).decided.filter((id) => id === String(eventId)).length).toBeGreaterThanOrEqual(2);
  });

  test('a guest’s renewed link opens at both, the earlier one at none', async () => {
    const ticketing = await system();
    const [one, other] = await sideBySide(ticketing, [steps[before]!, steps[after]!]);
    const order = await buy(ticketing, one);
    const renewed = await call(other.url, 'POST', `/api/orders/${order.orderId}/link`, {
      headers: { 'x-order-key': order.accessKey, 'idempotency-key': 'renew-it' },
    });
    expect(renewed.status).toBe(200);
    const again = await call(one.url, 'POST', `/api/orders/${order.orderId}/link`, {
      headers: { 'x-order-key': order.accessKey, 'idempotency-key': 'renew-it' },
    });
    expect(again.status).toBe(200);
    for (const at of [one, other]) {
      expect((await open(at, order)).status).toBe(404);
      for (const { body } of [renewed, again])
        expect((await open(at, { ...order, accessKey: String(body['accessKey']) })).status).toBe(200);
    }
  });
});

test('concurrent payments at instances of two releases are one sale with one set of codes', async () => {
  const ticketing = await system();
  const [one, other] = await sideBySide(ticketing, [steps[1]!, steps[2]!]);
  const key = await guestKeyOf(one);
  const { body } = await startCheckout(one, {}, { headers: { 'idempotency-key': `${key}.a` } });
  const payment = String(body['paymentIntentId']);
  const order = { orderId: String(body['orderId']), accessKey: String(body['accessKey']) };
  ticketing.fake.become(payment, 'succeeded');
  const [mine, theirs] = await Promise.all([one, other].map(({ url }) => pay({ url, fake: ticketing.fake }, payment)));
  expect([mine!.status, theirs!.status]).toEqual([200, 200]);
  expect((await open(one, order)).body).toEqual((await open(other, order)).body);
  expect(await ticketing.rows('select count(*)::int n, count(distinct code)::int codes from tickets')).toEqual([
    { n: 2, codes: 2 },
  ]);
});

test('with a removed secret, links and guests’ keys no longer work; codes and signatures stay valid', async () => {
  const ticketing = await system();
  const first = await ticketing.instance(undefined, undefined, { secret: steps[0]! });
  const order = await buy(ticketing, first);
  const codes = await ticketing.rows('select code from tickets order by code');
  const key = await guestKeyOf(first);
  const texts = async (at: Instance) => {
    const { rows } = await at.deps.pool.query<{ id: string; code: string }>(
      'select id, code from tickets order by code',
    );
    return rows.map(({ id, code }) => at.deps.signer.qrText({ id, code, eventId: 42 }));
  };
  const signed = await texts(first);

  const between = await ticketing.instance(undefined, undefined, { secret: steps[2]! });
  expect((await open(between, order)).status).toBe(200);
  const last = await ticketing.instance(undefined, undefined, { secret: steps[3]! });
  expect((await open(last, order)).status).toBe(404);
  expect((await hold(last, `${key}.x`, 42)).status).toBe(400);
  expect(await ticketing.rows('select code from tickets order by code')).toEqual(codes);
  expect(await texts(last)).toEqual(signed);
  expect(signed.every((text) => isGenuine(text, last.deps.signer.publicKey))).toBe(true);
});

test('an instance that cannot open the signing key names the wrong variable, and changes nothing', async () => {
  const ticketing = await system();
  const first = await ticketing.instance(undefined, undefined, { secret: steps[0]! });
  const before = await ticketing.rows('select * from signing_keys');
  await expect(openSigner(first.deps.pool, steps[3]!)).rejects.toThrow(/TICKET_SECRET/);
  expect(await ticketing.rows('select * from signing_keys')).toEqual(before);
});
