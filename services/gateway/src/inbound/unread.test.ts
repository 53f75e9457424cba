import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { eventually, listen } from '@beltway/kit/testing';
import { slowReaders, unreadAnswers } from './unread.ts';

const MB = 1_048_576;
/** The system buffers several MB of an unread connection, so at least 54 MB wait in this process. */
const LARGE = Buffer.alloc(64 * MB);

let stop: () => Promise<void>;
afterEach(() => stop());

/** A server with these limits, in MB. Clients connect from IP addresses of this machine and do not read by default. */
async function serve(bounds: { connection: number; site: number; all: number }, answer: RequestListener) {
  const inBytes = { connection: bounds.connection * MB, site: bounds.site * MB, all: bounds.all * MB };
  const unread = unreadAnswers(0, inBytes);
  const served: Socket[] = [];
  const server = createServer((req, res) => {
    unread.watch(req, res);
    answer(req, res);
  });
  server.on('connection', (socket: Socket) => served.push(socket));
  await listen(server);
  const { port } = server.address() as AddressInfo;
  const clients: Socket[] = [];
  stop = async () => {
    for (const client of clients) client.destroy();
    unread.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    /** Sends `times` requests on one connection and waits for their answers. */
    async ask(localAddress: string, times = 1) {
      const client = connect({ host: '127.0.0.1', port, localAddress }).on('error', () => undefined);
      clients.push(client.pause());
      const before = served.length;
      await eventually(() => served.length > before);
      client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(times));
      const socket = served.at(-1)!;
      await eventually(() => socket.destroyed || answered.get(socket) === times, { what: 'the answers' });
      return { client, isOpen: () => !socket.destroyed };
    },
  };
}
const answered = new Map<Socket, number>();
const sendLarge: RequestListener = (req, res) => {
  res.end(LARGE);
  answered.set(req.socket, (answered.get(req.socket) ?? 0) + 1);
};

test('a connection that requests without reading is closed when its unread answers exceed its limit', async () => {
  const { ask } = await serve({ connection: 160, site: 10_000, all: 10_000 }, sendLarge);
  const patient = await ask('127.0.0.2', 2);
  expect(patient.isOpen()).toBe(true);
  const greedy = await ask('127.0.0.2', 50);
  expect([greedy.isOpen(), patient.isOpen()]).toEqual([false, true]);
});

test('a client that reads its answers gets all of them, however large they are', async () => {
  const { ask } = await serve({ connection: 80, site: 80, all: 80 }, sendLarge);
  for (let turn = 0; turn < 4; turn++) {
    const { client, isOpen } = await ask('127.0.0.2');
    let bytes = 0;
    client.on('data', (piece: Buffer) => (bytes += piece.length)).resume();
    await eventually(() => bytes > LARGE.length, { what: 'all of it' });
    expect(isOpen()).toBe(true);
  }
});

test('beyond the limit of an address its oldest connections are closed; other addresses are not affected', async () => {
  const { ask } = await serve({ connection: 80, site: 160, all: 10_000 }, sendLarge);
  const other = await ask('127.0.0.3');
  const greedy = [];
  for (let n = 0; n < 4; n++) greedy.push(await ask('127.0.0.2'));
  expect(greedy.map(({ isOpen }) => isOpen())).toEqual([false, false, true, true]);
  expect(other.isOpen()).toBe(true);
});

test('beyond the total limit, connections of the site with the most unread bytes are closed first', async () => {
  const { ask } = await serve({ connection: 80, site: 10_000, all: 260 }, sendLarge);
  const small = await ask('127.0.0.3');
  const greedy = [];
  for (let n = 0; n < 3; n++) greedy.push(await ask('127.0.0.2'));
  const late = await ask('127.0.0.4');
  expect(greedy.map(({ isOpen }) => isOpen())).toEqual([false, true, true]);
  expect([small.isOpen(), late.isOpen()]).toEqual([true, true]);
});

test('bytes that were read since the last count do not close a connection', async () => {
  const { ask } = await serve({ connection: 80, site: 160, all: 10_000 }, sendLarge);
  const read = await ask('127.0.0.2');
  let bytes = 0;
  read.client.on('data', (piece: Buffer) => (bytes += piece.length)).resume();
  await eventually(() => bytes > LARGE.length);
  const greedy = [await ask('127.0.0.2'), await ask('127.0.0.2')];
  expect([read, ...greedy].map(({ isOpen }) => isOpen())).toEqual([true, true, true]);
});

test('a stream that waits for its reader counts the bytes that it has written', async () => {
  let written = 0;
  const { ask } = await serve({ connection: 8, site: 10_000, all: 10_000 }, (req, res) => {
    // Writes without waiting for the reader.
    while (!req.socket.destroyed && written < 100) {
      res.write(Buffer.alloc(MB));
      written++;
    }
  });
  expect((await ask('127.0.0.2')).isOpen()).toBe(false);
  expect(written).toBeLessThan(100);
});

test('beyond the limit of slow readers, the oldest of the site with the most is disconnected', async () => {
  const readers = slowReaders(3);
  const { ask } = await serve({ connection: 800, site: 8_000, all: 8_000 }, (req, res) => {
    req.headers['x-forwarded-for'] = req.socket.remoteAddress!;
    res.write(LARGE);
    readers.add(req, res);
    answered.set(req.socket, 1);
  });
  const other = await ask('127.0.0.3');
  const greedy = [await ask('127.0.0.2'), await ask('127.0.0.2'), await ask('127.0.0.2')];
  const late = await ask('127.0.0.4');
  const open = [other, ...greedy, late].map(({ isOpen }) => isOpen());
  expect(open).toEqual([true, false, false, true, true]);
});
