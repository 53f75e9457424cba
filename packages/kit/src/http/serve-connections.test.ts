import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { logger } from '../observe/logger.ts';
import { SLOWEST_BYTES_PER_SECOND } from './bodies/arriving-bodies.ts';
import { serve } from './serve.ts';
import { eventually } from '../testing/testing.ts';

let server: Server | undefined;
afterEach(() => void (server?.close(), server?.closeAllConnections()));

test('a connection beyond the limit is closed immediately; another is accepted after one has ended', async () => {
  server = await serve({
    log: logger('test', 'silent'),
    handler: (_req, res) => void res.end('ok'),
    port: 0,
    host: '127.0.0.1',
    maxConnections: 2,
    close: [],
  });
  const { port } = server.address() as AddressInfo;
  const opened = async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  const [first] = [await opened(), await opened()];
  const third = await opened();
  await once(third, 'close');
  first.destroy();
  const answer = () => fetch(`http://127.0.0.1:${port}`).then((res) => res.text());
  expect(await eventually(answer)).toBe('ok');
});

test('the largest upload may take as long as the slowest accepted transfer rate needs', async () => {
  server = await serve({
    log: logger('test', 'silent'),
    handler: () => undefined,
    port: 0,
    host: '127.0.0.1',
    close: [],
  });
  const largestBytes = 56 * 1_048_576;
  expect(server.requestTimeout / 1_000).toBeGreaterThan(largestBytes / SLOWEST_BYTES_PER_SECOND);
});

const WAITING = 64;

/**
 * Opens connections from another process while this process is blocked. Then counts the event-loop turns until all
 * connections are accepted.
 */
async function turnsToAccept(reusePort: boolean): Promise<number> {
  server = await serve({
    log: logger('test', 'silent'),
    handler: (_req, res) => void res.end('ok'),
    port: 0,
    host: '127.0.0.1',
    reusePort,
    close: [],
  });
  const { port } = server.address() as AddressInfo;
  let accepted = 0;
  server.on('connection', () => accepted++);
  const program = `
    let open = 0;
    const { connect } = require('node:net');
    const all = Array.from({ length: ${WAITING} }, () => connect(${port}, '127.0.0.1', () => ++open === ${WAITING} && process.exit()));`;
  // Afterwards the connections are in the system's backlog, already opened and closed again.
  expect(spawnSync(process.execPath, ['-e', program]).status).toBe(0);
  let turns = 0;
  for (; accepted < WAITING; turns++) await new Promise((resolve) => setImmediate(resolve));
  return turns;
}

test('a shared port accepts several connections in each turn of the event loop', async () => {
  expect(await turnsToAccept(true)).toBeLessThan(WAITING / 2);
});
