import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { publicRoutes } from '../src/routes/table.ts';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => void (gateway = await startGateway()));
afterAll(() => gateway.stop());
beforeEach(() => Object.values(gateway.behind).forEach((service) => service.reset()));

/**
 * Sends these headers to a path of catalog or identity, as a normal request or as an upgrade. Returns the request that
 * the service received.
 */
async function heardOf(lines: string[], upgrade = false, path = '/api/users/5/events') {
  const socket = gateway.connect();
  const target = upgrade ? '/socket.io/?transport=websocket' : path;
  const more = upgrade
    ? [
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Version: 13',
      ]
    : [];
  socket.write([`GET ${target} HTTP/1.1`, ...lines, ...more, '', ''].join('\r\n'));
  const service = gateway.behind[upgrade ? 'realtime' : path.startsWith('/api/auth/') ? 'identity' : 'catalog'];
  await expect.poll(() => service.heard.length).toBe(1);
  socket.destroy();
  return service.heard[0]!;
}

const FORGED = [
  'Host: beltway.example:8443',
  'X-User-Id: 1',
  'x-USER-role: admin',
  'X_User_Role: admin',
  'x-internal-token: guess',
  'X_Internal_Token: guess',
  'X-Forwarded-For: 10.0.0.1',
  'X-Forwarded-For: 10.0.0.2',
  'X_Forwarded_For: 10.0.0.3',
  'X-Forwarded-Host: evil.example',
  'X-Forwarded-Proto: https',
  'X-Forwarded-Prefix: /x',
  'X-Original-URL: /internal/x',
  'X-Rewrite-URL: /internal/x',
  'Forwarded: for=10.0.0.4',
  'Via: 1.1 evil',
  'X-Real-IP: 10.0.0.5',
  'X-Request-Id: chosen-by-the-client',
  'X-Request-Id: and-again',
];

test.each([false, true])('headers that a client must not set are removed (upgrade: %s)', async (upgrade) => {
  const { headers, rawHeaders } = await heardOf(FORGED, upgrade);
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const suspicious = names.filter(
    (name) => /user|internal|real|original|rewrite|via|_|^forwarded/.test(name) && name !== 'user-agent',
  );
  expect(suspicious).toEqual([]);
  expect(names.filter((name) => name.startsWith('x-')).sort()).toEqual([
    'x-forwarded-for',
    'x-forwarded-proto',
    'x-request-id',
  ]);
  expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' });
  expect(headers['x-request-id']).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
  expect(headers.host).toBe('beltway.example:8443');
});

test('a header listed in Connection is removed, except our own headers and the framing', async () => {
  const socket = gateway.connect();
  socket.write(
    'POST /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nX-Odd: 1\r\nTE: trailers\r\nKeep-Alive: timeout=5\r\nProxy-Authorization: Basic x\r\n' +
      'Connection: close, X-Odd, Authorization, X-Forwarded-For, X-Request-Id, Content-Length\r\nContent-Length: 4\r\n\r\n1234',
  );
  await expect.poll(() => gateway.behind.catalog.heard.length).toBe(1);
  const { headers, body } = gateway.behind.catalog.heard[0]!;
  expect(body).toBe('1234');
  expect(headers).toMatchObject({
    authorization: 'Bearer a',
    'x-forwarded-for': '127.0.0.1',
    connection: 'keep-alive',
  });
  for (const gone of ['x-odd', 'te', 'keep-alive', 'proxy-authorization']) expect(headers).not.toHaveProperty(gone);
  await expect.poll(() => socket.seen.ended).toBe(true);
  expect(socket.seen.text).toMatch(/^connection: close\r$/im);
});

test('headers that the frontend sends are passed on', async () => {
  const { headers } = await heardOf([
    'Host: localhost:3000',
    'Origin: http://localhost:3000',
    'Sec-Fetch-Site: same-origin',
    'Sec-Fetch-Mode: cors',
    'Authorization: Bearer a.b.c',
    'If-Match: "3"',
    'Idempotency-Key: key-12345',
    'Stripe-Signature: t=1,v1=x',
    'X-Order-Key: secret',
    'X-Ad-Key: secret',
    'X-Requested-With: fetch',
  ]);
  expect(headers).toMatchObject({
    host: 'localhost:3000',
    origin: 'http://localhost:3000',
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'cors',
    authorization: 'Bearer a.b.c',
    'if-match': '"3"',
    'idempotency-key': 'key-12345',
    'stripe-signature': 't=1,v1=x',
    'x-order-key': 'secret',
    'x-ad-key': 'secret',
    'x-requested-with': 'fetch',
  });
});

test('cookies are only forwarded to calls of accounts', async () => {
  const lines = ['Host: localhost:3000', 'Cookie: __Host-beltway_refresh=abc; theme=dark'];
  expect((await heardOf(lines, false, '/api/auth/me')).headers.cookie).toBe('__Host-beltway_refresh=abc; theme=dark');
  expect((await heardOf(lines)).headers).not.toHaveProperty('cookie');
  expect((await heardOf(lines, true)).headers).not.toHaveProperty('cookie');
});

test('an answer is passed on unchanged, except hop-by-hop headers', async () => {
  gateway.behind.identity.answer = (_req, res) => {
    res.writeHead(401, {
      'set-cookie': ['beltway_refresh=a; HttpOnly; SameSite=Strict', 'other=b'],
      connection: 'close, x-hop',
      'x-hop': '1',
      'x-request-id': 'of-the-service',
      'content-type': 'application/problem+json',
      'retry-after': '7',
      'cache-control': 'no-store',
    });
    res.end('{"code":"wrong-credentials"}');
  };
  const answer = await gateway.post('/api/auth/login', { email: 'a' });
  expect(answer.status).toBe(401);
  expect(answer.headers.getSetCookie()).toEqual(['beltway_refresh=a; HttpOnly; SameSite=Strict', 'other=b']);
  expect(answer.headers.get('x-hop')).toBeNull();
  expect(answer.headers.get('connection')).toBe('keep-alive');
  expect(answer.headers.get('retry-after')).toBe('7');
  expect(answer.headers.get('x-request-id')).toBe(gateway.behind.identity.heard[0]!.headers['x-request-id']);
  expect(await answer.json()).toEqual({ code: 'wrong-credentials' });
});

test('a service’s own security headers are kept; if it sets none, the gateway’s apply', async () => {
  gateway.behind.sandbox.answer = (_req, res) => {
    res.writeHead(200, {
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    res.end('page');
  };
  const own = await gateway.get('/dev/payments/');
  expect(own.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(own.headers.get('x-frame-options')).toBe('DENY');
  expect(own.headers.get('referrer-policy')).toBe('no-referrer');
  expect(own.headers.get('cache-control')).toBe('no-store');
  expect(own.headers.get('x-content-type-options')).toBe('nosniff');

  const ours = await gateway.get('/dev/mail');
  expect(ours.headers.get('content-security-policy')).toMatch(/script-src 'self' 'sha256-[^' ]+';/);
  expect(ours.headers.get('x-frame-options')).toBe('SAMEORIGIN');
  expect(ours.headers.get('x-powered-by')).toBeNull();
  expect(ours.headers.get('strict-transport-security')).toBeNull();
});

test('answers of the API may load nothing and may not be framed', async () => {
  for (const path of ['/api/events', '/api/no-such-thing']) {
    const { headers } = await gateway.get(path);
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  }
});

test('an answer of the API may be cached only if both its row and its service make it public', async () => {
  const authorization = `Bearer ${await gateway.tokenFor({ id: 7, role: 'admin' })}`;
  const kept: string[] = [];
  for (const { method, path, cache } of publicRoutes.filter((route) => route.path.startsWith('/api/'))) {
    const { headers, body } = await fetch(gateway.url + path.replaceAll(/\{\w+\}/g, '7'), {
      method: method.toUpperCase(),
      headers: { authorization, 'content-type': 'application/json', 'idempotency-key': 'key-12345' },
      ...(method !== 'get' && { body: '{}' }),
    });
    await body?.cancel();
    if (cache !== 'public' && !/\bno-store\b/.test(headers.get('cache-control') ?? '')) kept.push(`${method} ${path}`);
  }
  expect(kept).toEqual([]);

  gateway.behind.catalog.answer = (_req, res) => res.setHeader('cache-control', 'public, max-age=30').end('{}');
  expect((await gateway.get('/api/stats')).headers.get('cache-control')).toBe('public, max-age=30');
});

test('behind our own proxies the client’s address is the address that the outermost proxy saw', async () => {
  const behind = await startGateway({ TRUSTED_HOPS: 1, PUBLIC_URL: 'https://beltway.example' });
  const seen = async (forwarded?: string) => {
    behind.behind.catalog.heard.length = 0;
    await behind.get('/api/users/5/events', forwarded === undefined ? {} : { 'x-forwarded-for': forwarded });
    return behind.behind.catalog.heard[0]!.headers['x-forwarded-for'];
  };
  expect(await seen('1.1.1.1, 203.0.113.9')).toBe('203.0.113.9');
  expect(await seen('2001:db8::7')).toBe('2001:db8::7');
  expect(await seen()).toBe('127.0.0.1');
  expect(await seen('<script>')).toBe('127.0.0.1');
  expect(behind.behind.catalog.heard[0]!.headers['x-forwarded-proto']).toBe('https');
  expect((await behind.get('/')).headers.get('strict-transport-security')).toContain('max-age=31536000');
  await behind.stop();
});

test('an X-Forwarded-For with fewer addresses than proxies is ignored: the socket’s address counts', async () => {
  const behind = await startGateway({ TRUSTED_HOPS: 2 });
  const seen = async (forwarded: string) => {
    behind.behind.catalog.heard.length = 0;
    await behind.get('/api/users/5/events', { 'x-forwarded-for': forwarded });
    return behind.behind.catalog.heard[0]!.headers['x-forwarded-for'];
  };
  expect(await seen('198.51.100.7')).toBe('127.0.0.1');
  expect(await seen('198.51.100.7, 203.0.113.9')).toBe('198.51.100.7');
  expect(await seen('10.9.9.9, 198.51.100.7, 203.0.113.9')).toBe('198.51.100.7');
  await behind.stop();
});
