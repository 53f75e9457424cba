import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { gauges } from './metrics.ts';
import { serveMetrics } from './metrics-server.ts';

const closing: Array<{ close(): unknown }> = [];
afterEach(() => closing.splice(0).forEach((one) => one.close()));

async function start() {
  const server = await serveMetrics(0, '127.0.0.1');
  closing.push(server);
  return { port: (server.address() as AddressInfo).port };
}

test('answers GET /metrics in the format of Prometheus, and nothing else', async () => {
  const { port } = await start();
  const url = `http://127.0.0.1:${port}`;
  const answer = await fetch(`${url}/metrics`);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(await answer.text()).toMatch(/^nodejs_eventloop_lag_p99_seconds \S+$/m);
  for (const path of ['/', '/health/ready', '/internal/invariants', '/metrics/x'])
    expect((await fetch(url + path)).status).toBe(404);
  expect((await fetch(`${url}/metrics`, { method: 'POST', body: 'x' })).status).toBe(405);
});

test('concurrent scrapes share one answer', async () => {
  const { port } = await start();
  const measure = vi.fn(async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return [{ values: { tried_slowly: 1 } }];
  });
  closing.push({ close: gauges({ tried_slowly: 'Slow' }, [], measure) });
  const texts = await Promise.all(
    Array.from({ length: 20 }, async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
  );
  for (const text of texts) expect(text).toContain('tried_slowly 1');
  expect(measure.mock.calls.length).toBeLessThan(20);
});

test('a port in use is an error that names the variable', async () => {
  const { port } = await start();
  await expect(serveMetrics(port, '127.0.0.1')).rejects.toThrow(/METRICS_PORT.*EADDRINUSE/);
});
