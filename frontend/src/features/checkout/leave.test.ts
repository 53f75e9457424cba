import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Hold } from '@beltway/contracts/ticketing/tickets';
import { fakeApi } from '../../testing/fake-api.ts';
import { intentFixture, ORDER_ID } from '../../testing/orders.ts';
import { hold } from './api.ts';
import { openCheckout } from './leave.ts';
import { orderMemory } from './order-memory.ts';

type Work = (lock: object | null) => unknown;

/** The Web Locks of one browser: shared locks, and an exclusive one that fails if the lock is taken. */
function fakeLocks() {
  let open = 0;
  return {
    request: async (_name: string, options: { mode?: string } | Work, work: Work) => {
      if (typeof options === 'function') return options({});
      if (options.mode !== 'shared') return work(open === 0 ? {} : null);
      open++;
      await work({});
      open--;
      return undefined;
    },
  };
}

let calls: ReturnType<typeof fakeApi>;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('navigator', { locks: fakeLocks() });
  orderMemory.set(7, { order: Hold.parse(intentFixture()) });
  calls = fakeApi({ [`DELETE /api/holds/${ORDER_ID}`]: '' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const soon = () => vi.advanceTimersByTimeAsync(11_000);

test('leaving the checkout releases the hold', async () => {
  openCheckout(7)(false);
  await soon();
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([`DELETE /api/holds/${ORDER_ID}`]);
  expect(calls[0]?.headers.get('x-order-key')).toBe('key-1');
  expect(orderMemory.get(7)).toBeNull();
});

test('returning to the checkout immediately keeps the hold', async () => {
  const leave = openCheckout(7);
  leave(false);
  openCheckout(7);
  await soon();
  expect(calls).toEqual([]);
});

test('the hold is kept while another tab has the checkout open', async () => {
  const [here, there] = [openCheckout(7), openCheckout(7)];
  here(false);
  await soon();
  expect(calls).toEqual([]);
  there(false);
  await soon();
  expect(calls).toHaveLength(1);
});

test('a hold that the server grants after the buyer has left the checkout is released as well', async () => {
  orderMemory.clear(7);
  const late = Promise.withResolvers<unknown>();
  calls = fakeApi({
    'POST /api/order-keys': { key: 'guest-key' },
    'POST /api/holds': () => late.promise,
    [`DELETE /api/holds/${ORDER_ID}`]: '',
  });
  const holding = hold(7, 2);
  openCheckout(7)(false);
  await soon();
  late.resolve(Hold.parse(intentFixture()));
  await holding;
  await soon();
  expect(calls.at(-1)?.method).toBe('DELETE');
  expect(orderMemory.get(7)).toBeNull();
});

test('the hold is kept during a payment', async () => {
  openCheckout(7)(true);
  await soon();
  expect(calls).toEqual([]);
});
