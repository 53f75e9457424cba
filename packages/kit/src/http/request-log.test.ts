import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Logger } from '../observe/logger.ts';
import { requestLog } from './request-log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const line = (status: number) => ({ requestId: 'r', method: 'GET', route: '/x', status, ms: 1 });

test('a hundred lines per second are written, the rest is summed up in one line, each second', () => {
  const info = vi.fn();
  const lines = requestLog({ info } as unknown as Logger);
  const log = (one: ReturnType<typeof line>) => lines.admits(one.status) && lines.write(one);
  for (let n = 0; n < 100; n++) log(line(200));
  log(line(201));
  log(line(409));
  log(line(409));
  expect(info).toHaveBeenCalledTimes(100);
  vi.advanceTimersByTime(1_000);
  expect(info).toHaveBeenCalledTimes(101);
  expect(info.mock.lastCall?.[0]).toEqual({ more: { 201: 1, 409: 2 } });
  log(line(200));
  expect(info.mock.lastCall?.[0]).toEqual(line(200));
  vi.advanceTimersByTime(5_000);
  expect(info).toHaveBeenCalledTimes(102);
});
