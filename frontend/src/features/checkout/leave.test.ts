import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Hold } from '@beltway/contracts/ticketing';
import { fakeApi } from '../../testing/fake-api.ts';
import { intentFixture, ORDER_ID } from '../../testing/orders.ts';
import { openCheckout } from './leave.ts';
import { orderMemory } from './order-memory.ts';

/** Web Locks of one browser: shared ones, and an exclusive one that is had at once or not at all. */
function fakeLocks() {
  let open = 0;
  return {
    request: async (_name: string, { mode }: { mode?: string }, work: (lock: object | null) => unknown) => {
      if (mode !== 'shared') return work(open === 0 ? {} : null);
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

test('a checkout that is left gives its tickets back', async () => {
  openCheckout(7)(false);
  await soon();
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([`DELETE /api/holds/${ORDER_ID}`]);
  expect(calls[0]?.headers.get('x-order-key')).toBe('key-1');
  expect(orderMemory.get(7)).toBeNull();
});

test('back again at once, it keeps them', async () => {
  const leave = openCheckout(7);
  leave(false);
  openCheckout(7);
  await soon();
  expect(calls).toEqual([]);
});

test('it keeps them while another tab has the checkout open', async () => {
  const [here, there] = [openCheckout(7), openCheckout(7)];
  here(false);
  await soon();
  expect(calls).toEqual([]);
  there(false);
  await soon();
  expect(calls).toHaveLength(1);
});

test('it keeps them while a payment is under way', async () => {
  openCheckout(7)(true);
  await soon();
  expect(calls).toEqual([]);
});
