import { Hold } from '@beltway/contracts/ticketing/tickets';
import { beforeEach, expect, test } from 'vitest';
import { HttpError } from '../../lib/http/http.ts';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { answer, fakeApi, problem, type FakeCall } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { intentFixture, ORDER_ID, orderFixture } from '../../testing/orders.ts';
import { AlreadyPaid, hold, prepare } from './api.ts';
import { orderMemory } from './order-memory.ts';
import { beginningQuery } from './resume.ts';

const OTHER_ID = '7f1f9d0e-52c7-4a5b-9a53-0d6f0a7c1b11';
const INTENT = 'POST /api/create-ticket-payment-intent';
const HOLD = 'POST /api/holds';
const ann = { name: 'Ann Buyer', email: 'ann@example.com', quantity: 2 };
/** Two tickets are held as order ORDER_ID, any other quantity as another order. */
const held = ({ body }: FakeCall) => {
  const { quantity } = body as { quantity: number };
  return answer(201, Hold.parse(intentFixture({ quantity, orderId: quantity === 2 ? ORDER_ID : OTHER_ID })));
};
const serve = (answers: Record<string, unknown> = {}) => {
  const calls = fakeApi({
    [HOLD]: held,
    [INTENT]: intentFixture(),
    'POST /api/order-keys': { key: 'guest-key' },
    ...answers,
  });
  return (path: string) => calls.filter((call) => call.path === path);
};
const keysOf = (calls: FakeCall[]) => calls.map(({ headers }) => headers.get('idempotency-key'));
const lostOnce = <T>(work: (call: FakeCall) => T) => {
  let tries = 0;
  return (call: FakeCall) => {
    if (tries++ === 0) throw new TypeError('Failed to fetch');
    return work(call);
  };
};
beforeEach(() => localStorage.clear());

test('a guest’s hold sends the guest key in its idempotency key; an account’s hold does not', async () => {
  const to = serve();
  await hold(7, 2);
  expect(keysOf(to('/api/holds'))[0]).toMatch(/^guest-key\.[\w-]{36}$/);
  localStorage.clear();
  sessionStore.set(sessionFixture());
  const ofMember = serve();
  await hold(7, 2);
  expect(keysOf(ofMember('/api/holds'))[0]).toMatch(/^[\w-]{36}$/);
  expect(ofMember('/api/order-keys')).toEqual([]);
});

test('a guest’s hold with a refused guest key is requested again with a new guest key', async () => {
  localStorage.setItem('beltway.guest-key', 'key-of-before');
  const to = serve({
    [HOLD]: (call: FakeCall) =>
      call.headers.get('idempotency-key')?.startsWith('key-of-before')
        ? problem(400, 'invalid', { errors: [{ field: 'Idempotency-Key', message: 'is not ours' }] })
        : held(call),
  });
  await hold(7, 2);
  expect(keysOf(to('/api/holds')).map((key) => key?.split('.')[0])).toEqual(['key-of-before', 'guest-key']);
});

test('a hold that a page requests twice at the same time is one request', async () => {
  const to = serve();
  const [one, two] = await Promise.all([hold(7, 1), hold(7, 1)]);
  expect(two).toEqual(one);
  expect(to('/api/holds')).toHaveLength(1);
});

test('a hold request whose answer is lost is sent again with the same key', async () => {
  const to = serve({ [HOLD]: lostOnce(held) });
  await expect(hold(7, 2)).rejects.toThrow('Failed to fetch');
  await hold(7, 2);
  const [first, second, ...more] = keysOf(to('/api/holds'));
  expect([second, more]).toEqual([first, []]);
});

test('a hold request whose answer is lost is repeated before another quantity is requested', async () => {
  const to = serve({ [HOLD]: lostOnce(held) });
  await expect(hold(7, 1)).rejects.toThrow('Failed to fetch');
  await hold(7, 2);
  expect(to('/api/holds').map(({ body }) => (body as { quantity: number }).quantity)).toEqual([1, 1, 2]);
});

test('a changed quantity exchanges the hold, and the payment is for the new order', async () => {
  const to = serve();
  await prepare(7, ann);
  await prepare(7, { ...ann, quantity: 3 });
  expect(to('/api/holds').at(-1)?.body).toEqual({
    eventId: 7,
    quantity: 3,
    replaces: { orderId: ORDER_ID, accessKey: 'key-1' },
  });
  expect(to('/api/create-ticket-payment-intent')[1]?.body).toMatchObject({ quantity: 3, orderId: OTHER_ID });
});

test('a hold is kept when its exchange is refused', async () => {
  serve({
    [HOLD]: (call: FakeCall) =>
      (call.body as { quantity: number }).quantity > 2 ? problem(409, 'not-enough-left') : held(call),
  });
  await hold(7, 2);
  await expect(hold(7, 3)).rejects.toBeInstanceOf(HttpError);
  expect(orderMemory.get(7)?.order).toMatchObject({ orderId: ORDER_ID, quantity: 2 });
});

test('the hold is kept for the next attempt when the answer to the payment intent is lost', async () => {
  const to = serve({ [INTENT]: lostOnce(() => intentFixture()) });
  await expect(prepare(7, ann)).rejects.toThrow('Failed to fetch');
  await prepare(7, ann);
  expect(to('/api/holds')).toHaveLength(1);
});

test('tickets whose hold is gone because they were paid are not held and paid again', async () => {
  orderMemory.set(7, { order: Hold.parse(intentFixture()) });
  const to = serve({ [INTENT]: () => problem(409, 'hold-gone'), [`GET /api/orders/${ORDER_ID}`]: orderFixture() });
  await expect(prepare(7, ann)).rejects.toBeInstanceOf(AlreadyPaid);
  expect(to('/api/holds')).toEqual([]);
});

test('a hold of another account is not used', async () => {
  sessionStore.set(sessionFixture());
  orderMemory.set(7, { order: Hold.parse(intentFixture()) });
  sessionStore.clear();
  const to = serve();
  const { initialData } = beginningQuery(7);
  expect((initialData as () => unknown)()).toEqual({ kind: 'new', lost: null });
  await hold(7, 2);
  expect(to(`/api/orders/${ORDER_ID}`)).toEqual([]);
  expect(to('/api/holds').map(({ body }) => body)).toEqual([{ eventId: 7, quantity: 2 }]);
});
