import { Agent, request, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Redis } from '@beltway/kit/redis';
import { eventually } from '@beltway/kit/testing';
import { PROXY_TIMEOUTS } from '../src/proxy/connections.ts';
import { publicRoutes } from '../src/routes/table.ts';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
beforeAll(async () => void (gateway = await startGateway()));
afterAll(async () => {
  agent.destroy();
  await gateway.stop();
});

interface Answer {
  status: number | undefined;
  retryAfter: string | undefined;
}
const ask = (path: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: gateway.port, path, agent }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve({ status: answer.statusCode, retryAfter: answer.headers['retry-after'] }));
    })
      .on('error', reject)
      .end();
  });

test('a hanging service gets at most 500 requests; further ones get 503, and other services respond', async () => {
  const { ticketing } = gateway.behind;
  const held: ServerResponse[] = [];
  ticketing.answer = (_req, res) => held.push(res);
  const waiting = Array.from({ length: 500 }, () => ask('/api/tickets/my-tickets'));
  await eventually(() => held.length === 500, { what: 'the 500th request', timeoutMs: 40_000 });

  const late = await Promise.all(Array.from({ length: 50 }, () => ask('/api/tickets/my-tickets')));
  expect(late).toEqual(Array(50).fill({ status: 503, retryAfter: '1' }));
  expect((await ask('/api/events')).status).toBe(200);
  expect(held).toHaveLength(500);

  for (const res of held) res.end('{}');
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
  ticketing.reset();
  expect((await ask('/api/tickets/my-tickets')).status).toBe(200);
});

const ATTACKER = '127.0.0.2';
const INNOCENT = '127.0.0.3';

/** Counts the requests that arrive from now on. */
function countRequests({ server }: TestGateway) {
  let count = 0;
  server.on('request', () => count++);
  return () => count;
}

/** Sends sequential requests as a different client. Returns how often each status occurred. */
async function statusesOf(ask: () => Promise<number | undefined>, times: number) {
  const statuses: Record<string, number> = {};
  for (let n = 0; n < times; n++) {
    const status = String(await ask());
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

test.each([
  ['catalog', 'POST', '/api/events', 'GET', '/api/events'],
  ['catalog', 'GET', '/api/events', 'GET', '/api/events'],
  ['ticketing', 'POST', '/api/process-ticket-purchase', 'POST', '/api/process-ticket-purchase'],
  ['ticketing', 'POST', '/api/holds', 'POST', '/api/holds'],
  ['identity', 'POST', '/api/auth/login', 'POST', '/api/auth/login'],
  ['payments', 'POST', '/api/stripe/webhook', 'POST', '/api/stripe/webhook'],
  ['realtime', 'POST', '/socket.io/?transport=polling&sid=a', 'GET', '/socket.io/?transport=polling'],
] as const)(
  '1,100 requests to %s by %s %s whose bodies never arrive do not block other clients',
  async (service, method, path, innocentMethod, innocentPath) => {
    const own = await startGateway();
    try {
      const came = countRequests(own);
      const sockets = Array.from({ length: 1_100 }, () => own.connect(ATTACKER));
      for (const socket of sockets) socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n`);
      await eventually(() => came() === 1_100, { what: 'the attack', timeoutMs: 40_000 });
      const body = innocentMethod === 'POST' ? '{"a":1}' : '';
      const asks = () =>
        own.askFrom(INNOCENT, innocentMethod, innocentPath, body, { 'content-type': 'application/json' });
      const good = innocentPath === '/api/holds' ? '201' : '200';
      expect(await statusesOf(asks, 50)).toEqual({ [good]: 50 });
      expect(own.behind[service].heard.filter(({ headers }) => headers['content-length'] === '10')).toEqual([]);
    } finally {
      await own.stop();
    }
  },
);

test('hanging polls of one address do not block polls of other addresses', async () => {
  const own = await startGateway({ BELTWAY_RATE_LIMITS: 'on' });
  try {
    const held: ServerResponse[] = [];
    own.behind.realtime.answer = (req, res) => (req.url!.includes('sid=hangs') ? held.push(res) : res.end('{}'));
    const came = countRequests(own);
    const poll = 'GET /socket.io/?transport=polling&sid=hangs HTTP/1.1\r\nHost: x\r\n\r\n';
    const sockets = Array.from({ length: 110 }, () => own.connect(ATTACKER));
    for (const socket of sockets) socket.write(poll.repeat(10));
    await eventually(() => came() === 1_100, { what: 'the attack', timeoutMs: 40_000 });
    const asks = () => own.askFrom(INNOCENT, 'GET', '/socket.io/?transport=polling');
    expect(await statusesOf(asks, 50)).toEqual({ 200: 50 });
    await eventually(() => held.length === 60, { what: 'as many polls as one address may have' });
    expect(await own.askFrom(ATTACKER, 'GET', '/api/events')).toBe(200);
    // Even four IP addresses together do not use up the gateway.
    for (const address of ['127.0.0.5', '127.0.0.6', '127.0.0.7'])
      for (let n = 0; n < 30; n++) own.connect(address).write(poll.repeat(10));
    await eventually(() => held.length === 240, { what: 'as many polls as four may have' });
    expect(await statusesOf(asks, 50)).toEqual({ 200: 50 });
  } finally {
    await own.stop();
  }
});

test('concurrent requests per address are limited (429); other addresses and webhooks are not affected', async () => {
  const own = await startGateway({ BELTWAY_RATE_LIMITS: 'on', MAX_REQUESTS_PER_ADDRESS: 20 });
  try {
    const held: ServerResponse[] = [];
    own.behind.catalog.answer = (_req, res) => held.push(res);
    const pipelined = own.connect(ATTACKER);
    pipelined.write('GET /api/ads/0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10 HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(30));
    await eventually(() => held.length === 20, { what: 'the 20th request' });
    expect(await own.askFrom(ATTACKER, 'GET', '/api/config')).toBe(429);
    expect(await own.askFrom(ATTACKER, 'POST', '/api/holds', '{}', { 'content-type': 'application/json' })).toBe(429);
    expect(await own.askFrom(ATTACKER, 'POST', '/api/stripe/webhook', '{}')).toBe(200);
    expect(await own.askFrom(INNOCENT, 'GET', '/api/tickets/stats')).toBe(200);

    for (const res of held) res.end('{}');
    await eventually(() => pipelined.seen.text.split('HTTP/1.1 429').length === 11, {
      what: 'ten refusals, each in its turn',
    });
    expect(pipelined.seen.text.split('HTTP/1.1 200')).toHaveLength(21);
    expect(pipelined.seen.text).toMatch(/^retry-after: 1\r$/im);
    expect(pipelined.seen.text).toContain('"code":"too-many-at-once"');
    own.behind.catalog.reset();
    expect(await own.askFrom(ATTACKER, 'GET', '/api/events')).toBe(200);
  } finally {
    await own.stop();
  }
});

test('connections per address are limited; behind our own proxies WebSockets are', async () => {
  const own = await startGateway({ BELTWAY_RATE_LIMITS: 'on', MAX_CONNECTIONS_PER_ADDRESS: 5 });
  try {
    const idle = Array.from({ length: 5 }, () => own.connect(ATTACKER));
    await eventually(() => idle.every(({ readyState }) => readyState === 'open'));
    const late = own.connect(ATTACKER);
    await eventually(() => late.seen.ended, { what: 'the end of the sixth' });
    expect(await own.askFrom(INNOCENT, 'GET', '/api/events')).toBe(200);
    expect(idle.some(({ seen }) => seen.ended)).toBe(false);
    idle[0]!.destroy();
    await eventually(() => own.askFrom(ATTACKER, 'GET', '/api/events'), { what: 'room again' });
  } finally {
    await own.stop();
  }

  const behindProxy = await startGateway({
    BELTWAY_RATE_LIMITS: 'on',
    MAX_CONNECTIONS_PER_ADDRESS: 2,
    TRUSTED_HOPS: 1,
  });
  try {
    const upgrade = async (address: string) => {
      const socket = behindProxy.connect();
      socket.write(
        `GET /socket.io/?transport=websocket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Forwarded-For: ${address}\r\n\r\n`,
      );
      await eventually(() => socket.seen.text.includes('\r\n\r\n'));
      return Object.assign(socket, { status: /^HTTP\/1\.1 (\d+)/.exec(socket.seen.text)![1] });
    };
    const first = await upgrade('203.0.113.7');
    expect([first.status, (await upgrade('203.0.113.7')).status]).toEqual(['101', '101']);
    expect((await upgrade('203.0.113.7')).status).toBe('429');
    expect((await upgrade('203.0.113.8')).status).toBe('101');
    first.destroy();
    await eventually(async () => (await upgrade('203.0.113.7')).status === '101', { what: 'room again' });
  } finally {
    await behindProxy.stop();
  }
});

/** Sends the headers of a large body and the first bytes for this IP address, as our proxy forwards them. */
function beginUpload(to: TestGateway, address: string) {
  const socket = to.connect();
  socket.write(
    `POST /api/events HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nContent-Length: 200000\r\n\r\nfirst`,
  );
  return socket;
}

test('large bodies are limited per address, separately from other requests', async () => {
  const own = await startGateway({ BELTWAY_RATE_LIMITS: 'on', TRUSTED_HOPS: 1 });
  try {
    const send = (address: string) => beginUpload(own, address);
    const { heard } = own.behind.catalog;
    const six = Array.from({ length: 6 }, () => send('203.0.113.1'));
    await eventually(() => heard.length === 6);
    const seventh = send('203.0.113.1');
    await eventually(() => seventh.seen.ended);
    expect(seventh.seen.text).toMatch(/^HTTP\/1\.1 429 /);

    for (let n = 6; n < 32; n++) six.push(send(`203.0.113.${n}`));
    await eventually(() => heard.length === 32);
    const late = send('203.0.113.99');
    await eventually(() => late.seen.text.includes('HTTP/1.1 503'), { what: 'a refusal' });
    expect(await own.askFrom(INNOCENT, 'POST', '/api/events', '{}')).toBe(200);
  } finally {
    await own.stop();
  }
});

test('an IPv6 /56 may send four times as many large bodies as a /64, but cannot use all slots', async () => {
  const own = await startGateway({ BELTWAY_RATE_LIMITS: 'on', TRUSTED_HOPS: 1 });
  try {
    const send = (address: string) => beginUpload(own, address);
    const attack = Array.from({ length: 32 }, (_, n) => send(`2001:db8:7:${(n >> 1).toString(16)}::1`));
    await eventually(() => attack.filter(({ seen }) => seen.text.includes('HTTP/1.1 429')).length === 8);
    const { heard } = own.behind.catalog;
    await eventually(() => heard.length === 24);
    send('2001:db8:7:100::1');
    await eventually(() => heard.length === 25, { what: 'the body of a neighbor' });
  } finally {
    await own.stop();
  }
});

test('clients that leave while Redis counts their requests do not occupy slots for large bodies', async () => {
  const asked: Array<(counted: [number, number]) => void> = [];
  let isSlow = true;
  const redis = {
    ask: () => (isSlow ? new Promise((resolve) => asked.push(resolve)) : Promise.resolve([1, 60_000])),
  } as unknown as Redis;
  const own = await startGateway({ BELTWAY_RATE_LIMITS: 'on' }, PROXY_TIMEOUTS, redis);
  try {
    const chunked = 'POST /api/events HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    let left = 0;
    own.server.on('request', (_req, res) => res.once('close', () => left++));
    const sockets = Array.from({ length: 6 }, () => own.connect(ATTACKER));
    for (const socket of sockets) socket.write(chunked);
    await eventually(() => asked.length === 6);
    sockets.forEach((socket) => socket.destroy());
    await eventually(() => left === 6);
    isSlow = false;
    asked.forEach((answer) => answer([1, 60_000]));
    const later = own.connect(ATTACKER);
    later.write(`${chunked}2\r\n{}\r\n0\r\n\r\n`);
    await eventually(() => later.seen.text.includes('\r\n\r\n'));
    expect(later.seen.text).toMatch(/^HTTP\/1\.1 200 /);
    expect(own.behind.catalog.heard).toHaveLength(1);
  } finally {
    await own.stop();
  }
});

test('a flood of webhooks from one address blocks neither payments nor webhooks from other addresses', async () => {
  const own = await startGateway({ BELTWAY_RATE_LIMITS: 'on' });
  try {
    const held: ServerResponse[] = [];
    own.behind.payments.answer = (_req, res) => held.push(res);
    const notice = 'POST /api/stripe/webhook HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}';
    for (let n = 0; n < 60; n++) own.connect(ATTACKER).write(notice.repeat(10));
    await eventually(() => held.length === 250, { what: 'as many as one address may have', timeoutMs: 40_000 });
    own.connect(INNOCENT).write(notice);
    await eventually(() => held.length === 251, { what: 'the notice of another' });
    for (let n = 0; n < 60; n++) own.connect('127.0.0.4').write(notice.repeat(10));
    await eventually(() => held.length === 500, { what: 'as many as all may have', timeoutMs: 40_000 });
    expect(await own.askFrom(INNOCENT, 'POST', '/api/process-ticket-purchase', '{}')).toBe(200);
    held.forEach((res) => res.end('{}'));
  } finally {
    await own.stop();
  }
});

test('an overloaded gateway admits 32 requests to a service and, beyond these, only steps of a payment', async () => {
  const own = await startGateway({}, PROXY_TIMEOUTS, undefined, () => true);
  try {
    const held: ServerResponse[] = [];
    own.behind.ticketing.answer = (_req, res) => held.push(res);
    for (let n = 0; n < 32; n++) own.connect().write('GET /api/tickets/my-tickets HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(() => held.length === 32);
    expect(await own.askFrom(INNOCENT, 'GET', '/api/tickets/my-tickets')).toBe(503);
    expect(await own.askFrom(INNOCENT, 'GET', '/api/events')).toBe(200);
    own.behind.ticketing.reset();
    expect(await own.askFrom(INNOCENT, 'POST', '/api/process-ticket-purchase', '{}')).toBe(200);
    expect(await own.askFrom(INNOCENT, 'POST', '/api/stripe/webhook', '{}')).toBe(200);
  } finally {
    await own.stop();
  }
});

test('on every route a refusal because of load has a Retry-After', async () => {
  await Promise.all(Object.values(gateway.behind).map((service) => service.die()));
  try {
    let turnedAway = 0;
    for (const { method, path, service } of publicRoutes) {
      const where = path.replace(/\{\w+\}/g, '7');
      const answer = await fetch(gateway.url + where, { method: method.toUpperCase() });
      await answer.arrayBuffer();
      const away = [429, 503, 504].includes(answer.status);
      if (away) expect([where, Number(answer.headers.get('retry-after')) > 0]).toEqual([where, true]);
      if (away) turnedAway++;
      if (service !== 'gateway') expect([method, where, answer.status]).toEqual([method, where, 503]);
    }
    expect(turnedAway).toBeGreaterThan(20);
  } finally {
    await Promise.all(Object.values(gateway.behind).map((service) => service.live()));
  }
});
