import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from './gateway.ts';
import { standIn } from './stand-in.ts';

let gateway: TestGateway;
beforeAll(async () => void (gateway = await startGateway()));
afterAll(() => gateway.stop());
beforeEach(() => Object.values(gateway.behind).forEach((service) => service.reset()));

test.each([
  ['/api/auth/me', 'identity'],
  ['/api/users/5', 'identity'],
  ['/api/users/5/events', 'catalog'],
  ['/api/events', 'catalog'],
  ['/api/users/5/events?page=2&q=%2Fa%2F..%2Fb', 'catalog'],
  ['/api/events/5', 'catalog'],
  ['/api/events/5/availability', 'ticketing'],
  ['/api/holds/0b0e7a5c-1111-4111-8111-111111111111', 'ticketing'],
  ['/api/tickets/my-tickets', 'ticketing'],
  ['/api/orders/x/tickets.pdf', 'ticketing'],
  ['/api/stripe/webhook', 'payments'],
  ['/api/images', 'media'],
  ['/media/images/a-large.webp', 'media'],
  ['/socket.io/?EIO=4&transport=polling', 'realtime'],
  ['/sandbox/stripe/v1/payment_intents', 'sandbox'],
  ['/dev/payments/state', 'sandbox'],
  ['/dev/mail/a', 'ticketing'],
  ['/dev/mail/kinds/ticketing', 'ticketing'],
  ['/dev/mail/kinds/identity/verify-email.es/html', 'identity'],
] as const)('%s is handed to %s, with the same path', async (path, service) => {
  gateway.behind[service].answer = (_req, res) =>
    void res.setHeader('cache-control', 'public, max-age=1').end(JSON.stringify({ from: service }));
  expect(await (await gateway.get(path)).json()).toEqual({ from: service });
  expect(gateway.heard().map(({ url }) => url)).toEqual([path]);
});

test('a separate live instance of media gets segments and cameras, and other instances the other requests', async () => {
  const live = await standIn('live', 'media');
  const apart = await startGateway({ LIVE_URL: live.url });
  try {
    const seat = '/media/live/7/0b0e7a5c-1111-4111-8111-111111111111.abcdefghijklmnopqrstuv';
    for (const [method, path, from] of [
      ['GET', `${seat}/index.m3u8`, 'live'],
      ['GET', `${seat}/clip-0.ts`, 'live'],
      ['DELETE', '/api/broadcasts/7/whip/1', 'live'],
      ['GET', '/api/broadcasts/7', 'media'],
      ['GET', '/api/live-streams/7/playback', 'media'],
      ['GET', '/media/recordings/a/b.mp4', 'media'],
    ] as const) {
      const answer = await fetch(apart.url + path, { method });
      expect([path, await answer.json()]).toEqual([path, { from }]);
    }
  } finally {
    await apart.stop();
    await live.die();
  }
});

test.each(['/api/nothing', '/internal/invariants', '/INTERNAL/x', '/API/events', '/Dev/mail', '/api', '/media'])(
  '%s has no route: 404 in problem+json',
  async (path) => {
    const answer = await gateway.get(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    const problem = (await answer.json()) as { requestId: string };
    expect(problem).toMatchObject({ code: 'not-found', requestId: answer.headers.get('x-request-id') });
    expect(gateway.heard()).toEqual([]);
  },
);

describe('no spelling of a path reaches an internal route', () => {
  const get = (target: string, method = 'GET') =>
    `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

  test.each([
    '//api/events',
    '/api//events',
    '/api/events//5',
    '/api/events/../../internal/invariants',
    '/api/events/..',
    '/api/events/.',
    '/api/./events',
    '/api/%2e%2e/internal',
    '/api/events/%2E%2e/%2e%2e/internal/invariants',
    '/api/events/.%2e/internal',
    '/api/events/..%2f..%2finternal',
    '/api/events/%2Finternal',
    '/api/events/%5cinternal',
    '/api/events\\..\\internal',
    '/api/events/%00',
    '/api/events/%zz',
    '/api/events/%',
    '/api/events#/internal',
    '/api/events?x#y',
    '/api/events/\xe9',
    'http://localhost/internal/invariants',
    'http://localhost/api/events',
    'http://127.0.0.1:1/api/events/../../internal',
    '*',
  ])('%s is refused', async (target) => {
    expect(await gateway.raw(get(target))).toMatch(/^HTTP\/1\.1 400 /);
    expect(gateway.heard()).toEqual([]);
  });

  test.each(['/internal/invariants', '/metrics', '/health/ready', '/%69nternal/invariants', '/.well-known/jwks.json'])(
    '%s is not proxied',
    async (target) => {
      await gateway.raw(get(target));
      expect(gateway.heard()).toEqual([]);
    },
  );

  test.each([
    ['TRACE', '/api/events'],
    ['PROPFIND', '/api/events'],
    ['LINK', '/api/events'],
  ])('%s is not supported', async (method, target) => {
    const answer = await gateway.raw(get(target, method));
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toMatch(/^allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r$/im);
    expect(gateway.heard()).toEqual([]);
  });

  test('after CONNECT the connection is closed without an answer', async () => {
    expect(await gateway.raw('CONNECT 127.0.0.1:5432 HTTP/1.1\r\nHost: x\r\n\r\n')).toBe('');
    expect((await gateway.get('/api/health/live')).status).toBe(200);
  });
});

test('pages and servers for developers do not exist with real engines', async () => {
  const engines = await startGateway({ BELTWAY_MODE: 'engines', SANDBOX_URL: undefined });
  for (const path of ['/dev/mail', '/dev/mail/kinds/identity', '/dev/payments/state', '/sandbox/stripe/v1/events'])
    expect((await engines.get(path)).status).toBe(404);
  expect(engines.heard()).toEqual([]);
  await engines.stop();
});

test('with real engines the card sandbox works only under this machine’s names, and has no switches', async () => {
  const engines = await startGateway({ BELTWAY_MODE: 'engines' });
  const path = '/sandbox/stripe/v1/payment_intents';
  expect((await engines.get(path)).status).toBe(200);
  expect(engines.behind.sandbox.heard).toHaveLength(1);
  expect(await engines.raw(`GET ${path} HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n`)).toContain(
    'this-machine-only',
  );
  for (const hidden of ['/dev/mail', '/dev/payments/state']) expect((await engines.get(hidden)).status).toBe(404);
  expect(engines.heard()).toHaveLength(1);
  await engines.stop();
});
