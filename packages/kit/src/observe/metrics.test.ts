import { register } from 'prom-client';
import { expect, test } from 'vitest';
import { observeRequest } from './metrics.ts';

// Methods that no other test of this process asks by.
test('request durations are exposed as a histogram, by method and class of status', async () => {
  for (const seconds of [0.001, 0.005, 0.3, 60]) observeRequest('PATCH', 201, seconds);
  observeRequest('PATCH', 409, 0.02);
  observeRequest('PURGE', 200, 0.06);
  const lines = (await register.metrics()).split('\n').filter((line) => line.includes('http_request_duration_seconds'));
  expect(lines.slice(0, 2)).toEqual([
    '# HELP http_request_duration_seconds Time from request to answer',
    '# TYPE http_request_duration_seconds histogram',
  ]);
  const created = lines.filter((line) => line.includes('method="PATCH",status="2xx"'));
  const values = Object.fromEntries(
    created.map((line) => [
      /le="([^"]+)"/.exec(line)?.[1] ?? /_(sum|count)/.exec(line)![1]!,
      Number(line.split(' ').at(-1)),
    ]),
  );
  expect(values).toEqual({
    ...{ '0.005': 2, '0.02': 2, '0.05': 2, '0.1': 2, '0.25': 2, '0.5': 3, '1': 3, '2.5': 3, '10': 3, '+Inf': 4 },
    sum: expect.closeTo(60.306),
    count: 4,
  });
  expect(lines).toContain('http_request_duration_seconds_count{method="PATCH",status="4xx"} 1');
  expect(lines).toContain('http_request_duration_seconds_count{method="PURGE",status="2xx"} 1');
});
