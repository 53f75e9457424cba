import { ClientSpan } from '@beltway/contracts/ops/client-spans';
import { afterEach, expect, test, vi } from 'vitest';
import { traced, traceShare } from './trace.ts';

afterEach(() => {
  traceShare(0);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function watch() {
  const sent: Array<{ url: string; init: RequestInit }> = [];
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    sent.push({ url, init });
    return Promise.reject(new TypeError('offline'));
  });
  const headers: Array<Record<string, string>> = [];
  const work = (given: Record<string, string>) => (headers.push(given), Promise.resolve(7));
  return { sent, headers, work };
}

test('if the server does not trace, a request is sent unchanged', async () => {
  const { sent, headers, work } = watch();
  expect(await traced('hold tickets', work)).toBe(7);
  expect([headers, sent]).toEqual([[{}], []]);
});

test('a recorded request carries its trace, and its duration is reported without cookies', async () => {
  const { sent, headers, work } = watch();
  traceShare(1);
  expect(await traced('buy tickets', work)).toBe(7);
  expect(await traced('buy tickets', work)).toBe(7);
  const reports = sent.map(({ url, init }) => [url, init.credentials, ClientSpan.parse(JSON.parse(String(init.body)))]);
  expect(reports).toEqual(
    headers.map(({ traceparent }) => [
      '/api/client-spans',
      'omit',
      { name: 'buy tickets', traceparent, durationMs: expect.any(Number), hasFailed: false },
    ]),
  );
  expect(headers[0]!['traceparent']).not.toBe(headers[1]!['traceparent']);
});

test('a failed request rejects unchanged and is reported as failed', async () => {
  const { sent } = watch();
  traceShare(1);
  await expect(traced('hold tickets', () => Promise.reject(new Error('sold out')))).rejects.toThrow('sold out');
  expect(JSON.parse(String(sent[0]!.init.body))).toMatchObject({ hasFailed: true });
});

test('an unsampled request carries the unsampled flag and reports nothing', async () => {
  const { sent, headers, work } = watch();
  traceShare(0.5);
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  await traced('buy tickets', work);
  expect(headers[0]!['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  expect(sent).toEqual([]);
});
