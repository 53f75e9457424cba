import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { metricsText } from '../observe/metrics.ts';
import { eventually } from '../testing/testing.ts';
import { createServiceApp } from './app.ts';

const closing: Array<() => unknown> = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

async function start() {
  const lines: Array<Record<string, unknown>> = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
  const app = createServiceApp({
    service: 'tried',
    log,
    routes: (routes) => {
      routes.get('/api/tried/:code', (req, res) => void res.json({ code: req.params.code }));
      routes.post('/api/tried', (req, res) => void res.json(req.body));
    },
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  await eventually(() => server.listening);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lines };
}

test('a log line contains the route pattern, and no path, query, header or body that a client sent', async () => {
  const secret = 'Zx81SecretOfTheTest';
  const { url, lines } = await start();
  const headers = {
    authorization: `Bearer ${secret}`,
    cookie: `c=${secret}`,
    'user-agent': secret,
    'x-order-key': secret,
  };
  const json = { ...headers, 'content-type': 'application/json' };
  for (const path of [`/api/tried/${secret}`, `/api/${secret}`, `/${secret}`, `/api/tried/%zz${secret}`])
    await fetch(`${url}${path}?key=${secret}`, { headers });
  for (const body of [`{"key":"${secret}"}`, `{"key":"${secret}"`, secret])
    await fetch(`${url}/api/tried?key=${secret}`, { method: 'POST', headers: json, body });
  await fetch(`${url}/health/live?key=${secret}`, { headers });
  await eventually(() => lines.length === 7);
  expect(lines.map(({ method, route, status }) => [method, route, status])).toEqual([
    ['GET', '/api/tried/:code', 200],
    ['GET', 'unmatched', 404],
    ['GET', 'unmatched', 404],
    ['GET', 'unmatched', 400],
    ['POST', '/api/tried', 200],
    ['POST', 'unmatched', 400],
    ['POST', 'unmatched', 400],
  ]);
  expect(JSON.stringify(lines)).not.toContain(secret);
  expect(await metricsText()).not.toContain(secret);
});

test('the number of metric series depends on the routes, not on the requested paths', async () => {
  const { url } = await start();
  const series = async () =>
    (await metricsText()).split('\n').filter((line) => line.startsWith('http_requests_total')).length;
  await fetch(`${url}/api/tried/1`);
  await fetch(`${url}/none`);
  const before = await series();
  for (let n = 0; n < 50; n++) await Promise.all([fetch(`${url}/api/tried/${n}`), fetch(`${url}/none/${n}`)]);
  expect(await series()).toBe(before);
});
