import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { INTERNAL_TOKEN, builtPage, startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => void (gateway = await startGateway()));
afterAll(() => gateway.stop());
beforeEach(() => Object.values(gateway.behind).forEach((service) => service.reset()));

const sendJson = (body: unknown) => (_req: unknown, res: { end(text: string): void }) => res.end(JSON.stringify(body));
const PRICES = 'each sale charges what the catalog shows';
const aCheck = (name: string, ok = true) => ({ name, ok, violations: ok ? 0 : 2, examples: ok ? [] : ['7'] });

function allGood(of = gateway) {
  of.behind.ticketing.answer = sendJson({ checks: [aCheck('stock')] });
  of.behind.payments.answer = sendJson({ checks: [aCheck('ledger')] });
  for (const service of ['identity', 'media', 'realtime'] as const)
    of.behind[service].answer = sendJson({ checks: [aCheck('jobs')] });
  of.behind.catalog.answer = (req, res) =>
    void res.end(
      JSON.stringify(req.url === '/internal/invariants' ? { checks: [aCheck('ads')] } : { prices: [], next: null }),
    );
}

/** Sends a request with a Host of its own, which fetch does not allow. */
const ask = (url: string, headers: Record<string, string>) =>
  new Promise<{ status: number; body: Record<string, unknown> }>((resolve, reject) => {
    const req = request(`${url}/api/ops/invariants`, { headers }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      res.on('end', () => resolve({ status: res.statusCode ?? 0, body: JSON.parse(text) as Record<string, unknown> }));
    });
    req.on('error', reject).end();
  });

describe('GET /api/ops/invariants', () => {
  test('merges the checks of all services; a check that several services have is listed once', async () => {
    allGood();
    const answer = await gateway.get('/api/ops/invariants', { host: 'localhost' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toMatchObject({
      ok: true,
      checks: [aCheck('stock'), aCheck('ledger'), aCheck('ads'), aCheck('jobs'), aCheck(PRICES)],
    });
    expect(gateway.behind.ticketing.heard).toMatchObject([
      { url: '/internal/invariants', headers: { 'x-internal-token': INTERNAL_TOKEN } },
    ]);
    gateway.behind.payments.answer = sendJson({ checks: [aCheck('ledger', false)] });
    gateway.behind.media.answer = sendJson({ checks: [aCheck('jobs', false)] });
    expect(await (await gateway.get('/api/ops/invariants')).json()).toMatchObject({
      ok: false,
      checks: [
        ...[aCheck('stock'), aCheck('ledger', false), aCheck('ads')],
        { ...aCheck('jobs', false), examples: ['media 7'] },
        aCheck(PRICES),
      ],
    });
  });

  test.each(['ticketing', 'payments', 'catalog', 'identity', 'media', 'realtime'] as const)(
    '503 when %s does not respond, or responds with nonsense',
    async (service) => {
      allGood();
      await gateway.behind[service].die();
      const answer = await gateway.get('/api/ops/invariants');
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
      expect(((await answer.json()) as { detail: string }).detail).toContain(service);
      await gateway.behind[service].live();
      gateway.behind[service].answer = (_req, res) => void res.writeHead(500).end('oops');
      expect((await gateway.get('/api/ops/invariants')).status).toBe(503);
      allGood();
      expect((await gateway.get('/api/ops/invariants')).status).toBe(200);
    },
  );

  test('concurrent requests share one check', async () => {
    allGood();
    let go = (): void => undefined;
    gateway.behind.ticketing.answer = (_req, res) => void (go = () => res.end('{"checks":[]}'));
    let arrived = 0;
    const count = () => void arrived++;
    gateway.server.on('request', count);
    const asked = Promise.all(Array.from({ length: 10 }, () => gateway.get('/api/ops/invariants')));
    await expect.poll(() => gateway.behind.ticketing.heard.length > 0 && arrived === 10).toBe(true);
    gateway.server.off('request', count);
    go();
    expect((await asked).map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(gateway.behind.ticketing.heard).toHaveLength(1);
  });

  test('compares each sale’s price with the price in the catalog, page by page', async () => {
    allGood();
    const shown = (eventId: number, priceCents = 2500) => ({ eventId, priceCents });
    gateway.behind.catalog.answer = (req, res) =>
      void res.end(
        JSON.stringify(
          req.url === '/internal/invariants'
            ? { checks: [] }
            : req.url?.includes('after=0&')
              ? { prices: [shown(1), shown(2), shown(3)], next: 3 }
              : { prices: [shown(4), shown(5, 100)], next: null },
        ),
      );
    const charged: Record<number, object> = {
      1: { eventId: 1, priceCents: 2500, isClosed: false },
      2: { eventId: 2, priceCents: 5000, isClosed: false },
      4: { eventId: 4, priceCents: 1, isClosed: true }, // its sale is closed, so its price does not matter
      5: { eventId: 5, priceCents: 100, isClosed: false },
    };
    gateway.behind.ticketing.answer = (req, res, about) => {
      if (req.url === '/internal/invariants') return void res.end(JSON.stringify({ checks: [] }));
      const { eventIds } = JSON.parse(about.body) as { eventIds: number[] };
      res.end(JSON.stringify({ prices: eventIds.flatMap((id) => charged[id] ?? []) }));
    };
    const answer = (await (await gateway.get('/api/ops/invariants')).json()) as { ok: boolean; checks: object[] };
    expect(answer.ok).toBe(false);
    // Event 2 charges twice the price, and ticketing has no sale for event 3.
    expect(answer.checks.at(-1)).toEqual({ name: PRICES, ok: false, violations: 2, examples: ['2', '3'] });
  });

  test('is for admins, from any IP address', async () => {
    allGood();
    const as = async (token: string) =>
      (await gateway.get('/api/ops/invariants', { authorization: `Bearer ${token}` })).status;
    expect(await as(await gateway.tokenFor({ id: 1, role: 'admin' }))).toBe(200);
    expect(await as(await gateway.tokenFor({ id: 2, role: 'business' }))).toBe(403);
    expect(await as(await gateway.tokenFor({ id: 1, role: 'admin' }, { aud: 'elsewhere' }))).toBe(401);
    expect(await as('a.b.c')).toBe(401);
    expect(await as('')).toBe(401);
  });

  test.each([
    ['a proxy on this machine', { 'x-forwarded-for': '127.0.0.1' }],
    ['a proxy that announces itself with another header', { forwarded: 'for=127.0.0.1' }],
    ['a proxy with a name', { via: '1.1 caddy' }],
    ['a client that claims to be local', { 'x-real-ip': '127.0.0.1' }],
    ['a client that writes header names with underscores', { x_forwarded_for: '127.0.0.1' }],
    ['a page whose host name points to this machine', { host: 'rebound.example' }],
    ['a page whose host name also looks like this machine', { host: 'localhost.evil.example' }],
    ['a client with an invalid token', { authorization: 'Basic eDp5' }],
  ])('a request by %s does not count as from this machine', async (_who, headers) => {
    allGood();
    expect((await ask(gateway.url, headers)).status).toBe(401);
    expect(gateway.heard()).toEqual([]);
  });

  test('with real engines, or behind our own proxy, no request counts as from this machine', async () => {
    const engines = await startGateway({ BELTWAY_MODE: 'engines' });
    allGood(engines);
    expect((await ask(engines.url, { host: 'localhost' })).status).toBe(401);
    await engines.stop();
    const proxied = await startGateway({ TRUSTED_HOPS: 1 });
    allGood(proxied);
    expect((await ask(proxied.url, { host: 'localhost', 'x-forwarded-for': '127.0.0.1' })).status).toBe(401);
    expect((await ask(proxied.url, { host: 'localhost' })).status).toBe(401);
    await proxied.stop();
  });
});

describe('GET /api/platform/alerts', () => {
  const page = { alerts: [], next: 'abc' };

  test('returns the alerts of payments to an admin, page by page', async () => {
    gateway.behind.payments.answer = sendJson(page);
    const authorization = `Bearer ${await gateway.tokenFor({ id: 1, role: 'admin' })}`;
    const answer = await gateway.get('/api/platform/alerts?status=all&limit=5&before=xyz', { authorization });
    expect([answer.status, await answer.json()]).toEqual([200, page]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(gateway.behind.payments.heard).toMatchObject([
      { url: '/internal/alerts?status=all&limit=5&before=xyz', headers: { 'x-internal-token': INTERNAL_TOKEN } },
    ]);
    expect((await gateway.get('/api/platform/alerts?limit=0', { authorization })).status).toBe(400);
    expect((await gateway.get('/api/platform/alerts?status=new', { authorization })).status).toBe(400);
    await gateway.behind.payments.die();
    expect((await gateway.get('/api/platform/alerts', { authorization })).status).toBe(503);
    await gateway.behind.payments.live();
  });

  test('is only for admins, even on this machine', async () => {
    gateway.behind.payments.answer = sendJson(page);
    for (const role of ['user', 'business'] as const) {
      const authorization = `Bearer ${await gateway.tokenFor({ id: 2, role })}`;
      expect((await gateway.get('/api/platform/alerts', { authorization })).status).toBe(403);
    }
    expect((await gateway.get('/api/platform/alerts')).status).toBe(401);
    expect(gateway.behind.payments.heard).toEqual([]);
  });
});

describe('GET /api/config', () => {
  const payments = (publishableKey: string, sandbox = true) => sendJson({ publishableKey, sandbox });

  test('needs payments for the first answer, and keeps that answer while payments is down', async () => {
    const own = await startGateway();
    try {
      await own.behind.payments.die();
      const away = await own.get('/api/config');
      expect([away.status, away.headers.get('content-type')]).toEqual([503, 'application/problem+json; charset=utf-8']);
      await own.behind.payments.live();
      own.behind.payments.answer = payments('pk_1');
      const answer = await own.get('/api/config');
      expect(await answer.json()).toMatchObject({
        mode: 'embedded',
        payments: { publishableKey: 'pk_1', apiBase: '/sandbox/stripe', sandbox: true },
        demo: { accounts: [{ email: 'explorer@beltway.test', role: 'user' }, { role: 'business' }, { role: 'admin' }] },
      });
      expect(answer.headers.get('cache-control')).toBe('private, max-age=60');
      const key = async () =>
        ((await (await own.get('/api/config')).json()) as { payments: { publishableKey: string } }).payments
          .publishableKey;
      expect(await key()).toBe('pk_1');
      expect(own.behind.payments.heard).toHaveLength(1);

      vi.useFakeTimers({ toFake: ['Date'] });
      vi.setSystemTime(Date.now() + 11_000);
      await own.behind.payments.die();
      expect(await key()).toBe('pk_1');
      await own.behind.payments.live();
      own.behind.payments.answer = payments('pk_2');
      vi.setSystemTime(Date.now() + 11_000);
      expect(await key()).toBe('pk_2');
    } finally {
      vi.useRealTimers();
      await own.stop();
    }
  });

  test('has no demo accounts without sample data or with real engines', async () => {
    for (const change of [
      { BELTWAY_DEMO: '0', SUPPORT_EMAIL: 'help@example.test' },
      { BELTWAY_MODE: 'engines' },
    ] as const) {
      const own = await startGateway(change);
      own.behind.payments.answer = payments('pk_live', false);
      expect(await (await own.get('/api/config')).json()).toMatchObject({
        demo: null,
        supportEmail: 'SUPPORT_EMAIL' in change ? change.SUPPORT_EMAIL : null,
        ticketDiscountUrl: null,
        payments: { apiBase: 'https://api.stripe.com', sandbox: false },
      });
      await own.stop();
    }
  });
});

describe('GET /api/health/ready', () => {
  test('200 when every service is ready; 503 with the names of the services that are not', async () => {
    expect((await gateway.get('/api/health/ready')).status).toBe(200);
    gateway.behind.media.answer = (_req, res) => void res.writeHead(503).end();
    await gateway.behind.realtime.die();
    const answer = await gateway.get('/api/health/ready');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(((await answer.json()) as { failed: object }).failed).sort()).toEqual(['media', 'realtime']);
    await gateway.behind.realtime.live();
    expect((await gateway.get('/api/health/live')).status).toBe(200);
  });

  test('503 on both paths until the home page exists, and 200 from then on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'page-'));
    const own = await startGateway({ FRONTEND_DIR: folder });
    const statuses = () =>
      Promise.all(['/api/health/ready', '/health/ready', '/'].map(async (path) => (await own.get(path)).status));
    expect(await statuses()).toEqual([503, 503, 503]);
    const { failed } = (await (await own.get('/api/health/ready')).json()) as { failed: object };
    expect(failed).toEqual({ gateway: 'The page is being built. Please try again in a moment.' });
    cpSync(builtPage(), folder, { recursive: true });
    expect(await statuses()).toEqual([200, 200, 200]);
    await own.stop();
    rmSync(folder, { recursive: true });
  });

  test('ready without the frontend when another server has it, as in development', async () => {
    const own = await startGateway({ FRONTEND_DIR: undefined });
    expect((await own.get('/api/health/ready')).status).toBe(200);
    expect((await own.get('/')).status).toBe(404);
    await own.stop();
  });
});
