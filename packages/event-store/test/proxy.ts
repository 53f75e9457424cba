import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { later } from './support.ts';

export interface Chunk {
  /** Connections are numbered in the order in which they were opened. */
  connection: number;
  direction: 'to server' | 'to client';
  bytes: Buffer;
}

/** Resolves when a chunk may pass; `cut` breaks the connection instead. Chunks of one direction keep their order. */
export type Gate = (chunk: Chunk) => Promise<'pass' | 'cut'>;

/** A proxy to the database in which every chunk waits for `gate`. It closes after the test. */
export async function proxyTo(url: string, gate: Gate): Promise<string> {
  const target = new URL(url);
  const open = new Set<Socket>();
  let connections = 0;

  const server = createServer((client) => {
    const connection = ++connections;
    const upstream = connect(Number(target.port), target.hostname);
    const pair = [client, upstream];
    const cut = () => pair.forEach((socket) => socket.destroy());
    for (const [from, to, direction] of [
      [client, upstream, 'to server'],
      [upstream, client, 'to client'],
    ] as const) {
      open.add(from);
      let last: Promise<void> = Promise.resolve();
      from.setNoDelay(true);
      from.on('data', (bytes) => {
        last = last.then(async () => {
          if (from.destroyed && to.destroyed) return;
          if ((await gate({ connection, direction, bytes })) === 'cut') cut();
          else to.write(bytes);
        });
      });
      from.on('end', () => void last.then(() => to.end()));
      from.on('error', cut);
      from.on('close', () => {
        open.delete(from);
        void last.then(() => to.destroy());
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(async () => {
    open.forEach((socket) => socket.destroy());
    await new Promise((resolve) => server.close(resolve));
  });
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String((server.address() as AddressInfo).port);
  return through.href;
}
