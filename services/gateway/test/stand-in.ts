import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HoldBatchAnswer, HoldRequest, HoldBatch } from '@beltway/contracts/ticketing/tickets';
import { freePort } from '@beltway/kit/free-ports';
import { listen } from '@beltway/kit/testing';

export interface Heard {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  body: string;
}

export type Answer = (req: IncomingMessage, res: ServerResponse, heard: Heard) => unknown;

/** The holds in a batch request. */
export const holdsIn = ({ url, body }: Heard): HoldRequest[] =>
  url === '/internal/holds' ? (JSON.parse(body) as HoldBatch).holds : [];

/** Ticketing's answer to a batch of these holds. */
export const granted = (holds: HoldRequest[], from: string): string =>
  JSON.stringify({ answers: holds.map(() => ({ status: 201, body: `{"from":"${from}"}` })) } satisfies HoldBatchAnswer);

/**
 * A stub server for a service. Records requests and responds as the test sets. With `service`, it is the instance
 * `name` of that service and reports its own readiness. `host`: an IP address other than 127.0.0.1, on this port.
 */
export async function standIn(name: string, service?: string, at: { host?: string; port?: number } = {}) {
  const heard: Heard[] = [];
  const sockets = new Set<Socket>();
  const upgraded: Socket[] = [];
  let connections = 0;
  let { port } = at;
  const hello: Answer = (_req, res, about) => {
    const holds = holdsIn(about);
    res
      .setHeader('content-type', 'application/json')
      .end(holds.length > 0 ? granted(holds, name) : `{"from":"${name}"}`);
  };

  const self = {
    name,
    url: '',
    heard,
    sockets,
    upgraded,
    isReady: true,
    /** The answer to the next requests. */
    answer: hello,
    /** Answers every upgrade with 101, then echoes, unless the test sets another handler. */
    upgrade: ((req: IncomingMessage, socket: Socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      socket.pipe(socket);
    }) as (req: IncomingMessage, socket: Socket) => void,
    connections: () => connections,
    reset: () => {
      heard.length = 0;
      self.answer = hello;
    },
    /** Stops: refuses new connections and breaks open ones. */
    die: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
    /** Stops like a service: reports not ready, then refuses new connections, then completes every open request. */
    leave: async (lameDuckMs: number) => {
      self.isReady = false;
      await new Promise((resolve) => setTimeout(resolve, lameDuckMs));
      const closed = new Promise((resolve) => server.close(resolve));
      const idle = setInterval(() => server.closeIdleConnections(), 20);
      await closed;
      clearInterval(idle);
    },
    /** Listens. After `die` it uses its former port, which no outgoing connection can have taken in the meantime. */
    live: async (): Promise<void> => {
      port ??= await freePort();
      self.url = await listen(server, { port, ...(at.host !== undefined && { host: at.host }) });
    },
  };

  const server = createServer(async (req, res) => {
    if (!self.isReady) res.shouldKeepAlive = false;
    if (service !== undefined && req.url === '/health/ready') {
      res.writeHead(self.isReady ? 200 : 503).end(JSON.stringify({ service, instance: name }));
      return;
    }
    const about: Heard = {
      method: req.method ?? '',
      url: req.url ?? '',
      headers: req.headers,
      rawHeaders: req.rawHeaders,
      body: '',
    };
    heard.push(about);
    if (self.answer.length > 2)
      try {
        for await (const chunk of req.setEncoding('utf8')) about.body += chunk;
      } catch {
        return;
      }
    await self.answer(req, res, about);
  });
  server.on('connection', (socket) => {
    connections++;
    sockets.add(socket.once('close', () => sockets.delete(socket)));
  });
  server.on('upgrade', (req: IncomingMessage, socket: Socket) => {
    heard.push({ method: 'UPGRADE', url: req.url ?? '', headers: req.headers, rawHeaders: req.rawHeaders, body: '' });
    upgraded.push(socket.on('error', () => socket.destroy()));
    self.upgrade(req, socket);
  });
  await self.live();
  return self;
}
export type StandIn = Awaited<ReturnType<typeof standIn>>;
