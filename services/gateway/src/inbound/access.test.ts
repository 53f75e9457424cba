import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { metricsText } from '@beltway/kit/metrics';
import { eventually } from '@beltway/kit/testing';
import { routeTable } from '../routes/table.ts';
import { accessLog, noteRoute, noteSocket, requestIdOf } from './access.ts';

const closing: Array<() => unknown> = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

type Line = Record<string, unknown>;
function open() {
  const lines: Line[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
  return { lines, access: accessLog(routeTable({ isEmbedded: false, hasSandbox: false }), log) };
}

async function start(answer: RequestListener) {
  const { lines, access } = open();
  const server = createServer((req, res) => {
    access.begin(req, res);
    answer(req, res);
  }).listen(0, '127.0.0.1');
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  await eventually(() => server.listening);
  const { port } = server.address() as AddressInfo;
  return { lines, port, url: `http://127.0.0.1:${port}` };
}

test('the log line of a request has its route, the id in its answer, and the bytes of both', async () => {
  const { lines, url } = await start((_req, res) => {
    res.writeHead(201, { 'x-request-id': requestIdOf(res) }).end('x'.repeat(10_000));
  });
  const answer = await fetch(`${url}/api/events/7/like?key=secret`, { method: 'POST', body: 'secret' });
  await answer.text();
  await eventually(() => lines.length === 1);
  const [line] = lines;
  expect(line).toMatchObject({
    level: 30,
    method: 'POST',
    route: '/api/events/{id}/like',
    status: 201,
    msg: 'request',
  });
  expect(line!['requestId']).toBe(answer.headers.get('x-request-id'));
  expect(line!['bytes']).toBeGreaterThan(10_000);
  expect(line!['bytes']).toBeLessThan(11_000);
  expect(JSON.stringify(line)).not.toContain('secret');
});

test.each([
  ['/', 'page'],
  ['/event/secret', 'page'],
  ['/assets/secret.js', '/assets'],
  ['/api/secret', 'unmatched'],
  ['/API/Events/7', '/api/events/{id}'],
  ['//secret', 'page'],
  ['/%zz/secret', 'page'],
  ['/internal/secret', 'unmatched'],
  ['/socket.io/?sid=secret', '/socket.io'],
  [`/api/${'secret/'.repeat(500)}`, 'unmatched'],
])('%s is logged as %s', async (path, route) => {
  const { lines, port } = await start((_req, res) => void res.end());
  const socket = connect(port, '127.0.0.1');
  closing.push(() => socket.destroy());
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await eventually(() => lines.length === 1);
  expect(lines[0]).toMatchObject({ route, status: 200 });
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('a client that leaves before its answer is logged as 499', async () => {
  const { lines, port } = await start(() => undefined);
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /api/events HTTP/1.1\r\nHost: x\r\n\r\n');
  setTimeout(() => socket.destroy(), 50);
  await eventually(() => lines.length === 1);
  expect(lines[0]).toMatchObject({ route: '/api/events', status: 499, bytes: 0 });
});

test('probes are counted and not logged', async () => {
  const { lines, url } = await start((_req, res) => void res.end());
  for (const path of ['/health/ready', '/api/health/live', '/api/health/ready']) await (await fetch(url + path)).text();
  await (await fetch(`${url}/api/events`)).text();
  await eventually(() => lines.length > 0);
  expect(lines.map(({ route }) => route)).toEqual(['/api/events']);
  expect(await metricsText()).toMatch(/^http_requests_total\{method="GET",route="\/health",status="200"\} 1$/m);
});

test('a route that the handler already knows takes precedence over the path', async () => {
  const { lines, url } = await start((_req, res) => {
    noteRoute(res, '/api/tried');
    res.end();
  });
  await (await fetch(`${url}/api/events`)).text();
  await eventually(() => lines.length === 1);
  expect(lines[0]).toMatchObject({ route: '/api/tried' });
});

test('a WebSocket is logged when it has closed, with the status of its answer', async () => {
  const { lines, access } = open();
  const count = async () => /^websockets_open (\d+)$/m.exec(await metricsText())?.[1];
  const [accepted, refused] = [new PassThrough(), new PassThrough()];
  access.beginSocket(accepted);
  access.beginSocket(refused);
  expect(await count()).toBe('2');
  noteSocket(accepted, 101);
  noteSocket(refused, 429);
  accepted.destroy();
  refused.destroy();
  await eventually(() => lines.length === 2);
  expect(lines.map(({ route, status }) => [route, status])).toEqual([
    ['websocket', 101],
    ['websocket', 429],
  ]);
  expect(await count()).toBe('0');
});
