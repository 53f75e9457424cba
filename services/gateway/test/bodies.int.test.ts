import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => void (gateway = await startGateway()));
afterAll(() => gateway.stop());
beforeEach(() => Object.values(gateway.behind).forEach((service) => service.reset()));

const MB = 1_048_576;
const announce = (method: string, path: string, length: number, ...more: string[]) =>
  [`${method} ${path} HTTP/1.1`, 'Host: x', `Content-Length: ${length}`, ...more, '', ''].join('\r\n');

test.each([
  ['POST', '/api/holds', 101 * 1024],
  ['POST', '/api/auth/login', MB],
  ['POST', '/api/events', 9 * MB],
  ['PATCH', '/api/events/7', 9 * MB],
  ['POST', '/api/events/7/cancel', MB],
  ['POST', '/api/images', 7 * MB],
  ['POST', '/api/top-picks/upload', 57 * MB],
  ['POST', '/api/stripe/webhook', 2 * MB],
  ['DELETE', '/', 10 ** 12],
])('%s %s with a body of %i bytes is refused before the body is sent', async (method, path, length) => {
  const socket = gateway.connect();
  socket.write(announce(method, path, length));
  await expect.poll(() => socket.seen.text).toContain('\r\n\r\n');
  expect(socket.seen.text).toMatch(/^HTTP\/1\.1 413 /);
  await expect.poll(() => socket.seen.text).toContain('"code":"too-large"');
  expect(socket.seen.text).toMatch(/^content-type: application\/problem\+json/im);
  expect(gateway.heard()).toEqual([]);
});

test.each([
  ['GET', 'Content-Length: 2', '{}'],
  ['GET', 'Transfer-Encoding: chunked', '2\r\n{}\r\n0\r\n\r\n'],
  ['HEAD', 'Content-Length: 10', ''],
  ['GET', `Content-Length: ${MB}`, ''],
])('a body of %s (%s) is refused, and the connection ends', async (method, header, body) => {
  const answer = await gateway.raw(`${method} /api/events HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n${body}`);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toMatch(/^content-type: application\/problem\+json/im);
  expect(answer).toMatch(/^connection: close\r$/im);
  if (method === 'GET') expect(answer).toContain('"code":"unexpected-body"');
  expect(gateway.heard()).toEqual([]);
});

test('a refused client that keeps sending can read the answer and is disconnected soon afterwards', async () => {
  const socket = gateway.connect();
  socket.write(announce('POST', '/api/holds', 10 ** 12));
  const chunk = 'x'.repeat(262_144);
  let sent = 0;
  const pump = () => {
    while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
    sent += chunk.length;
  };
  socket.on('drain', pump);
  pump();
  await expect.poll(() => socket.seen.ended, { timeout: 8_000 }).toBe(true);
  expect(socket.seen.text).toMatch(/^HTTP\/1\.1 413 /);
  expect(sent).toBeLessThan(512 * MB);
});

test('a body that is slightly too large is discarded, and the connection stays open', async () => {
  const body = 'x'.repeat(150 * 1024);
  const answer = await gateway.raw(
    `${announce('POST', '/api/holds', body.length)}${body}GET /api/events HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  );
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
});

test('a client that sends Expect: 100-continue gets an answer before it sends the body', async () => {
  const refused = gateway.connect();
  refused.write(announce('POST', '/api/images', 7 * MB, 'Expect: 100-continue'));
  await expect.poll(() => refused.seen.ended).toBe(true);
  expect(refused.seen.text).toMatch(/^HTTP\/1\.1 413 /);

  const taken = gateway.connect();
  taken.write(announce('POST', '/api/images', 4, 'Expect: 100-continue'));
  await expect.poll(() => taken.seen.text).toContain('100 Continue');
  taken.write('1234');
  await expect.poll(() => taken.seen.text).toContain('HTTP/1.1 200');
  expect(gateway.behind.media.heard).toMatchObject([{ body: '1234' }]);
  expect(gateway.behind.media.heard[0]!.headers).not.toHaveProperty('expect');
});

test('a large body streams: the service reads it while the client sends it', async () => {
  let first = 0;
  gateway.behind.catalog.answer = (req, res) => {
    req.once('data', (chunk: Buffer) => (first = chunk.length));
    req.on('end', () => res.end('done'));
  };
  const socket = gateway.connect();
  socket.write(announce('POST', '/api/events', 5 * MB));
  socket.write('x'.repeat(64_000));
  await expect.poll(() => first).toBeGreaterThan(0);
  socket.write('x'.repeat(5 * MB - 64_000));
  await expect.poll(() => socket.seen.text).toContain('done');
});

test('a service may answer before it has read the whole body', async () => {
  gateway.behind.catalog.answer = (_req, res) => void res.writeHead(401).end('no');
  const answer = await fetch(`${gateway.url}/api/events`, { method: 'POST', body: 'x'.repeat(7 * MB) });
  expect(answer.status).toBe(401);
  expect(await answer.text()).toBe('no');
});

/** A gateway with timeouts of less than a second for bodies and readers, in place of ten seconds and more. */
const hurried = () => startGateway({}, { connectMs: 1_000, idleMs: 20_000, bodyMs: 300, unreadMs: 500 });

test.each([
  ['a hold', 'POST', '/api/holds', 'Content-Type: application/json\r\nContent-Length: 10', '{'],
  ['a small body', 'POST', '/api/auth/login', 'Content-Length: 10', ''],
  ['a body announced by Expect', 'POST', '/api/auth/login', 'Content-Length: 10\r\nExpect: 100-continue', ''],
  ['chunks', 'POST', '/api/auth/login', 'Transfer-Encoding: chunked', '2\r\n{}\r\n'],
  ['a picture', 'POST', '/api/images', `Content-Length: ${5 * MB}`, 'x'.repeat(1_000)],
])('%s that does not arrive gets 408, and the connection is closed', async (_what, method, path, headers, body) => {
  const own = await hurried();
  try {
    const answer = await own.raw(`${method} ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`);
    expect(answer).toMatch(/^(HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 408 /);
    expect(answer).toMatch(/^content-type: application\/problem\+json/im);
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(answer).toContain('"code":"body-too-slow"');
    // If the body had begun to stream, the connection to the service is also closed.
    await eventually(() => own.behind.media.sockets.size + own.behind.identity.sockets.size === 0);
  } finally {
    await own.stop();
  }
});

test('a large body that keeps arriving is not timed out', async () => {
  const own = await hurried();
  try {
    const socket = own.connect();
    socket.write(announce('POST', '/api/events', 600_000));
    const began = performance.now();
    for (let sent = 0; sent < 600_000; sent += 100_000) {
      socket.write('x'.repeat(100_000));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await eventually(() => socket.seen.text.includes('HTTP/1.1 200'));
    expect(performance.now() - began).toBeGreaterThan(300);
  } finally {
    await own.stop();
  }
});

test('an upload over a slow connection may take longer than the timeout for a silent service', async () => {
  const own = await startGateway({}, { connectMs: 1_000, idleMs: 2_000, bodyMs: 1_000, unreadMs: 5_000 });
  try {
    const socket = own.connect();
    socket.write(announce('POST', '/api/top-picks/upload', 4_000_000));
    const began = performance.now();
    for (let sent = 0; sent < 4_000_000; sent += 100_000) {
      socket.write('x'.repeat(100_000));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await eventually(() => socket.seen.text.includes('HTTP/1.1 '));
    expect(socket.seen.text).toMatch(/^HTTP\/1\.1 200 /);
    expect(performance.now() - began).toBeGreaterThan(3_500);
  } finally {
    await own.stop();
  }
});

test('when a client does not read its answer, its connection and the request to the service are ended', async () => {
  const own = await hurried();
  try {
    let left = false;
    own.behind.media.answer = (_req, res) => {
      res.once('close', () => (left = true));
      const chunk = Buffer.alloc(MB);
      const more = () => {
        while (!res.destroyed && res.write(chunk));
      };
      res.on('drain', more);
      more();
    };
    const socket = own.connect();
    socket.pause();
    socket.write('GET /media/images/x.webp HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(() => left, { what: 'an end at the service' });
  } finally {
    await own.stop();
  }
});
