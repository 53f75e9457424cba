import { setImmediate as nextTurn } from 'node:timers/promises';
import { act, configure, getConfig } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, vi } from 'vitest';

const later = import.meta.glob([
  '../routes/**/*.tsx',
  '../ui/toast-region.tsx',
  '../features/tickets/*.tsx',
  '../sandbox-stripe/index.ts',
  '!**/*.test.tsx',
]);

/**
 * For the tests of a file: the clock stands still, and goes on only while a test waits for something (`findBy…`, `waitFor`), 50 ms with
 * each look. So what takes seconds takes none, and nothing lapses because the machine is busy. Type and press with
 * `userEvent.setup({ delay: null })`.
 */
export function fakeClock(): void {
  const { unstable_advanceTimersWrapper } = getConfig();
  // Code that is loaded when it is first shown takes real time: it is there before.
  beforeAll(async () => void (await Promise.all(Object.values(later).map((load) => load()))));
  beforeEach(() => {
    vi.useFakeTimers();
    // Testing Library moves the clock only where it finds Jest's global.
    Object.assign(globalThis, { jest: { advanceTimersByTime: vi.advanceTimersByTime } });
    configure({
      // What is answered or loaded takes turns of the real event loop.
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
