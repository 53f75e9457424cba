import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { PROXY_TIMEOUTS } from '../src/proxy/connections.ts';
import type { Route } from '../src/routes/route.ts';
import { publicRoutes } from '../src/routes/table.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/** A call that no service declares. */
const added: Route[] = [
  {
    method: 'put',
    path: '/api/venues/{id}/plan',
    service: 'media',
    summary: 'The plan of a venue',
    access: 'signed in',
    rate: 'upload',
    body: z.object({ rows: z.int() }),
    maxBytes: 1_000,
    answer: z.object({ from: z.string() }),
  },
  {
    method: 'get',
    path: '/api/venues/{id}/plan',
    service: 'media',
    summary: 'The same',
    access: 'public',
    cache: 'public',
  },
];
const PLAN = '/api/venues/7/plan';
const long = 'far '.repeat(2_000);

let gateway: TestGateway;
beforeAll(async () => {
  const [change, routes] = [{ BELTWAY_RATE_LIMITS: 'on' } as const, [...publicRoutes, ...added]];
  gateway = await startGateway(change, PROXY_TIMEOUTS, undefined, undefined, routes);
});
afterAll(() => gateway.stop());

const put = (body: string) =>
  fetch(gateway.url + PLAN, { method: 'PUT', headers: { 'content-type': 'application/json' }, body });

test('one row makes a call proxied, rate limited, size limited, listed by OPTIONS and documented', async () => {
  const answer = await put('{"rows":3}');
  expect([answer.status, await answer.json()]).toEqual([200, { from: 'media' }]);
  expect(gateway.behind.media.heard.at(-1)).toMatchObject({ method: 'PUT', url: PLAN, body: '{"rows":3}' });
  expect(answer.headers.get('ratelimit-policy')).toContain('"upload"');

  const heard = gateway.behind.media.heard.length;
  expect((await put(`{"rows":${'3'.repeat(1_000)}}`)).status).toBe(413);
  expect(gateway.behind.media.heard).toHaveLength(heard);

  const options = await fetch(gateway.url + PLAN, { method: 'OPTIONS' });
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'PUT, GET, HEAD, OPTIONS']);

  const { paths } = (await (await gateway.get('/api/openapi.json')).json()) as { paths: Record<string, object> };
  expect(paths['/api/venues/{id}/plan']).toMatchObject({
    put: { summary: 'The plan of a venue', security: [{ bearer: [] }], responses: { '401': {}, '413': {} } },
    get: { security: [] },
  });
});

test.each([
  ['public', PLAN, 'br'],
  ['anything else', '/api/auth/me', null],
])('an answer with a public Cache-Control and the row %s: %s is compressed with %s', async (_what, path, coding) => {
  for (const service of [gateway.behind.media, gateway.behind.identity])
    service.answer = (_req, res) =>
      void res.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'public, max-age=1' }).end(long);
  const answer = await gateway.get(path, { 'accept-encoding': 'br' });
  expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual([coding, long]);
});

test('without its row a call does not exist', async () => {
  const own = await startGateway();
  try {
    expect((await own.get(PLAN)).status).toBe(404);
    expect(own.heard()).toEqual([]);
  } finally {
    await own.stop();
  }
});
