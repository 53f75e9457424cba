import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { Instances } from '@beltway/kit/instances';
import { statusesOf } from './services.ts';

test('an endless answer from a program that is not ours is reported and not read completely', async () => {
  let sent = 0;
  const server = createServer((_req, res) => {
    const chunk = Buffer.alloc(65_536, ' ');
    const more = () => {
      if (res.destroyed) return;
      sent += chunk.length;
      if (res.write(chunk)) setImmediate(more);
      else res.once('drain', more);
    };
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const [found] = await statusesOf({ all: [`http://${address}`] } as unknown as Instances);
    expect(found).toMatchObject({ address, status: null, problem: expect.stringContaining('another program') });
    // The byte limit, plus the bytes in the buffers of both sockets.
    expect(sent).toBeLessThan(16_000_000);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
