import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createServiceApp } from '../app.ts';
import { arrivingBodies } from './arriving-bodies.ts';
import { logger } from '../../observe/logger.ts';
import { eventually } from '../../testing/testing.ts';

const closing: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())));
  return (server.address() as AddressInfo).port;
}

/** Sends these bytes and collects the response. */
function send(port: number, bytes: string) {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  closing.push(() => socket.destroy());
  const seen = { text: '', ended: false, socket };
  socket.on('error', () => undefined);
  socket.on('data', (chunk: string) => (seen.text += chunk));
  socket.on('close', () => (seen.ended = true));
  socket.write(bytes);
  return seen;
}

/** A service that handles only one request at a time. */
const service = () =>
  listen(
    createServer(
      createServiceApp({
        service: 'test',
        log: logger('test', 'silent'),
        maxConcurrent: 1,
        bodyMs: 300,
        routes: (app) => app.all('/echo', (req, res) => void res.json(req.body ?? null)),
      }),
    ),
  );

const withoutBody = 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n';

test('requests with stalled bodies do not block a service and get 408', async () => {
  const port = await service();
  const stalled = Array.from({ length: 20 }, () => send(port, withoutBody));
  await eventually(() => stalled.every(({ socket }) => socket.bytesWritten > 0));
  const answer = await fetch(`http://127.0.0.1:${port}/echo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  });
  expect([answer.status, await answer.json()]).toEqual([200, { a: 1 }]);
  await eventually(() => stalled.every(({ ended }) => ended), { what: 'the end of each' });
  for (const { text } of stalled) {
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(text).toMatch(/^content-type: application\/problem\+json/im);
    expect(text).toMatch(/^connection: close\r$/im);
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  }
});

test.each(['GET', 'HEAD'])('a service refuses a body with %s', async (method) => {
  const port = await service();
  const seen = send(port, `${method} /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\n`);
  await eventually(() => seen.ended);
  expect(seen.text).toMatch(/^HTTP\/1\.1 400 /);
});

test('when too many bodies are arriving, the oldest is given up', async () => {
  const bodies = arrivingBodies({ max: 2, bodyMs: 60_000 });
  closing.push(bodies.stop);
  const port = await listen(createServer((req, res) => bodies.read(req, res, (body) => res.end(body))));
  const oldest = send(port, withoutBody);
  await eventually(() => bodies.count() === 1);
  const next = send(port, withoutBody);
  await eventually(() => bodies.count() === 2);
  const whole = send(port, `${withoutBody}{"a":1}`);
  await eventually(() => whole.text.endsWith('{"a":1}') && oldest.ended);
  expect(oldest.text).toMatch(/^HTTP\/1\.1 503 /);
  expect(oldest.text).toMatch(/^retry-after: 1\r$/im);
  next.socket.write('{"b":2}');
  await eventually(() => next.text.endsWith('{"b":2}'));
  expect(bodies.count()).toBe(0);
});

test('the sender with the most arriving bodies is cut off, not the earliest sender', async () => {
  const bodies = arrivingBodies({ max: 5, bodyMs: 60_000, senderOf: ({ url = '' }) => url });
  closing.push(bodies.stop);
  const port = await listen(createServer((req, res) => bodies.read(req, res, (body) => res.end(body))));
  const innocent = send(port, withoutBody.replace('/echo', '/innocent'));
  await eventually(() => bodies.count() === 1);
  const attack = Array.from({ length: 20 }, () => send(port, withoutBody));
  await eventually(() => attack.filter(({ ended }) => ended).length === 16, { what: 'as many refusals' });
  expect(bodies.count()).toBe(5);
  innocent.socket.write('{"a":1}');
  await eventually(() => innocent.text.endsWith('{"a":1}'));
});

test('a client that disconnects is forgotten', async () => {
  const bodies = arrivingBodies({ bodyMs: 200 });
  closing.push(bodies.stop);
  const port = await listen(createServer((req, res) => bodies.read(req, res, (body) => res.end(body))));
  const seen = send(port, withoutBody);
  await eventually(() => bodies.count() === 1);
  seen.socket.destroy();
  await eventually(() => bodies.count() === 0);
});

test('a body that has arrived but is not read does not time out', async () => {
  const bodies = arrivingBodies({ bodyMs: 100 });
  closing.push(bodies.stop);
  let answer = (): void => undefined;
  const port = await listen(
    createServer((req, res) => {
      bodies.watch(req, res);
      answer = () => res.end('read it another time');
    }),
  );
  const seen = send(port, `${withoutBody}{"a":1}`);
  await eventually(() => bodies.count() === 1);
  await eventually(() => bodies.count() === 0, { what: 'the end of the watch' });
  answer();
  await eventually(() => seen.text.endsWith('read it another time'));
});

test('a body that makes progress may take long; a body that trickles is cut off even if it began later', async () => {
  const bodies = arrivingBodies({ bodyMs: 200 });
  closing.push(bodies.stop);
  const port = await listen(
    createServer((req, res) => {
      bodies.watch(req, res);
      req.resume().on('end', () => res.end('whole'));
    }),
  );
  const head = (length: number) => withoutBody.replace('Content-Length: 7', `Content-Length: ${length}`);
  const steady = send(port, head(1_000_001) + 'x'.repeat(1_000_000));
  await eventually(() => bodies.count() === 1);
  const trickling = send(port, head(1_000_000));
  const drip = setInterval(() => trickling.socket.write('x'), 20);
  closing.push(() => clearInterval(drip));
  await eventually(() => trickling.ended, { what: 'the end of the one that trickles' });
  expect(trickling.text).toMatch(/^HTTP\/1\.1 408 /);
  steady.socket.write('x');
  await eventually(() => steady.text.endsWith('whole'));
});
