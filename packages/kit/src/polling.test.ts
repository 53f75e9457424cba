import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logger } from './observe/logger.ts';
import { startPolling } from './polling.ts';

const log = logger('polling', 'silent');
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('polls after each pause, and immediately again while there is work', async () => {
  const answers = [true, true, false, false];
  const poll = vi.fn(async () => answers.shift() ?? false);
  const poller = startPolling(log, 'test', 1_000, poll);
  await vi.advanceTimersByTimeAsync(999);
  expect(poll).toHaveBeenCalledTimes(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(poll).toHaveBeenCalledTimes(3);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(poll).toHaveBeenCalledTimes(4);
  await poller.stop();
});

test('never polls concurrently: woken during a poll, it polls once more afterwards', async () => {
  const polls: Array<PromiseWithResolvers<boolean>> = [];
  const poller = startPolling(log, 'test', 1_000, () => {
    const poll = Promise.withResolvers<boolean>();
    polls.push(poll);
    return poll.promise;
  });
  poller.wake();
  for (let times = 0; times < 3; times++) poller.wake();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(polls).toHaveLength(1);
  polls[0]!.resolve(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(polls).toHaveLength(2);
  polls[1]!.resolve(false);
  await vi.advanceTimersByTimeAsync(999);
  expect(polls).toHaveLength(2);
  await poller.stop();
});

test('a failed poll is retried after the pause, not immediately', async () => {
  const poll = vi.fn(() => Promise.reject(new Error('away')));
  const poller = startPolling(log, 'test', 1_000, poll);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(poll).toHaveBeenCalledTimes(3);
  await poller.stop();
});

test('a stop waits for the poll in progress and starts no other', async () => {
  const under = Promise.withResolvers<boolean>();
  const poll = vi.fn(() => under.promise);
  const poller = startPolling(log, 'test', 1_000, poll);
  poller.wake();
  let hasStopped = false;
  const stopping = poller.stop().then(() => (hasStopped = true));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(hasStopped).toBe(false);
  under.resolve(true);
  await stopping;
  poller.wake();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(poll).toHaveBeenCalledTimes(1);
});

test('an unreachable service is a warning only after startup; any other error is always a warning', async () => {
  const levels: string[] = [];
  const note = (level: string) => () => void levels.push(level);
  const noting = Object.assign(logger('polling', 'silent'), { info: note('info'), warn: note('warn') });
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const faults: Error[] = [refused, new Error('syntax error'), refused];
  const poller = startPolling(noting, 'test', 15_000, () => Promise.reject(faults.shift()!));
  await vi.advanceTimersByTimeAsync(45_000);
  expect(levels).toEqual(['info', 'warn', 'warn']);
  await poller.stop();
});
