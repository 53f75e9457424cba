import { createRequire } from 'node:module';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { quietRequestQueue } from './quiet-request-queue.ts';

const require = createRequire(import.meta.url);

interface Queue {
  throttledUntil: number;
  checkPendingRequests(): void;
  push(request: object): void;
}

function queue(): Queue {
  const RequestQueue = require('kafkajs/src/network/requestQueue') as new (options: object) => Queue;
  const logger = { debug() {}, warn() {} };
  return new RequestQueue({ maxInFlightRequests: null, requestTimeout: 1_000, enforceRequestTimeout: false, logger });
}

const request = (sent: () => void): object => ({
  entry: { correlationId: 1, resolve() {}, reject() {} },
  expectResponse: true,
  sendRequest: sent,
});

beforeEach(() => {
  quietRequestQueue();
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

test('the patch matches this version of kafkajs: check whether a newer version still needs the patch', () => {
  expect((require('kafkajs/package.json') as { version: string }).version).toBe('2.2.4');
});

test('an idle connection keeps no timer', () => {
  const idle = queue();
  idle.push(request(() => {}));
  idle.checkPendingRequests();
  expect(vi.getTimerCount()).toBe(0);
});

test('a throttled request is sent when the throttle ends, and not before', () => {
  const throttled = queue();
  throttled.throttledUntil = Date.now() + 200;
  const sent = vi.fn();
  throttled.push(request(sent));
  vi.advanceTimersByTime(199);
  expect(sent).not.toHaveBeenCalled();
  vi.advanceTimersByTime(20);
  expect(sent).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});
