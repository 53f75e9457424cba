import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between a client and its server, to take the server away. */
export interface Proxy {
  url: string;
  /** As when the server's process is gone: connections break, new ones are refused. */
  cut(): void;
  /** As when the server hangs: everything stays open and nothing answers. */
  freeze(): void;
  mend(): Promise<void>;
  close(): void;
}

export async function proxyTo(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let frozen = false;

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => void (frozen || to.write(data)));
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const listen = async (at: number): Promise<void> => void (await once(server.listen(at, '127.0.0.1'), 'listening'));
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  await listen(0);
  const { port: own } = server.address() as AddressInfo;
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(own);

  return {
    url: url.href,
    cut() {
      server.close();
      drop();
    },
    freeze() {
      frozen = true;
    },
    async mend() {
      // What was swallowed meanwhile is gone, so the old connections are of no use.
      if (frozen) drop();
      frozen = false;
      if (!server.listening) await listen(own);
    },
    close() {
      server.close();
      drop();
    },
  };
}
