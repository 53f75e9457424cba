import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy between a client and its server, to simulate outages. */
export interface Proxy {
  url: string;
  /** Behaves like a server whose process has ended: connections break, and new connections are refused. */
  cut(): void;
  /** Behaves like a server that hangs: connections stay open, and requests get no response. */
  freeze(): void;
  /** New connections work again. Frozen connections stay frozen, so their owner must close them. */
  mend(): Promise<void>;
  close(): void;
}

export async function proxyTo(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  const frozen = new Set<Socket>();
  let freezing = false;

  const server = createServer({ allowHalfOpen: true }, (client) => {
    clients.add(client);
    client.once('close', () => clients.delete(client));
    if (freezing) frozen.add(client);
    const upstream = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => void (frozen.has(client) || to.write(data)));
      from.on('end', () => void (frozen.has(client) || to.end()));
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
      freezing = true;
      for (const client of clients) frozen.add(client);
    },
    async mend() {
      freezing = false;
      if (!server.listening) await listen(own);
    },
    close() {
      server.close();
      drop();
    },
  };
}
