import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
/** A gateway that soon gives up on a silent service. */
let impatient: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({}, { connectMs: 10_000, idleMs: 20_000 });
  impatient = await startGateway({}, { connectMs: 10_000, idleMs: 300 });
});
afterAll(() => Promise.all([gateway.stop(), impatient.stop()]));
beforeEach(() => Object.values(gateway.behind).forEach((service) => service.reset()));

const problem = async (answer: Response) => {
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const body = (await answer.json()) as { code: string; requestId: string };
  expect(body.requestId).toBe(answer.headers.get('x-request-id'));
  return { status: answer.status, code: body.code, retryAfter: Number(answer.headers.get('retry-after')) };
};

test('a service that is down is 503 until it is back', async () => {
  await gateway.behind.ticketing.die();
  expect(await problem(await gateway.get('/api/tickets/stats'))).toEqual({
    status: 503,
    code: 'unavailable',
    retryAfter: 1,
  });
  expect(await problem(await gateway.post('/api/holds', { eventId: 1 }))).toMatchObject({ status: 503 });
  expect((await gateway.get('/api/events')).status).toBe(200);
  await gateway.behind.ticketing.live();
  expect((await gateway.get('/api/tickets/stats')).status).toBe(200);
});

test('when a service breaks off before its answer, the caller gets 503', async () => {
  gateway.behind.ticketing.answer = (req) => req.socket.destroy();
  expect(await problem(await gateway.post('/api/process-ticket-purchase', {}))).toMatchObject({
    status: 503,
    retryAfter: 1,
  });
  expect(gateway.behind.ticketing.heard).toHaveLength(1);
});

test('when a service does not respond, the caller gets 504', async () => {
  impatient.behind.ticketing.answer = () => undefined;
  expect(await problem(await impatient.post('/api/holds', {}))).toEqual({
    status: 504,
    code: 'timeout',
    retryAfter: 2,
  });
});

test.each([
  ['breaks off', () => gateway, (res: ServerResponse) => res.socket!.destroy()],
  ['falls silent', () => impatient, () => undefined],
])(
  'when a service %s in the middle of a body, the connection ends, so that the client notices the incomplete body',
  async (_what, of, then) => {
    of().behind.catalog.answer = (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.write('[{"id":1},', () => void then(res));
    };
    const answer = await of().get('/api/events');
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  },
);

test('when a client leaves, its request to the service is aborted', async () => {
  let gone = false;
  gateway.behind.ticketing.answer = (req) => void req.socket.once('close', () => (gone = true));
  const socket = gateway.connect();
  socket.write('GET /api/tickets/stats HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => gateway.behind.ticketing.heard.length).toBe(1);
  socket.destroy();
  await expect.poll(() => gone).toBe(true);
});

test('connections to a service stay open, even when a client closes its own', async () => {
  await gateway.get('/api/users/1', { connection: 'close' });
  const before = gateway.behind.identity.connections();
  for (let i = 0; i < 5; i++) await gateway.get('/api/users/1');
  await gateway.raw('GET /api/users/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await gateway.get('/api/users/1');
  expect(gateway.behind.identity.connections()).toBe(before);
});

/** Closes the service's keep-alive connection at the moment when a request is sent on it. */
async function closeUnderRequest(times: number) {
  await gateway.get('/media/images/a');
  let closed = 0;
  gateway.behind.media.answer = (req, res) => {
    if (closed++ < times) req.socket.destroy();
    else res.end('here');
  };
}

test('a GET on a closing connection is repeated exactly once', async () => {
  await closeUnderRequest(1);
  const answer = await gateway.get('/media/images/a');
  expect([answer.status, await answer.text()]).toEqual([200, 'here']);
  await closeUnderRequest(2);
  expect((await gateway.get('/media/images/a')).status).toBe(503);
  expect(gateway.behind.media.heard.filter(({ url }) => url === '/media/images/a')).toHaveLength(6);
});

test.each([
  ['POST', '{}'],
  ['POST', undefined],
  ['DELETE', undefined],
])('a %s is never sent twice (body: %s)', async (method, body) => {
  await closeUnderRequest(1);
  const answer = await fetch(`${gateway.url}/api/images`, { method, ...(body !== undefined && { body }) });
  expect(answer.status).toBe(503);
  expect(gateway.behind.media.heard.filter((heard) => heard.method === method)).toHaveLength(1);
});

test('answers to HEAD and 304 have no body, and the connection stays usable', async () => {
  gateway.behind.media.answer = (req, res) => {
    if (req.headers['if-none-match']) return void res.writeHead(304, { etag: '"a"' }).end();
    res.writeHead(200, { 'content-length': 4, etag: '"a"' }).end('body');
  };
  const answer = await gateway.raw(
    'HEAD /media/images/a HTTP/1.1\r\nHost: x\r\n\r\nGET /media/images/a HTTP/1.1\r\nHost: x\r\nIf-None-Match: "a"\r\n\r\nGET /media/images/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 304', 'HTTP/1.1 200']);
  expect(answer.match(/\r\n\r\nbody/g)).toHaveLength(1);
});
