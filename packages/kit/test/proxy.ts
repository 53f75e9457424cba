import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between a client and its server, to take the server away. */
export interface Proxy {
  url: string;
  /** As when the server's process is gone: connections break, new ones are refused. */
  cut(): void;
  /** As when the server hangs: everything stays open and nothing answers. */
  freeze(): void;
  /** New connections work. Those that were frozen stay so: who holds one must give it up. */
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
