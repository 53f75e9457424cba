import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { metricsText } from '@beltway/kit/metrics';
import { eventually } from '@beltway/kit/testing';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
/** The cache's clock, which only `pass` advances. */
let now = 1_000;
const pass = (ms: number) => void (now += ms);
const start = (timeouts?: Parameters<typeof startGateway>[1]) =>
  startGateway(
    {},
    timeouts,
    undefined,
    () => false,
    undefined,
    () => now,
  );
beforeAll(async () => void (gateway = await start()));
afterAll(() => gateway.stop());
beforeEach(() => Object.values(gateway.behind).forEach((service) => service.reset()));

let lastId = 1_000;
/** The path of an event that is not cached. */
const newPath = () => `/api/events/${++lastId}`;
const SHARED = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'public, max-age=1' };
/** Sets catalog's answer: this body, which may be cached publicly. */
const say = (body: string, headers: Record<string, string> = {}) =>
  (gateway.behind.catalog.answer = (_req, res) => void res.writeHead(200, { ...SHARED, ...headers }).end(body));
const asked = () => gateway.behind.catalog.heard.length;

/** Returns the raw answer to a request with these headers. */
const raw = (path: string, ...lines: string[]) =>
  gateway.raw(`${[`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...lines].join('\r\n')}\r\n\r\n`);
const headOf = (answer: string) =>
  Object.fromEntries(
    answer
      .split('\r\n\r\n')[0]!
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string])
      .map(([name, value]) => [name.toLowerCase(), value]),
  );

describe('a cached answer', () => {
  test('has the headers of every answer of the API, and no headers of the connection to the service', async () => {
    const path = newPath();
    say('{"id":1}', { 'cache-tag': 'event-1', 'x-request-id': 'theirs', 'x-poweredby': 'catalog' });
    const [first, second] = [headOf(await raw(path)), headOf(await raw(path))];
    for (const head of [first, second]) {
      expect(head).toMatchObject({
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'public, max-age=1',
        age: '1',
        'content-length': '8',
        'x-poweredby': 'catalog',
      });
      expect(head).not.toHaveProperty('cache-tag');
      expect(head['x-request-id']).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
      expect(head['date']).toMatch(/GMT$/);
    }
    expect(first!['x-request-id']).not.toBe(second!['x-request-id']);
    expect(first!['etag']).toBe(second!['etag']);
    expect(asked()).toBe(1);
  });

  test('has the same content in each coding, but a separate ETag, which is used for 304', async () => {
    const path = newPath();
    const body = JSON.stringify('far '.repeat(2_000));
    say(body);
    const tags = new Set<string>();
    for (const coding of ['identity', 'gzip', 'br']) {
      const answer = await gateway.get(path, { 'accept-encoding': coding });
      expect(await answer.text()).toBe(body);
      expect(answer.headers.get('content-encoding') ?? 'identity').toBe(coding);
      expect(answer.headers.get('vary')).toBe('Accept-Encoding');
      const etag = answer.headers.get('etag')!;
      tags.add(etag);
      const unchanged = await raw(path, `Accept-Encoding: ${coding}`, `If-None-Match: "x", W/${etag}`);
      expect(unchanged).toMatch(/^HTTP\/1\.1 304 /);
      expect(headOf(unchanged)).toMatchObject({ etag, vary: 'Accept-Encoding', 'cache-control': 'public, max-age=1' });
      expect(headOf(unchanged)).not.toHaveProperty('content-length');
      expect(unchanged.split('\r\n\r\n')[1]).toBe('');
    }
    expect(tags.size).toBe(3);
    expect((await gateway.get(path, { 'if-match': '"another"' })).status).toBe(412);
    expect((await gateway.get(path, { 'if-match': [...tags][0]! })).status).toBe(200);
    expect(asked()).toBe(1);
  });

  test('to HEAD is the head of a GET, to Range the full answer, and to OPTIONS the methods', async () => {
    const path = newPath();
    say('{"id":1}');
    const get = headOf(await raw(path));
    const head = await gateway.raw(`HEAD ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
    expect(head.split('\r\n\r\n')[1]).toBe('');
    const { 'x-request-id': _one, date: _then, ...headHead } = headOf(head);
    const { 'x-request-id': _other, date: _now, ...getHead } = get;
    expect(headHead).toEqual(getHead);
    const ranged = await gateway.get(path, { range: 'bytes=0-1' });
    expect([ranged.status, await ranged.text()]).toEqual([200, '{"id":1}']);
    const options = await fetch(gateway.url + path, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, PATCH, OPTIONS']);
    expect(asked()).toBe(1);
  });
});

describe('public answers', () => {
  test('the service gets nothing that identifies the caller, and all callers get the same answer', async () => {
    const path = newPath();
    // The service returns all received headers, so a forwarded credential would be visible.
    gateway.behind.catalog.answer = (_req, res, heard) =>
      void res.writeHead(200, SHARED).end(JSON.stringify({ heard: heard.rawHeaders }));
    const readers = await Promise.all(
      Array.from({ length: 40 }, async (_, n) =>
        (
          await gateway.get(path, {
            authorization: `Bearer canary-${n}`,
            cookie: `session=canary-${n}`,
            'x-order-key': `canary-${n}`,
            'accept-language': `canary-${n}`,
            'x-forwarded-host': 'canary.example',
            'user-agent': `canary-${n}`,
            'if-none-match': `"canary-${n}"`,
          })
        ).text(),
      ),
    );
    expect(new Set(readers).size).toBe(1);
    expect(readers[0]).not.toContain('canary');
    expect(asked()).toBe(1);
    expect(Object.keys(gateway.behind.catalog.heard[0]!.headers).sort()).not.toContain('authorization');
  });

  test('a client cannot change an entry through Host or spelling', async () => {
    const path = newPath();
    gateway.behind.catalog.answer = (req: IncomingMessage, res: ServerResponse) =>
      void res.writeHead(200, SHARED).end(JSON.stringify([req.headers.host, req.url]));
    const own = JSON.stringify([new URL(gateway.behind.catalog.url).host, path]);
    const evil = `GET ${path}?evil=1 HTTP/1.1\r\nHost: evil.example\r\nX-Original-URL: /x\r\nConnection: close\r\n\r\n`;
    expect((await gateway.raw(evil)).split('\r\n\r\n')[1]).toBe(own);
    expect(await (await gateway.get(path.replace('events', 'EVENTS'))).text()).toBe(own);
    expect(asked()).toBe(1);
  });

  test.each([
    ['private', { 'cache-control': 'private, max-age=1' }],
    ['public and no-store', { 'cache-control': 'public, max-age=1, no-store' }],
    ['without directives', { 'cache-control': '' }],
    ['with a cookie', { 'set-cookie': 'session=canary' }],
    ['that varies with its reader', { vary: 'Authorization' }],
    ['that was compressed', { 'content-encoding': 'identity' }],
  ])('an answer %s is requested for each reader', async (_what, headers) => {
    const path = newPath();
    gateway.behind.catalog.answer = (req, res) =>
      void res.writeHead(200, { ...SHARED, ...headers }).end(`{"for":"${req.headers.authorization ?? ''}"}`);
    const readers = await Promise.all(
      Array.from({ length: 5 }, async (_, n) => (await gateway.get(path, { authorization: `reader ${n}` })).text()),
    );
    expect(readers).toEqual(Array.from({ length: 5 }, (_, n) => `{"for":"reader ${n}"}`));
    expect((await gateway.get(path)).headers.get('age')).toBeNull();
  });

  test('a 404 has the request id of its own caller, and is not cached', async () => {
    const path = newPath();
    let answer = (): void => undefined;
    gateway.behind.catalog.answer = (_req, res) =>
      void (answer = () =>
        res
          .writeHead(404, { 'content-type': 'application/problem+json' })
          .end('{"code":"not-found","detail":"This event does not exist.","requestId":"theirs"}'));
    let arrived = 0;
    gateway.server.on('request', () => arrived++);
    const waiting = Array.from({ length: 20 }, () => gateway.get(path));
    await eventually(() => arrived === 20 && asked() === 1);
    answer();
    for (const one of await Promise.all(waiting)) {
      const body = (await one.json()) as { code: string; requestId: string };
      expect([one.status, body.code]).toEqual([404, 'not-found']);
      expect(body.requestId).toBe(one.headers.get('x-request-id'));
      expect(one.headers.get('cache-control')).toBe('no-store');
    }
    expect(asked()).toBe(1);
    say('{"id":1}');
    expect((await gateway.get(path)).status).toBe(200);
  });
});

/** The answer at a URL that was read before: status, body, and whether the answer is stale. */
const stale = async (path: string) => {
  const answer = await gateway.get(path);
  return [answer.status, await answer.text(), Number(answer.headers.get('age')) > 1];
};

describe('faults', () => {
  test.each<[string, (res: ServerResponse) => unknown]>([
    ['is cut off', (res) => (res.writeHead(200, SHARED), res.write('[1,'), setImmediate(() => res.destroy()))],
    [
      'is shorter than announced',
      (res) => (
        res.writeHead(200, { ...SHARED, 'content-length': 9 }),
        res.write('[1,'),
        setImmediate(() => res.destroy())
      ),
    ],
    ['is not HTTP', (res) => void res.socket!.end('nonsense\r\n\r\n')],
    ['is a 500', (res) => res.writeHead(500, { 'cache-control': 'public, max-age=1' }).end('oh')],
    ['is a 503', (res) => res.writeHead(503).end()],
  ])('an answer that %s is not cached; the last complete answer is served instead', async (_what, answer) => {
    const path = newPath();
    gateway.behind.catalog.answer = (_req, res) => void answer(res);
    expect((await gateway.get(path)).status).toBeGreaterThanOrEqual(503);
    say('[1]');
    expect(await (await gateway.get(path)).text()).toBe('[1]');
    pass(1_001);
    gateway.behind.catalog.answer = (_req, res) => void answer(res);
    expect(await stale(path)).toEqual([200, '[1]', true]);
  });

  test('while a service is down cached reads are served, and others get 503, until it is back', async () => {
    const path = newPath();
    say('[1]');
    await gateway.get(path);
    pass(1_001);
    await gateway.behind.catalog.die();
    for (let n = 0; n < 20; n++) expect(await stale(path)).toEqual([200, '[1]', true]);
    const never = await gateway.get(newPath());
    expect([never.status, ((await never.json()) as { code: string }).code]).toEqual([503, 'unavailable']);
    await gateway.behind.catalog.live();
    say('[2]');
    expect(await stale(path)).toEqual([200, '[1]', true]);
    pass(1_001);
    await eventually(async () => (await (await gateway.get(path)).text()) === '[2]');
  });

  test('a body of 3 MB is passed on completely, and not cached', async () => {
    const path = newPath();
    const body = JSON.stringify('x'.repeat(3 * 1_048_576));
    say(body);
    for (let n = 0; n < 2; n++) {
      const text = await (await gateway.get(path, { 'accept-encoding': 'identity' })).text();
      expect(createHash('sha1').update(text).digest('hex')).toBe(createHash('sha1').update(body).digest('hex'));
    }
    expect(asked()).toBeGreaterThanOrEqual(3);
  });

  test('a reader who leaves does not cancel the answer for other readers', async () => {
    const path = newPath();
    let answer = (): void => undefined;
    gateway.behind.catalog.answer = (_req, res) => void (answer = () => res.writeHead(200, SHARED).end('[1]'));
    const leaver = gateway.connect();
    leaver.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await eventually(() => asked() === 1);
    const stayer = gateway.get(path);
    leaver.destroy();
    await eventually(() => leaver.seen.ended);
    answer();
    expect(await (await stayer).text()).toBe('[1]');
    expect(asked()).toBe(1);
  });
});

describe('services that hang', () => {
  // These tests need short timeouts. All other tests use long ones, so that a busy machine does not look like a service
  // that hangs.
  let patient: TestGateway;
  beforeAll(async () => {
    patient = gateway;
    gateway = await start({ connectMs: 1_000, idleMs: 3_000 });
  });
  afterAll(async () => {
    await gateway.stop();
    gateway = patient;
  });

  test('while a service hangs readers get the last answer after two seconds, or 504 if there is none', async () => {
    const [known, unknown] = [newPath(), newPath()];
    say('[1]');
    await gateway.get(known);
    pass(1_001);
    gateway.behind.catalog.answer = () => undefined;
    const waiting = Promise.all(Array.from({ length: 30 }, () => gateway.get(unknown)));
    expect(await stale(known)).toEqual([200, '[1]', true]);
    expect(new Set((await waiting).map(({ status }) => status))).toEqual(new Set([504]));
    expect(gateway.behind.catalog.heard.filter(({ url }) => url === unknown)).toHaveLength(1);
  });

  test('hanging searches for invented words use up no slots of URLs without a query', async () => {
    const path = newPath();
    gateway.behind.catalog.answer = (req, res) => {
      if (!req.url!.includes('q=hang')) res.writeHead(200, SHARED).end('[1]');
    };
    const hanging = Array.from({ length: 150 }, (_, n) => raw(`/api/events?q=hang${n}`));
    await eventually(() => asked() >= 60);
    expect((await gateway.get(path)).status).toBe(200);
    for (const one of await Promise.all(hanging)) expect(one).toMatch(/^HTTP\/1\.1 50[34] /);
  });
});

describe('changes', () => {
  const messageOf = (type: string, eventId: number) => ({
    id: `${type}-${eventId}-${Math.random()}`,
    type,
    version: 1,
    key: `event-${eventId}`,
    occurredAt: new Date().toISOString(),
    correlationId: 'c',
    causationId: 'c',
    data: { eventId },
  });

  test.each(['catalog.event-updated', 'catalog.event-canceled', 'ticketing.stock-changed'])(
    '%s on the bus drops the cached answers about the event, on each gateway',
    async (type) => {
      const path = newPath();
      const eventId = Number(path.split('/').at(-1));
      say('"before"', { 'cache-tag': `event-${eventId}` });
      await gateway.get(path);
      say('"after"', { 'cache-tag': `event-${eventId}` });
      await gateway.publish(
        type.startsWith('catalog') ? 'catalog.events' : 'ticketing.events',
        messageOf(type, eventId),
      );
      pass(150);
      await eventually(async () => (await (await gateway.get(path)).text()) === '"after"');
    },
  );

  test('the author of a change reads the change immediately, before the bus message arrives', async () => {
    const path = newPath();
    const tag = `event-${path.split('/').at(-1)}`;
    say('"before"', { 'cache-tag': tag });
    await gateway.get(path);
    pass(150);
    gateway.behind.catalog.answer = (req, res) =>
      void res
        .writeHead(200, req.method === 'GET' ? { ...SHARED, 'cache-tag': tag } : { 'cache-tag': `events, ${tag}` })
        .end('"after"');
    const change = await fetch(gateway.url + path, { method: 'PATCH', body: '{}' });
    expect(change.headers.get('cache-tag')).toBeNull();
    expect(await (await gateway.get(path)).text()).toBe('"after"');
  });

  test('a refused change drops nothing', async () => {
    const path = newPath();
    const tag = `event-${path.split('/').at(-1)}`;
    say('"before"', { 'cache-tag': tag });
    await gateway.get(path);
    pass(150);
    gateway.behind.catalog.answer = (_req, res) => void res.writeHead(403, { 'cache-tag': tag }).end();
    await fetch(gateway.url + path, { method: 'PATCH', body: '{}' });
    expect(await (await gateway.get(path)).text()).toBe('"before"');
  });
});

test('reads from memory are counted as reads, once each, on every path', async () => {
  const own = await startGateway({ BELTWAY_RATE_LIMITS: 'on', TRUSTED_HOPS: 1 });
  try {
    const left = async (path: string) => {
      const answer = await own.get(path, { 'x-forwarded-for': '203.0.113.5' });
      return [answer.status, Number(/r=(\d+)/.exec(answer.headers.get('ratelimit')!)![1])];
    };
    own.behind.catalog.answer = (_req, res) => void res.writeHead(200, SHARED).end('[1]');
    expect(await left('/api/events')).toEqual([200, 2_999]);
    expect(await left('/api/events')).toEqual([200, 2_998]);
    own.behind.catalog.answer = (_req, res) => void res.writeHead(200).end('[1]');
    expect(await left('/api/events/5')).toEqual([200, 2_997]);
    const heard = own.behind.catalog.heard.length;
    for (let some = 2_997 / 27; some > 0; some--)
      await Promise.all(Array.from({ length: 27 }, () => left('/api/events/5')));
    expect((await left('/api/events/5'))[0]).toBe(429);
    const refused = await own.get('/api/events/6', { 'x-forwarded-for': '203.0.113.5' });
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([429, 'too-many-requests']);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expect(own.behind.catalog.heard.slice(heard).some(({ url }) => url === '/api/events/6')).toBe(false);
    expect((await own.get('/api/events', { 'x-forwarded-for': '203.0.113.6' })).status).toBe(200);
  } finally {
    await own.stop();
  }
}, 60_000);

test('a thousand readers of one URL cause one request', async () => {
  const path = newPath();
  let answer = (): void => undefined;
  gateway.behind.catalog.answer = (_req, res) => void (answer = () => res.writeHead(200, SHARED).end('[1]'));
  const readers = Array.from({ length: 1_000 }, () => gateway.connect());
  let waiting = 0;
  gateway.server.on('request', () => waiting++);
  // Connects all readers first, because the time limit of the request must not include connecting.
  await eventually(() => readers.every(({ readyState }) => readyState === 'open'));
  for (const reader of readers) reader.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await eventually(() => waiting === 1_000 && asked() === 1);
  answer();
  await eventually(() => readers.every(({ seen }) => seen.text.endsWith('[1]')));
  expect(asked()).toBe(1);
});

test('metrics count how reads were answered, and how many entries are cached', async () => {
  const value = async (name: string) => {
    const text = await metricsText();
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length) ?? 0,
    );
  };
  const answered = (by: string) => value(`response_cache_answers_total{by="${by}"}`);
  const names = ['miss', 'hit', 'stale', 'problem', 'unshared'] as const;
  const before = await Promise.all(names.map(answered));
  const fetches = await value('response_cache_fetches_total');
  const path = newPath();
  say('"kept"');
  for (let n = 0; n < 3; n++) await gateway.get(path);
  pass(1_001);
  gateway.behind.catalog.answer = (_req, res) => void res.writeHead(503).end();
  await gateway.get(path);
  await gateway.get(newPath());
  gateway.behind.catalog.answer = (_req, res) => void res.writeHead(200).end('"own"');
  await gateway.get(newPath());
  const after = await Promise.all(names.map(answered));
  expect(after.map((count, at) => count - before[at]!)).toEqual([1, 2, 1, 1, 1]);
  expect((await value('response_cache_fetches_total')) - fetches).toBe(4);
  expect(await value('response_cache_entries')).toBeGreaterThan(0);
  expect(await value('response_cache_bytes')).toBeGreaterThan(0);
});
