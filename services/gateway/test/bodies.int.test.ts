import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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
  ['POST', '/api/stripe/webhook', 2 * MB],
  ['GET', '/api/events', MB],
  ['GET', '/', 10 ** 12],
])('%s %s of %i bytes is refused before it is sent', async (method, path, length) => {
  const socket = gateway.connect();
  socket.write(announce(method, path, length));
  await expect.poll(() => socket.seen.text).toContain('\r\n\r\n');
  expect(socket.seen.text).toMatch(/^HTTP\/1\.1 413 /);
  await expect.poll(() => socket.seen.text).toContain('"code":"too-large"');
  expect(socket.seen.text).toMatch(/^content-type: application\/problem\+json/im);
  expect(gateway.heard()).toEqual([]);
});

test('who goes on sending all the same reads the answer, and is cut off soon', async () => {
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

test('a body a little too large is read and thrown away; the connection lives', async () => {
  const body = 'x'.repeat(150 * 1024);
  const answer = await gateway.raw(
    `${announce('POST', '/api/holds', body.length)}${body}GET /api/events HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  );
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
});

test('who asks first is told first', async () => {
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

test('a large body streams: the service reads it while it is sent', async () => {
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

test('a service may answer before it has read all', async () => {
  gateway.behind.catalog.answer = (_req, res) => void res.writeHead(401).end('no');
  const answer = await fetch(`${gateway.url}/api/events`, { method: 'POST', body: 'x'.repeat(7 * MB) });
  expect(answer.status).toBe(401);
  expect(await answer.text()).toBe('no');
});
