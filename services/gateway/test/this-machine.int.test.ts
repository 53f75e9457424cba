import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => void (gateway = await startGateway()));
afterAll(() => gateway.stop());
beforeEach(() => {
  Object.values(gateway.behind).forEach((service) => service.reset());
  gateway.behind.payments.answer = (_req, res) =>
    void res
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"publishableKey":"pk_test_1","sandbox":true}');
});

/** Sends a request over loopback. Returns the complete answer. */
const ask = (line: string, lines: string[], body = '') =>
  gateway.raw(
    [`${line} HTTP/1.1`, 'Connection: close', `Content-Length: ${body.length}`, ...lines, '', body].join('\r\n'),
  );
const HERE = 'Host: localhost:3000';
const JSON_BODY = 'Content-Type: application/json';

describe('a page on another site whose host name points to this machine (DNS rebinding)', () => {
  test.each([
    ['GET /dev/mail/messages', 'Host: evil.test'],
    ['GET /dev/mail', 'Host: evil.test:3000'],
    ['GET /dev/mail', 'Host: 127.0.0.1.evil.test'],
    ['GET /dev/payments/state', 'Host: evil.test'],
    ['PUT /dev/payments/webhooks', 'Host: evil.test'],
    ['POST /dev/payments/deliver-all', 'Host: evil.test'],
    ['GET /sandbox/stripe/v1/payment_intents', 'Host: evil.test'],
    ['GET /Dev/mail', 'Host: evil.test'],
  ])('%s, %s', async (line, host) => {
    const answer = await ask(line, [host, JSON_BODY], line.startsWith('GET') ? '' : '{}');
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toContain('"code":"this-machine-only"');
    expect(gateway.heard()).toEqual([]);
  });

  test('gets no demo account', async () => {
    expect(await ask('GET /api/config', [HERE])).toContain('"demo":{"password"');
    const answer = await ask('GET /api/config', ['Host: evil.test']);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('"demo":null');
    expect(answer).toMatch(/^cache-control: private/im);
  });
});

test.each([
  'X-Forwarded-For: 203.0.113.9',
  'X-Forwarded-For: 127.0.0.1',
  'Forwarded: for=127.0.0.1',
  'Via: 1.1 proxy',
  'X_Real_IP: 1.1.1.1',
])('a request that a proxy on this machine forwards does not count as from this machine: %s', async (header) => {
  expect(await ask('GET /dev/mail', [HERE, header])).toMatch(/^HTTP\/1\.1 403 /);
  expect(await ask('GET /api/config', [HERE, header])).toContain('"demo":null');
  expect(gateway.heard().filter(({ url }) => url?.startsWith('/dev'))).toEqual([]);
});

test('services are informed which requests come from this machine, and no client can claim that itself', async () => {
  const heard = async (lines: string[]) => {
    gateway.behind.identity.heard.length = 0;
    await ask('POST /api/auth/login', [...lines, JSON_BODY], '{}');
    return gateway.behind.identity.heard[0]!.headers['x-internal-this-machine'];
  };
  expect(await heard([HERE])).toBe('1');
  expect(await heard(['Host: evil.test', 'X-Internal-This-Machine: 1'])).toBeUndefined();
  expect(await heard([HERE, 'Via: 1.1 proxy', 'X_Internal_This_Machine: 1'])).toBeUndefined();
});

test.each([
  ['a script of another site', ['Origin: https://evil.test', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: cors']],
  ['a script of another port', ['Origin: http://localhost:8080', 'Sec-Fetch-Site: same-site', 'Sec-Fetch-Mode: cors']],
  ['a form of another site', ['Origin: https://evil.test', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate']],
  ['another site, in an old browser', ['Origin: https://evil.test']],
  ['a sandboxed frame, in an old browser', ['Origin: null']],
])('%s cannot change the sandbox', async (_who, lines) => {
  for (const line of ['PUT /dev/payments/webhooks', 'POST /dev/payments/deliver-all']) {
    const answer = await ask(line, [HERE, JSON_BODY, ...lines], '{}');
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toContain('"code":"cross-site"');
  }
  expect(gateway.heard()).toEqual([]);
});

test('requests from our own page, a program and a followed link are answered', async () => {
  const own = ['Origin: http://localhost:3000', 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Mode: cors'];
  const link = ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document'];
  for (const lines of [own, []])
    expect(await ask('PUT /dev/payments/webhooks', [HERE, JSON_BODY, ...lines], '{}')).toMatch(/^HTTP\/1\.1 200 /);
  expect(await ask('GET /dev/mail', [HERE, ...link])).toMatch(/^HTTP\/1\.1 200 /);
  expect(gateway.behind.sandbox.heard).toHaveLength(2);
  expect(gateway.behind.ticketing.heard).toHaveLength(1);
});

test('behind our own proxies no request counts as from this machine', async () => {
  const behind = await startGateway({ TRUSTED_HOPS: 1 });
  expect((await behind.get('/dev/mail')).status).toBe(403);
  expect(behind.heard()).toEqual([]);
  await behind.stop();
});
