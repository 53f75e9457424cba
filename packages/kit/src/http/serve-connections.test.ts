import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { logger } from '../observe/logger.ts';
import { serve } from './serve.ts';
import { eventually } from '../testing/testing.ts';

let server: Server | undefined;
afterEach(() => void (server?.close(), server?.closeAllConnections()));

test('one connection more than may be open is closed at once; when another has gone there is room again', async () => {
  server = await serve({
    log: logger('test', 'silent'),
    handler: (_req, res) => void res.end('ok'),
    port: 0,
    host: '127.0.0.1',
    mostConnections: 2,
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
