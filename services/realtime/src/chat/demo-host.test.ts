import { afterEach, expect, test, vi } from 'vitest';
import { logger } from '@beltway/kit/logger';
import { startDemoHost, wantsDemoHost } from './demo-host.ts';

afterEach(() => void vi.useRealTimers());

test('looks whether somebody is there at once, and then every six seconds', async () => {
  vi.useFakeTimers();
  const count = vi.fn(() => 0);
  const host = startDemoHost({
    ...{ pool: {} as never, chat: {} as never, hub: {} as never, clock: { now: () => new Date() } },
    ...{ online: { count } as never, log: logger('realtime', 'silent') },
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(count).toHaveBeenCalledTimes(1);
  for (const times of [2, 3]) {
    await vi.advanceTimersByTimeAsync(5_999);
    expect(count).toHaveBeenCalledTimes(times - 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(count).toHaveBeenCalledTimes(times);
  }
  await host.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(count).toHaveBeenCalledTimes(3);
});

test.each([
  [{ BELTWAY_MODE: 'embedded', BELTWAY_DEMO: '1' }, true],
  [{ BELTWAY_MODE: 'embedded', BELTWAY_DEMO: '0' }, false],
  [{ BELTWAY_MODE: 'engines', BELTWAY_DEMO: '1' }, false],
  [{ BELTWAY_MODE: 'engines', BELTWAY_DEMO: '0' }, false],
] as const)('is there in the embedded mode with sample data alone: %o', (of, isThere) =>
  expect(wantsDemoHost(of)).toBe(isThere),
);
