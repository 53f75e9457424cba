import { expect, test, vi } from 'vitest';
import { counter, gauges, metricsText, observeRequest, registry } from './metrics.ts';

const route = '/tried/:id';
const linesOf = async (name: string) => (await metricsText()).split('\n').filter((line) => line.includes(name));

test('durations of requests are a histogram by method, route and class of status', async () => {
  for (const seconds of [0.001, 0.005, 0.3, 60]) observeRequest({ method: 'PATCH', route, status: 201, seconds });
  observeRequest({ method: 'PATCH', route, status: 409, seconds: 0.02 });
  observeRequest({ method: 'PURGE', route, status: 200, seconds: 0.06 });
  const lines = await linesOf('http_request_duration_seconds');
  expect(lines.slice(0, 2)).toEqual([
    '# HELP http_request_duration_seconds Time from request to answer',
    '# TYPE http_request_duration_seconds histogram',
  ]);
  const created = lines.filter((line) => line.includes(`method="PATCH",route="${route}",status="2xx"`));
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
  expect(lines).toContain(`http_request_duration_seconds_count{method="PATCH",route="${route}",status="4xx"} 1`);
});

test('requests are counted by exact status; an unknown method is ‘other’', async () => {
  observeRequest({ method: 'PUT', route, status: 429, seconds: 0.01 });
  observeRequest({ method: 'EVIL-1', route, status: 405, seconds: 0.01 });
  const lines = await linesOf('http_requests_total');
  expect(lines).toContain(`http_requests_total{method="PUT",route="${route}",status="429"} 1`);
  expect(lines).toContain(`http_requests_total{method="other",route="${route}",status="405"} 1`);
  expect(lines.join()).not.toContain('EVIL');
});

test('a counter exports its known labels before the first event', async () => {
  counter('tried_total', 'Tried', ['how'], [{ how: 'well' }, { how: 'badly' }]);
  expect(await linesOf('tried_total{')).toEqual(['tried_total{how="well"} 0', 'tried_total{how="badly"} 0']);
});

test('a scrape measures once for all gauges of a measure, and drops labels that are gone', async () => {
  const measure = vi.fn(() => [{ labels: { what: 'a' }, values: { tried_things: 2, tried_things_bytes: 20 } }]);
  const help = { tried_things: 'Things', tried_things_bytes: 'Their size' };
  gauges(help, ['what'], measure);
  expect(await linesOf('tried_things')).toEqual(
    expect.arrayContaining(['tried_things{what="a"} 2', 'tried_things_bytes{what="a"} 20']),
  );
  expect(measure).toHaveBeenCalledTimes(1);

  const end = gauges(help, ['what'], () => [
    { labels: { what: 'b' }, values: { tried_things: 0, tried_things_bytes: 0 } },
  ]);
  expect(await linesOf('tried_things{')).toEqual(['tried_things{what="b"} 0']);
  end();
  expect(await linesOf('tried_things{')).toEqual([]);
});

test('a measure that fails or hangs omits only its own gauges', async () => {
  gauges({ tried_broken: 'Broken' }, [], () => Promise.reject(new Error('the database is away')));
  gauges({ tried_hanging: 'Hanging' }, [], () => new Promise(() => undefined));
  gauges({ tried_well: 'Well' }, [], () => [{ values: { tried_well: 1 } }]);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const text = metricsText();
    await vi.advanceTimersByTimeAsync(2_000);
    const lines = (await text).split('\n');
    expect(lines).toContain('tried_well 1');
    expect(lines.filter((line) => /^tried_(broken|hanging) /.test(line))).toEqual([]);
  } finally {
    vi.useRealTimers();
    for (const name of ['tried_broken', 'tried_hanging']) registry.removeSingleMetric(name);
  }
});
