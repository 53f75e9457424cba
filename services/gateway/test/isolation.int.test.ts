import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { PROXY_TIMEOUTS } from '../src/proxy/connections.ts';
import { startGateway, type services, type TestGateway } from './gateway.ts';

const ID = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
/**
 * Calls with a gate: their service, the maximum number in progress, the maximum for one IP address, and the other calls
 * that must not wait for them.
 */
const gates: Array<{
  of: string;
  service: (typeof services)[number];
  method: string;
  path: (n: number) => string;
  max: number;
  each: number;
  others: Array<[method: string, path: string]>;
}> = [
  {
    ...{ of: 'sign-ins', service: 'identity', method: 'POST', path: () => '/api/auth/login', max: 500, each: 128 },
    others: [
      ['GET', '/api/auth/me'],
      ['POST', '/api/auth/refresh'],
    ],
  },
  {
    ...{ of: 'PDFs', service: 'ticketing', method: 'GET', path: () => `/api/orders/${ID}/tickets.pdf` },
    ...{ max: 40, each: 8 },
    others: [
      ['GET', `/api/orders/${ID}`],
      ['POST', '/api/holds'],
    ],
  },
  {
    ...{ of: 'lists of customers', service: 'ticketing', method: 'GET', path: () => '/api/tickets/customers' },
    ...{ max: 24, each: 6 },
    others: [['GET', '/api/tickets/my-tickets']],
  },
  {
    ...{ of: 'small pictures', service: 'media', method: 'POST', path: () => '/api/images', max: 32, each: 6 },
    others: [
      ['GET', '/media/images/x.webp'],
      ['GET', '/api/gallery'],
    ],
  },
  {
    ...{ of: 'feeds', service: 'catalog', method: 'GET', path: (n) => `/api/events.ics?q=${n}`, max: 16, each: 8 },
    others: [
      ['GET', '/api/events?q=jazz'],
      ['GET', '/api/events'],
      ['GET', '/api/events/7/comments?limit=3'],
    ],
  },
  {
    ...{ of: 'searches', service: 'catalog', method: 'GET', path: (n) => `/api/events?q=${n}`, max: 60, each: 24 },
    others: [
      ['GET', '/api/events.ics?q=jazz'],
      ['GET', '/api/events/7/comments?limit=3'],
    ],
  },
  {
    ...{ of: 'recordings', service: 'media', method: 'GET', path: () => '/media/recordings/7/x.mp4' },
    ...{ max: 300, each: 60 },
    others: [['GET', '/media/images/x.webp']],
  },
];

/** Sends a request for this IP address, as our proxy forwards it. The rate limits count the request. */
const askAs = (to: TestGateway, address: string, [method, path]: readonly [string, string]) =>
  to.askFrom('127.0.0.1', method, path, method === 'POST' ? '{}' : '', {
    'x-forwarded-for': address,
    ...(method === 'POST' && { 'content-type': 'application/json' }),
  });

test.each(gates)(
  'when $of hang they fill only their own gate: one address gets a part of it, and no other call waits',
  async ({ service, method, path, max, each, others }) => {
    const own = await startGateway({ BELTWAY_RATE_LIMITS: 'on', TRUSTED_HOPS: 1, MAX_REQUESTS_PER_ADDRESS: 1_000 });
    try {
      const { [service]: behind } = own.behind;
      const held: ServerResponse[] = [];
      const answer = behind.answer;
      const isHeld = new RegExp(`^${path(7).replace(/[.?+]/g, '\\$&').replace(/7$/, '\\d+')}$`);
      behind.answer = (req, res, heard) => (isHeld.test(req.url!) ? held.push(res) : answer(req, res, heard));
      let asked = 0;
      const ask = (network: number) => askAs(own, `203.0.${network}.1`, [method, path(asked++)]);

      // Sign-ins are also rate limited, so each IP address sends only as many as its limit allows.
      const fromOne = Math.min(each, 50);
      const waiting: Array<Promise<number | undefined>> = [];
      for (let n = 0; n < max; n++) waiting.push(ask(Math.floor(n / fromOne)));
      await eventually(() => held.length === max, { what: `${max} under way`, timeoutMs: 40_000 });
      expect(await ask(200)).toBe(503);
      if (fromOne === each) expect(await ask(0)).toBe(429);
      for (const other of others) {
        expect([...other, await askAs(own, '203.0.0.1', other)]).toEqual([
          ...other,
          other[1] === '/api/holds' ? 201 : 200,
        ]);
        expect([...other, await askAs(own, '198.51.100.1', other)]).toEqual([
          ...other,
          other[1] === '/api/holds' ? 201 : 200,
        ]);
      }
      for (const res of held) res.end('{}');
      await Promise.all(waiting);
      behind.reset();
      expect(await ask(201)).toBe(200);
    } finally {
      await own.stop();
    }
  },
);

/** A client that sends requests and never reads. */
function askWithoutReading({ port, server }: TestGateway, localAddress: string, path: string, times = 1) {
  const client = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
  let served: Socket | undefined;
  server.once('connection', (socket: Socket) => (served = socket));
  client.pause().write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(times));
  return {
    isClosed: () => served?.destroyed === true,
    isThere: () => served !== undefined,
    leave: () => client.destroy(),
  };
}

test('a connection with too many unread answers is closed, and clients that read get their answers', async () => {
  const own = await startGateway({ BELTWAY_RATE_LIMITS: 'on' });
  try {
    for (const path of ['/api/openapi.json', '/api/events']) {
      own.behind.catalog.answer = (_req, res) =>
        res
          .writeHead(200, {
            'content-type': 'application/json',
            'cache-control': 'public, max-age=1',
            'content-length': 1_900_000,
          })
          .end(Buffer.alloc(1_900_000, 'x'));
      const greedy = askWithoutReading(own, '127.0.0.2', path, 100);
      await eventually(greedy.isClosed, { what: `the end of who asks for ${path} and does not read` });
      expect(await own.askFrom('127.0.0.2', 'GET', path)).toBe(200);
      expect(await own.askFrom('127.0.0.3', 'GET', path)).toBe(200);
    }
  } finally {
    await own.stop();
  }
});

test('clients that do not read do not keep other clients from the same service', async () => {
  // An overloaded gateway admits only 32 requests per service.
  const own = await startGateway({ BELTWAY_RATE_LIMITS: 'on' }, PROXY_TIMEOUTS, undefined, () => true);
  const body = Buffer.alloc(16_000_000);
  try {
    own.behind.media.answer = (req, res) => res.end(req.url?.includes('large') ? body : 'small');
    // A slot becomes free shortly after the gateway notices that a client does not read.
    const anotherIsAnswered = () =>
      eventually(async () => (await own.askFrom('127.0.0.3', 'GET', '/media/images/small.webp')) === 200, {
        what: 'the answer for a client that reads',
      });
    const greedy = [];
    for (let n = 0; n < 33; n++) {
      await anotherIsAnswered();
      const one = askWithoutReading(own, '127.0.0.2', '/media/images/large.webp');
      greedy.push(one);
      await eventually(one.isThere);
    }
    const areAtMedia = () => own.behind.media.heard.filter(({ url }) => url?.includes('large')).length === 33;
    await eventually(areAtMedia, { what: 'all of them at media' });
    await anotherIsAnswered();
    expect(greedy.some(({ isClosed }) => isClosed())).toBe(false);
    greedy.forEach(({ leave }) => leave());
  } finally {
    await own.stop();
  }
});

test('the OpenAPI document is sent from one copy, with a strong ETag for each coding, or as 304', async () => {
  const own = await startGateway();
  try {
    const path = '/api/openapi.json';
    const tags = [];
    for (const coding of ['br', 'gzip', 'identity']) {
      const answer = await own.get(path, { 'accept-encoding': coding });
      const { openapi } = (await answer.json()) as { openapi: string };
      expect([openapi, answer.headers.get('content-encoding') ?? 'identity']).toEqual(['3.1.0', coding]);
      expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(10_000);
      tags.push(answer.headers.get('etag')!);
    }
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) {
      expect(tag).toMatch(/^"/);
      expect((await own.get(path, { 'if-none-match': tag })).status).toBe(304);
    }
    const head = await fetch(own.url + path, { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
    expect([head.headers.get('etag'), await head.text()]).toEqual([tags[0], '']);
  } finally {
    await own.stop();
  }
});

test('feeds are counted in a rate class of their own, even when they are answered from memory', async () => {
  const own = await startGateway({ BELTWAY_RATE_LIMITS: 'on' });
  try {
    own.behind.catalog.answer = (_req, res) =>
      res
        .writeHead(200, { 'content-type': 'text/calendar', 'cache-control': 'public, max-age=1', 'content-length': 2 })
        .end('{}');
    const statuses = new Map<number | undefined, number>();
    for (let n = 0; n < 122; n++) {
      const status = await own.askFrom('127.0.0.2', 'GET', '/api/events.ics');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses]).toEqual([
      [200, 120],
      [429, 2],
    ]);
    expect(await own.askFrom('127.0.0.2', 'GET', '/api/events')).toBe(200);
    expect(await own.askFrom('127.0.0.3', 'GET', '/api/events.ics')).toBe(200);
  } finally {
    await own.stop();
  }
});

test('calls that the gateway itself handles have gates too', async () => {
  const own = await startGateway({ BELTWAY_RATE_LIMITS: 'on', TRUSTED_HOPS: 1 });
  try {
    const held: ServerResponse[] = [];
    for (const name of ['ticketing', 'payments', 'catalog', 'identity', 'media', 'realtime'] as const)
      own.behind[name].answer = (_req, res) => held.push(res);
    const token = await own.tokenFor({ id: 1, role: 'admin' });
    const ask = (network: number, path: string) =>
      own.askFrom('127.0.0.1', 'GET', path, '', {
        ...{ 'x-forwarded-for': `203.0.${network}.1`, authorization: `Bearer ${token}` },
      });
    let arrived = 0;
    own.server.on('request', () => arrived++);
    const waiting = Array.from({ length: 24 }, (_, n) => ask(Math.floor(n / 6), '/api/ops/invariants'));
    await eventually(() => arrived === 24 && held.length > 0);
    expect(await ask(4, '/api/ops/invariants')).toBe(503);
    expect(await ask(0, '/api/ops/invariants')).toBe(429);
    expect(await ask(0, '/api/ops/invariants/last')).toBe(200);
    expect(await ask(0, '/api/health/live')).toBe(200);
    Object.values(own.behind).forEach((service) => service.reset());
    for (const res of held) res.end('{"checks":[]}');
    await Promise.all(waiting);
  } finally {
    await own.stop();
  }
});
