import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HoldRequest } from '@beltway/contracts/ticketing/tickets';
import { instances } from '@beltway/kit/instances';
import { closeBatches, openBatches, sendHold } from '../src/hold-batching.ts';
import { PROXY_TIMEOUTS } from '../src/proxy/connections.ts';
import { INTERNAL_TOKEN, startGateway, type TestGateway } from './gateway.ts';
import { granted, holdsIn, standIn, type StandIn } from './stand-in.ts';

let ticketing: [StandIn, StandIn];
let gateway: TestGateway;

const open = (idleMs: number) =>
  startGateway({ TICKETING_URL: ticketing.map(({ url }) => url) }, { connectMs: 1_000, idleMs });
beforeEach(async () => {
  ticketing = [await standIn('one', 'ticketing'), await standIn('two', 'ticketing')];
  gateway = await open(20_000);
});
afterEach(async () => {
  await gateway.stop();
  await Promise.all(ticketing.map((service) => service.die()));
});

const holdsAt = ({ heard }: StandIn): HoldRequest[] => heard.flatMap(holdsIn);
const hold = (eventId: unknown = 1, headers: Record<string, string> = {}, more: object = {}) =>
  gateway.post('/api/holds', { eventId, quantity: 1, ...more }, headers);

test('a hold reaches ticketing with its body and headers, but without those that a client must not set', async () => {
  const answer = await hold(7, {
    authorization: 'Bearer a.b.c',
    'idempotency-key': 'key-of-mine',
    'x-user-id': '1',
    'x-internal-token': 'x',
    'x-forwarded-for': '9.9.9.9',
    'x-request-id': 'of-the-client-1',
    cookie: 'refresh=secret',
  });
  expect(answer.status).toBe(201);
  expect(ticketing.flatMap(holdsAt)).toEqual([
    {
      authorization: 'Bearer a.b.c',
      key: 'key-of-mine',
      address: '127.0.0.1',
      requestId: answer.headers.get('x-request-id'),
      body: '{"eventId":7,"quantity":1}',
    },
  ]);
  const [heard] = ticketing.flatMap(({ heard }) => heard).filter(({ url }) => url === '/internal/holds');
  expect(heard!.headers['x-internal-token']).toBe(INTERNAL_TOKEN);
  for (const name of ['x-user-id', 'cookie', 'authorization']) expect(heard!.headers[name]).toBeUndefined();
});

test('the answer to a hold has the headers of every answer of the gateway', async () => {
  const [quick, usual] = [await hold(), await gateway.post('/api/order-keys', {})];
  const names = (answer: Response) =>
    [...answer.headers.keys()]
      .filter((name) => !/^(content-length|transfer-encoding|keep-alive|vary)$/.test(name))
      .sort();
  expect(names(quick)).toEqual(names(usual));
  expect(quick.headers.get('content-security-policy')).toBe(usual.headers.get('content-security-policy'));
  expect(quick.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await quick.json()).toMatchObject({ from: expect.any(String) as string });
});

test('a refused hold gets a problem with its Retry-After', async () => {
  for (const service of ticketing)
    service.answer = (_req, res, heard) =>
      res.end(
        JSON.stringify({ answers: holdsIn(heard).map(() => ({ status: 503, body: '{"code":"x"}', retryAfter: 7 })) }),
      );
  const { status, headers } = await hold();
  expect([status, headers.get('content-type'), headers.get('retry-after'), headers.get('cache-control')]).toEqual([
    503,
    'application/problem+json; charset=utf-8',
    '7',
    'no-store',
  ]);
});

test('concurrent holds are batched and get their own answers; a slow hold is sent alone and delays none', async () => {
  const open: Array<() => void> = [];
  for (const service of ticketing)
    service.answer = (req, res, heard) => {
      const holds = holdsIn(heard);
      const answers = holds.map(({ body }) => ({ status: 201, body }));
      const answer = () => res.end(JSON.stringify({ answers }));
      if (req.url === '/internal/holds' && heard.body.includes('replaces')) open.push(answer);
      else setTimeout(answer, 5);
    };
  const slow = hold(1, {}, { replaces: { orderId: 'x' } });
  const others = await Promise.all(Array.from({ length: 200 }, (_, n) => hold(1, {}, { n })));
  expect(await Promise.all(others.map(async (answer) => ((await answer.json()) as { n: number }).n))).toEqual(
    Array.from({ length: 200 }, (_, n) => n),
  );
  const requests = ticketing.flatMap(({ heard }) => heard.map(holdsIn)).filter((holds) => holds.length > 0);
  expect(requests.flat()).toHaveLength(201);
  expect(requests.length).toBeLessThan(100);
  expect(requests.filter((holds) => holds.some(({ body }) => body.includes('replaces')))).toEqual([
    [expect.anything()],
  ]);
  open.forEach((answer) => answer());
  expect((await slow).status).toBe(201);
});

test('a hold that replaces another hold is sent alone, and delays none of the many other holds', async () => {
  const open: Array<() => void> = [];
  for (const service of ticketing)
    service.answer = (_req, res, heard) => {
      const holds = holdsIn(heard);
      const answer = () => res.end(holds.length > 0 ? granted(holds, 'ticketing') : '{}');
      if (/replaces|slow/.test(heard.body)) open.push(answer);
      else answer();
    };
  // While these holds are in progress, other holds wait and are batched.
  const slow = [];
  for (let n = 0; n < 2; n++) {
    slow.push(hold(1, {}, { note: 'slow' }));
    await expect.poll(() => open.length).toBe(n + 1);
  }
  const before = Array.from({ length: 30 }, () => hold());
  slow.push(hold(1, {}, { replaces: { orderId: 'x' } }));
  const after = Array.from({ length: 30 }, () => hold());
  await expect.poll(() => ticketing.flatMap(holdsAt).length).toBe(63);
  const requests = ticketing.flatMap(({ heard }) => heard.map(holdsIn));
  const ofReplacing = requests.filter((holds) => holds.some(({ body }) => body.includes('replaces')));
  expect(ofReplacing).toEqual([[expect.anything()]]);
  for (const answer of await Promise.all([...before, ...after])) expect(answer.status).toBe(201);
  open.forEach((answer) => answer());
  for (const answer of await Promise.all(slow)) expect(answer.status).toBe(201);
});

test('holds that arrive after slow holds are sent before the slow ones are answered', async () => {
  const open: Array<() => void> = [];
  for (const service of ticketing)
    service.answer = (_req, res, heard) => {
      const holds = holdsIn(heard);
      if (heard.body.includes('slow')) open.push(() => res.end(granted(holds, 'late')));
      else res.end(holds.length > 0 ? granted(holds, 'soon') : '{}');
    };
  const slow = [];
  for (let n = 0; n < 8; n++) {
    slow.push(hold(1, {}, { note: 'slow' }));
    await expect.poll(() => ticketing.flatMap(holdsAt).length).toBe(n + 1);
  }
  expect(await (await hold(1)).json()).toEqual({ from: 'soon' });
  open.forEach((answer) => answer());
  for (const one of slow) expect(await (await one).json()).toEqual({ from: 'late' });
});

test('when a batch’s answer is malformed or has fewer answers than holds, each hold gets 503', async () => {
  for (const body of ['no JSON', '{"answers":[]}', '{"answers":[{"status":201}]}']) {
    for (const service of ticketing) service.answer = (_req, res) => res.end(body);
    expect((await hold()).status).toBe(503);
  }
  for (const service of ticketing) service.answer = (_req, res) => res.writeHead(403).end('{}');
  expect((await hold()).status).toBe(503);
});

test('all holds of one event are sent to one instance, and holds of many events to both', async () => {
  for (let turn = 0; turn < 5; turn++) await hold(42);
  expect(ticketing.map((service) => holdsAt(service).length).sort()).toEqual([0, 5]);
  const owner = instances({ service: 'ticketing', urls: ticketing.map(({ url }) => url) });
  for (let eventId = 1; eventId <= 20; eventId++) await hold(eventId);
  for (const service of ticketing)
    for (const { body } of holdsAt(service))
      expect(owner.forKey((JSON.parse(body) as { eventId: number }).eventId)).toBe(service.url);
  for (const service of ticketing) expect(holdsAt(service).length).toBeGreaterThan(0);
  owner.stop();
});

test('when its instance is gone or breaks off, a hold is sent to the other one with the same key', async () => {
  await hold(42);
  const [owner, other] = holdsAt(ticketing[0]).length === 1 ? ticketing : [ticketing[1], ticketing[0]];
  let broken = 0;
  const { answer } = owner;
  owner.answer = (req, res, about) => (broken++ > 0 ? answer(req, res, about) : req.socket.destroy());
  expect((await hold(42)).status).toBe(201);
  const keys = holdsAt(owner)
    .slice(1)
    .map(({ key }) => key);
  expect(keys).toEqual([keys[0], keys[0]]);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);

  await owner.die();
  expect((await hold(42, { 'idempotency-key': 'key-of-mine' })).status).toBe(201);
  expect(holdsAt(other).at(-1)?.key).toBe('key-of-mine');
});

test('a hold gets 504 when its instance is silent, and 503 with Retry-After when there is no instance', async () => {
  for (const service of ticketing) service.answer = () => undefined;
  await gateway.stop();
  gateway = await open(500);
  const late = await hold();
  expect([late.status, await late.json()]).toMatchObject([504, { code: 'timeout' }]);
  await Promise.all(ticketing.map((service) => service.die()));
  const away = await hold();
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '1']);
});

test('with two thousand waiting holds the next is refused immediately, and the others are answered', async () => {
  const waiting: Array<() => void> = [];
  for (const service of ticketing)
    service.answer = (_req, res, heard) => waiting.push(() => res.end(granted(holdsIn(heard), 'x')));
  // Sends many pipelined holds on a few connections, as a client could do.
  const body = '{"eventId":1,"quantity":1}';
  const request = `POST /api/holds HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const sockets = Array.from({ length: 21 }, () => gateway.connect());
  for (const socket of sockets) socket.write(request.repeat(100));
  const count = (status: string) =>
    sockets.reduce((sum, { seen }) => sum + seen.text.split(`HTTP/1.1 ${status}`).length - 1, 0);
  await expect.poll(() => ticketing.flatMap(holdsAt).length, { timeout: 20_000 }).toBe(2_000);
  const answering = setInterval(() => waiting.splice(0).forEach((answer) => answer()), 5);
  await expect.poll(() => count('201') + count('503'), { timeout: 20_000 }).toBe(2_100);
  clearInterval(answering);
  expect([count('201'), count('503')]).toEqual([2_000, 100]);
  expect(sockets.map(({ seen }) => seen.text).join('')).toContain('retry-after: 1');
});

/** Ticketing accepts 4 MB per batch (services/ticketing/src/checkout/hold-routes.ts). */
const refuseOver = (bytes: number) => {
  for (const service of ticketing) {
    const { answer } = service;
    service.answer = (req, res, heard) =>
      Buffer.byteLength(heard.body) > bytes ? res.writeHead(413).end('{}') : answer(req, res, heard);
  }
};
/** Raw bytes that no normal client sends. A Latin-1 text is twice as long in UTF-8. */
const hostile = (authorization: string, key: string, body: string) =>
  `POST /api/holds HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nIdempotency-Key: ${key}\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${body.length}\r\n\r\n${body}`;

test('holds with 15 KB of Authorization are refused before they are batched; other clients get answers', async () => {
  refuseOver(4 * 1_048_576);
  const attacker = gateway.connect();
  const request = hostile('\xe9'.repeat(15_000), 'key-of-the-attacker', '{"eventId":1,"quantity":1}');
  attacker.write(request.repeat(200), 'latin1');
  const innocents = await Promise.all(Array.from({ length: 20 }, () => hold()));
  expect(innocents.map(({ status }) => status)).toEqual(Array(20).fill(201));
  await expect.poll(() => attacker.seen.text.split('HTTP/1.1 401').length - 1, { timeout: 20_000 }).toBe(200);
  expect(ticketing.flatMap(holdsAt)).toHaveLength(20);
});

test.each([
  ['a token of more than 4 KB', { authorization: `Bearer ${'a'.repeat(4_096)}` }, 401, 'unauthenticated'],
  ['a token that is not ASCII', { authorization: 'Bearer \xe9' }, 401, 'unauthenticated'],
  ['a key of more than 128 characters', { 'idempotency-key': 'k'.repeat(129) }, 400, 'invalid'],
  ['a key that is not ASCII', { 'idempotency-key': 'my-k\xe9y-1' }, 400, 'invalid'],
])('%s is refused at the gateway', async (_what, headers, status, code) => {
  const answer = await hold(1, headers);
  expect([answer.status, await answer.json()]).toMatchObject([status, { code, detail: expect.any(String) as string }]);
  expect(ticketing.flatMap(holdsAt)).toEqual([]);
});

test('holds that are large when encoded are divided into batches that ticketing accepts', async () => {
  const [{ url }] = ticketing;
  const single = instances({ service: 'ticketing', urls: [url] });
  const batches = openBatches(single, INTERNAL_TOKEN, PROXY_TIMEOUTS);
  // A control character takes six bytes in JSON: a body with 4 KB of them and a token of 4 KB have 28 KB.
  const large = {
    key: 'key-of-the-attacker',
    requestId: 'x',
    authorization: 'a'.repeat(4_096),
    body: '\x01'.repeat(4_096),
  };
  const answers = await Promise.all(Array.from({ length: 300 }, () => sendHold(batches, url, large)));
  expect(answers.map(({ status }) => status)).toEqual(Array(300).fill(201));
  const bytes = ticketing[0].heard.map(({ body }) => Buffer.byteLength(body));
  expect(Math.max(...bytes)).toBeGreaterThan(2 * 1_048_576);
  expect(Math.max(...bytes)).toBeLessThan(4 * 1_048_576);
  closeBatches(batches);
  single.stop();
});

test('if ticketing refuses a batch as too large, its holds are sent one by one, and only the large hold fails', async () => {
  refuseOver(3_000);
  const large = hold(1, {}, { note: 'x'.repeat(3_500) });
  const innocents = Array.from({ length: 20 }, () => hold());
  expect(await Promise.all(innocents.map(async (one) => (await one).status))).toEqual(Array(20).fill(201));
  expect((await large).status).toBe(413);
});

test('a request that is not a plain hold passes through the proxy', async () => {
  const chunked = await gateway.raw(
    'POST /api/holds HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  );
  expect(chunked).toMatch(/^HTTP\/1\.1 200/);
  expect((await gateway.post('/api/holds', { note: 'far '.repeat(2_000) })).status).toBe(200);
  expect((await gateway.get('/api/holds')).status).toBe(200);
  expect(ticketing.flatMap(({ heard }) => heard).filter(({ url }) => url === '/api/holds')).toHaveLength(3);
  expect(ticketing.flatMap(holdsAt)).toEqual([]);
});

test('a client that leaves before its answer does not affect other holds', async () => {
  let arrived = 0;
  for (const service of ticketing)
    service.answer = (_req, res, heard) => {
      arrived++;
      setTimeout(() => res.end(granted(holdsIn(heard), 'x')), 100);
    };
  const socket = gateway.connect();
  const body = '{"eventId":1,"quantity":1}';
  socket.write(
    `POST /api/holds HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await expect.poll(() => arrived).toBe(1);
  socket.destroy();
  expect((await hold()).status).toBe(201);
});
