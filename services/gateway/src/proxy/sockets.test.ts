import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { instances } from '@beltway/kit/instances';
import { logger } from '@beltway/kit/logger';
import { accessLog } from '../inbound/access.ts';
import { routeTable } from '../routes/table.ts';
import { forwardSockets } from './sockets.ts';

let uncaught: unknown[] = [];
const note = (error: unknown) => void uncaught.push(error);
beforeEach(() => void process.on('uncaughtException', note));
afterEach(() => {
  process.off('uncaughtException', note);
  uncaught = [];
});

/** A client that requests a WebSocket. Uses no network. */
function client(url: string) {
  const req = new IncomingMessage(new Socket());
  Object.assign(req, { method: 'GET', url, headers: { connection: 'Upgrade', upgrade: 'websocket' } });
  const socket = new Duplex({ read: () => undefined, write: (_chunk, _coding, done) => done() });
  return { req, socket };
}

const realtime = instances({ service: 'realtime', urls: ['http://127.0.0.1:9'] });
const log = logger('test', 'silent');
const access = accessLog(routeTable({ isEmbedded: false, hasSandbox: false }), log);
const options = { realtime, log, access, trustedHops: 0, protocol: 'http' };

test('an error on a client’s connection closes the connection and does not end the process', async () => {
  const sockets = forwardSockets({ ...options, take: () => new Promise(() => undefined) });
  const { req, socket } = client('/socket.io/');
  sockets.upgrade(req, socket, Buffer.alloc(0));
  socket.destroy(new Error('ECONNRESET'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(uncaught).toEqual([]);
  expect(socket.destroyed).toBe(true);
});

test.each(['//', '', '*', 'http://x:99999/', '/%zz', '/\u{1f3b7}'])(
  'the malformed target %j is rejected without an error',
  async (url) => {
    const { req, socket } = client(url);
    forwardSockets(options).upgrade(req, socket, Buffer.alloc(0));
    await new Promise((resolve) => setImmediate(resolve));
    expect(uncaught).toEqual([]);
  },
);

test('when the rate limiter fails the WebSocket is closed immediately', async () => {
  const sockets = forwardSockets({ ...options, take: () => Promise.reject(new Error('no counters')) });
  const { req, socket } = client('/socket.io/');
  sockets.upgrade(req, socket, Buffer.alloc(0));
  await expect.poll(() => socket.destroyed).toBe(true);
});
