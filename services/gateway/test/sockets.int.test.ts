import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => void (gateway = await startGateway()));
afterAll(() => gateway.stop());
beforeEach(() => {
  Object.values(gateway.behind).forEach((service) => service.reset());
  gateway.behind.realtime.upgraded.length = 0;
});

const upgrade = (target = '/socket.io/?EIO=4&transport=websocket', protocol = 'websocket', ...more: string[]) =>
  [
    `GET ${target} HTTP/1.1`,
    'Host: localhost:3000',
    'Origin: http://localhost:3000',
    'Connection: Upgrade',
    `Upgrade: ${protocol}`,
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
    ...more,
    '',
    '',
  ].join('\r\n');

async function open() {
  const socket = gateway.connect();
  socket.write(upgrade());
  await eventually(() => socket.seen.text.includes('101 Switching Protocols'));
  return socket;
}

test('a WebSocket is forwarded to realtime in both directions', async () => {
  const socket = await open();
  expect(gateway.behind.realtime.heard[0]!.headers).toMatchObject({
    origin: 'http://localhost:3000',
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  });
  socket.write('over and back');
  await eventually(() => socket.seen.text.endsWith('over and back'));
  socket.destroy();
});

test('when one end closes, the other end is closed', async () => {
  const first = await open();
  gateway.behind.realtime.upgraded[0]!.destroy();
  await eventually(() => first.seen.ended);

  const second = await open();
  second.destroy();
  await eventually(() => gateway.behind.realtime.upgraded[1]!.destroyed);

  const third = await open();
  third.resetAndDestroy();
  await eventually(() => gateway.behind.realtime.upgraded[2]!.destroyed);
});

test('while realtime is down a WebSocket gets 503 and is closed', async () => {
  await gateway.behind.realtime.die();
  const answer = await gateway.raw(upgrade());
  expect(answer).toMatch(/^HTTP\/1\.1 503 /);
  expect(answer).toContain('"code":"unavailable"');
  expect(answer).toMatch(/^retry-after: 1\r$/im);
  await gateway.behind.realtime.live();
  (await open()).destroy();
});

test('while realtime hangs a WebSocket gets an answer in time, and no connection stays open', async () => {
  const own = await startGateway({}, { connectMs: 1_000, idleMs: 300 });
  try {
    own.behind.realtime.upgrade = (_req, socket) => void socket.resume().on('end', () => socket.destroy());
    expect(await own.raw(upgrade())).toMatch(/^HTTP\/1\.1 503 /);
    await eventually(() => own.behind.realtime.upgraded.every(({ destroyed }) => destroyed));
  } finally {
    await own.stop();
  }
});

test('an upgrade request with a body is refused', async () => {
  expect(await gateway.raw(upgrade(undefined, undefined, 'Content-Length: 10'))).toMatch(/^HTTP\/1\.1 400 /);
  expect(gateway.behind.realtime.heard).toEqual([]);
});

test('when realtime refuses an upgrade, the client gets realtime’s answer', async () => {
  gateway.behind.realtime.upgrade = (_req, socket) =>
    void socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno');
  expect(await gateway.raw(upgrade())).toMatch(/^HTTP\/1\.1 403 [^]*no$/);
});

test.each([
  [
    'another path',
    upgrade('/api/events', 'websocket', 'X: 1').replace('Connection: Upgrade', 'Connection: Upgrade, close'),
    200,
  ],
  [
    'h2c, as some clients offer with every call',
    upgrade('/api/events', 'h2c').replace('Connection: Upgrade', 'Connection: Upgrade, HTTP2-Settings, close'),
    200,
  ],
  ['a malformed path', upgrade('//', 'websocket').replace('Connection: Upgrade', 'Connection: Upgrade, close'), 400],
  [
    'an absolute target',
    upgrade('http://x/socket.io/').replace('Connection: Upgrade', 'Connection: Upgrade, close'),
    400,
  ],
  ['a path that leaves its directory', upgrade('/socket.io/../internal/x'), 400],
  ['an encoded path that leaves its directory', upgrade('/socket.io/%2e%2e/internal/x'), 400],
])('a request to upgrade %s is not upgraded', async (_what, bytes, status) => {
  expect(await gateway.raw(bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(gateway.behind.realtime.heard).toEqual([]);
  expect(gateway.heard().every(({ method, headers }) => method === 'GET' && headers.upgrade === undefined)).toBe(true);
});

test('a client that leaves before its answer does not affect other clients', async () => {
  for (const target of ['/socket.io/', '/socket.io/../x', '/api/events', '//']) {
    const socket = gateway.connect();
    socket.write(upgrade(target));
    await new Promise((resolve) => setImmediate(resolve));
    socket.resetAndDestroy();
  }
  await eventually(() => gateway.behind.realtime.upgraded.every(({ destroyed }) => destroyed));
  expect((await gateway.get('/api/health/live')).status).toBe(200);
});

test('draining closes WebSockets, ends long polls, and finishes requests in progress', async () => {
  const own = await startGateway();
  try {
    const socket = own.connect();
    socket.write(upgrade());
    await eventually(() => socket.seen.text.includes('101'));
    own.behind.realtime.answer = () => undefined;
    const poll = own.get('/socket.io/?EIO=4&transport=polling&sid=a');
    let finish = (): void => undefined;
    own.behind.ticketing.answer = (_req, res) => void (finish = () => res.end('sold'));
    const buying = own.post('/api/process-ticket-purchase', {});
    await eventually(() => own.behind.ticketing.heard.length === 1 && own.behind.realtime.heard.length === 2);

    own.drain();
    await eventually(() => socket.seen.ended && own.behind.realtime.upgraded[0]!.destroyed);
    expect((await poll).status).toBe(503);
    const late = own.connect();
    late.write(upgrade());
    await eventually(() => late.seen.ended);
    expect(late.seen.text).toMatch(/^HTTP\/1\.1 503 /);
    finish();
    expect(await (await buying).text()).toBe('sold');
  } finally {
    await own.stop();
  }
});
