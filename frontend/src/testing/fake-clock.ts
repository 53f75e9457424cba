import { setImmediate as nextTurn } from 'node:timers/promises';
import { act, configure, getConfig } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, vi } from 'vitest';

const later = import.meta.glob([
  '../routes/**/*.tsx',
  '../{layout,ui}/*.tsx',
  '../lib/{orders,report}/*.tsx',
  '../features/{checkout,notifications,tickets}/*.{ts,tsx}',
  '../sandbox-stripe/index.ts',
  '!**/*.test.{ts,tsx}',
]);

/**
 * Fakes the clock for the tests of a file. It advances only while a test waits (`findBy…`, `waitFor`), by 50 ms per
 * check. Therefore long waits take no real time, and nothing expires because the machine is busy. Type and press with
 * `userEvent.setup({ delay: null })`.
 */
export function fakeClock(): void {
  const { unstable_advanceTimersWrapper } = getConfig();
  // Imports lazily loaded code up front, because loading takes real time.
  beforeAll(async () => void (await Promise.all(Object.values(later).map((load) => load()))));
  beforeEach(() => {
    vi.useFakeTimers();
    // Testing Library advances the clock only if Jest's global exists.
    Object.assign(globalThis, { jest: { advanceTimersByTime: vi.advanceTimersByTime } });
    configure({
      // Responses and loaded modules need ticks of the real event loop.
      unstable_advanceTimersWrapper: async (advance) => {
        await act(async () => void (await advance()));
        await nextTurn();
      },
    });
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'jest');
    configure({ unstable_advanceTimersWrapper });
    vi.useRealTimers();
  });
}
