import { Agent, ServerResponse, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectByTls } from 'node:tls';
import { createProxyMiddleware, debugProxyErrorsPlugin, proxyEventsPlugin } from 'http-proxy-middleware';
import { hasBody, uselessBody } from '@beltway/kit/arriving-bodies';
import { noInstance, type Instances } from '@beltway/kit/instances';
import type { Logger } from '@beltway/kit/logger';
import { sendProblem, unavailable, type HttpProblem } from '@beltway/kit/problems';
import { tooManyRequests, type Taken } from '@beltway/kit/rate-limit';
import { tlsTo } from '@beltway/kit/service-tls';
import { noteSocket, type Access } from '../inbound/access.ts';
import { cleanHeaders } from '../inbound/headers.ts';
import type { ConcurrencyLimits } from '../inbound/concurrency.ts';
import { badTarget, pathOf } from '../inbound/target.ts';
import { problemOf, timedOut } from './faults.ts';
import { instanceOfSession } from './sessions.ts';

export interface SocketsOptions {
  realtime: Instances;
  log: Logger;
  access: Pick<Access, 'beginSocket'>;
  trustedHops: number;
  protocol: string;
  /** Counts a WebSocket in its rate class. Undefined: not limited. */
  take?: ((address: string) => Promise<Taken>) | undefined;
  /** Counts an open WebSocket. Undefined: not limited. */
  admit?: ConcurrencyLimits['admitSocket'] | undefined;
  answerMs?: number;
}

export interface Sockets {
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes every socket and accepts no new ones, so that the browsers reconnect to another gateway. */
  drain(): void;
}

/**
 * Only WebSockets of socket.io are upgraded. A request to upgrade to anything else (h2c) is handled without an upgrade
 * (RFC 9110, 7.8).
 */
export const isWebSocket = (req: IncomingMessage): boolean =>
  req.method === 'GET' &&
  req.headers.upgrade?.toLowerCase() === 'websocket' &&
  /^\/socket\.io(\/|$)/.test(pathOf(req.url ?? ''));

/**
 * Forwards WebSockets to realtime, each on a connection of its own. When one end closes, the other end is closed too.
 */
export function forwardSockets({
  realtime,
  log,
  access,
  trustedHops,
  protocol,
  take,
  admit,
  answerMs = 10_000,
}: SocketsOptions): Sockets {
  const open = new Map<Duplex, number>();
  const upstreams = new WeakMap<IncomingMessage, Upstream>();
  const instanceOf = instanceOfSession(realtime);
  let draining = false;

  const proxy = createProxyMiddleware({
    router: (req, _res, options) => {
      const { url, connection } = upstreams.get(req)!;
      options.agent = Object.assign(new Agent({ keepAlive: false }), { createConnection: () => connection });
      return url;
    },
    upgradeTimeout: answerMs,
    ejectPlugins: true,
    plugins: [debugProxyErrorsPlugin, proxyEventsPlugin],
    on: {
      proxyReqWs: (proxyReq, _req, socket) => {
        socket.once('close', () => proxyReq.destroy());
        proxyReq.once('upgrade', (_answer, upstream) => {
          noteSocket(socket, 101);
          socket.once('close', () => upstream.destroy());
          upstream.once('close', () => endSoon(socket));
        });
      },
      error: (error, req, res) => {
        const socket = res as Socket;
        log.debug({ err: error }, 'a socket ended');
        if (open.get(socket) === socket.bytesWritten) refuse(req, socket, problemOf(error));
        else endSoon(socket);
      },
    },
  });

  async function admitSocket(req: IncomingMessage, socket: Duplex, head: Buffer, requestId: string): Promise<void> {
    const problem = badTarget(req.method ?? '', req.url ?? '');
    if (problem) return refuse(req, socket, problem);
    if (hasBody(req)) return refuse(req, socket, uselessBody('GET'));
    cleanHeaders(req, { trustedHops, protocol, requestId, upgrade: true });
    const taken = await take?.(String(req.headers['x-forwarded-for']));
    if (taken && !taken.allowed) return refuse(req, socket, tooManyRequests(taken));
    const tooMany = admit?.(String(req.headers['x-forwarded-for']), socket);
    if (tooMany) return refuse(req, socket, tooMany);
    if (draining) return refuse(req, socket, unavailable('stopping', 1));
    let upstream: Upstream;
    try {
      upstream = await connectToOne(realtime, instanceOf(req), answerMs);
    } catch (error) {
      log.debug({ err: error }, 'realtime cannot be reached');
      return refuse(req, socket, problemOf(error as Error));
    }
    if (socket.destroyed || draining) {
      upstream.connection.destroy();
      return refuse(req, socket, unavailable('stopping', 1));
    }
    upstreams.set(req, upstream);
    proxy.upgrade(req, socket as Socket, head);
  }

  return {
    upgrade(req, socket, head) {
      // Node has removed its own listeners. An error without a listener would end the process.
      socket.on('error', () => socket.destroy());
      open.set(socket, (socket as Socket).bytesWritten);
      socket.once('close', () => open.delete(socket));
      admitSocket(req, socket, head, access.beginSocket(socket)).catch((error: unknown) => {
        log.error({ err: error }, 'a WebSocket could not be forwarded');
        socket.destroy();
      });
    },
    drain() {
      draining = true;
      for (const socket of open.keys()) socket.destroy();
    },
  };
}

/** An established connection to an instance. */
interface Upstream {
  /** Begins with `http:` even for TLS, because the TLS connection is already established. */
  url: string;
  connection: Socket;
}

/**
 * Connects to the chosen instance, or to any instance if none is chosen. If that instance cannot be reached, tries
 * others. Throws the last error.
 */
async function connectToOne(instances: Instances, chosen: string | undefined, withinMs: number): Promise<Upstream> {
  const tried = new Set<string>();
  let url = chosen ?? instances.pick();
  if (url === undefined) throw noInstance();
  for (;;) {
    try {
      return { url: url.replace(/^https:/, 'http:'), connection: await connectTo(instances.service, url, withinMs) };
    } catch (error) {
      instances.failed(url);
      url = instances.pick(tried.add(url));
      if (url === undefined) throw error;
    }
  }
}

function connectTo(service: string, url: string, withinMs: number): Promise<Socket> {
  const { hostname, port, protocol } = new URL(url);
  const isTls = protocol === 'https:';
  const to = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (isTls ? 443 : 80)) };
  const connection = isTls
    ? connectByTls({ ...to, ...(tlsTo(service, url) ?? { servername: hostname }) })
    : connect(to);
  const timer = setTimeout(() => connection.destroy(timedOut()), withinMs);
  return new Promise<Socket>((resolve, reject) => {
    connection.once('error', reject);
    connection.once(isTls ? 'secureConnect' : 'connect', () => {
      connection.off('error', reject);
      resolve(connection);
    });
  }).finally(() => clearTimeout(timer));
}

/** Ends the socket when all data has been sent, without waiting for the other end. */
function endSoon(socket: Duplex): void {
  if (socket.writableFinished) return void socket.destroy();
  socket.once('finish', () => socket.destroy());
  socket.end();
}

function refuse(req: IncomingMessage, socket: Duplex, problem: HttpProblem): void {
  if (socket.destroyed || !socket.writable) return void socket.destroy();
  noteSocket(socket, problem.status);
  const res = new ServerResponse(req);
  res.assignSocket(socket as Socket);
  res.once('finish', () => endSoon(socket));
  res.setHeader('connection', 'close');
  sendProblem(res, problem, String(req.headers['x-request-id'] ?? ''));
}
