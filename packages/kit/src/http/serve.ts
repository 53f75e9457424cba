import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { Server as TcpServer } from 'node:net';
import { failReadiness } from './health.ts';
import { renewCertificate, type ReadCertificate } from './instances/service-tls.ts';
import { collectAfterStart } from '../observe/idle-memory.ts';
import type { Logger } from '../observe/logger.ts';
import { LAUNCHER_GONE, runtime } from '../service/runtime.ts';

export interface ServeOptions {
  log: Logger;
  handler: RequestListener;
  /** If set, serves TLS with this certificate. */
  tls?: ReadCertificate | undefined;
  port: number;
  host: string;
  /** Shares the port with other instances; the operating system distributes connections. Linux only. */
  reusePort?: boolean;
  /**
   * How long a stopping instance reports that it is not ready and still accepts requests, in ms (`LAME_DUCK_MS`).
   * Default 0.
   */
  lameDuckMs?: number;
  /**
   * Maximum number of connections. Idle connections count because they cost memory too. A further connection is closed
   * without a response. Default 10,000.
   */
  maxConnections?: number;
  /**
   * Functions to run in this order after the last response: they stop consumers, timers, the relay and pools. At most 3
   * s each.
   */
  close: Array<() => unknown>;
  /** Called with the server before it listens. socket.io and upgrade handlers attach here. */
  attach?: (server: Server) => void;
  /**
   * Called once no new requests are accepted. Closes connections that would not end on their own (sockets), so that
   * they reconnect to other instances.
   */
  drain?: () => unknown;
}

/**
 * Number of listening sockets of a shared port. libuv accepts one connection per socket and event-loop turn, and a turn
 * may serve every open connection. So under load, new connections would wait for seconds, outside any limit. With 200
 * busy connections and half a millisecond of work per request, one socket accepted 3 connections a second, whereas
 * eight sockets accept 30 (`chaos --only restarts --beside-load`).
 */
const LISTENERS = 8;
/**
 * How long a stop waits for requests in progress. It is nearly as long as a request may take at the gateway's proxy,
 * and shorter than the 30 s that Kubernetes waits. When all instances stop, the wait is shorter, because no client is
 * left.
 */
const UNDER_WAY_MS = 20_000;
const UNDER_WAY_ALL_GO_MS = 4_000;
const CLOSE_MS = 5_000;
/** Maximum duration of a stop after `lameDuckMs`. A supervisor must wait longer before it kills the process. */
export const STOP_MS = UNDER_WAY_MS + CLOSE_MS;
/**
 * A connection with a request in progress is closed if it has no traffic for this long, in ms, because its client does
 * not read the response. The longest calls take 30 s.
 */
export const UNREAD_MS = 60_000;
/**
 * Idle limit of a connection, in ms. It is longer than the idle limit of load balancers (60 s), so that the load
 * balancer closes the connection first.
 */
export const KEEP_ALIVE_MS = 65_000;

/**
 * Listens, and stops in order on SIGTERM, SIGINT, or when the launcher is gone (IPC disconnect). First, readiness
 * fails. For `lameDuckMs`, the server still accepts requests but closes each connection after its response, so that
 * load balancers choose other instances and no client sends on a closing connection. Then the server stops accepting
 * requests, finishes accepted requests (20 s at most; 4 s when all instances stop), closes the parts, and ends 5 s
 * later at the latest. A shared port is left immediately, because new connections go to the other instances.
 */
export async function serve(options: ServeOptions): Promise<Server> {
  const { log, handler, tls, port, host, reusePort = false, lameDuckMs = 0, close, attach, drain } = options;
  let stopping = false;
  const listener = (req: IncomingMessage, res: ServerResponse) => {
    if (stopping) res.shouldKeepAlive = false;
    handler(req as Parameters<RequestListener>[0], res as Parameters<RequestListener>[1]);
  };
  // Checks for slow senders more often than Node does by default, which would add up to half a minute to the limits
  // below.
  const limits = { connectionsCheckingInterval: 5_000 };
  const server: Server = tls ? createTlsServer({ ...limits, ...tls() }, listener) : createServer(limits, listener);
  if (tls)
    renewCertificate(server as TlsServer, tls, (err) => log.error({ err }, 'the renewed certificate cannot be used'));
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = 20_000;
  // A limit for bodies that `arriving-bodies.ts` does not track. That file ends slow bodies, and the largest body may
  // take an hour at the slowest rate.
  server.requestTimeout = 3_700_000;
  server.timeout = UNREAD_MS;
  server.maxConnections = options.maxConnections ?? 10_000;
  attach?.(server);
  const bound = (listener: TcpServer, at: number) =>
    new Promise<void>((resolve, reject) => {
      listener.once('error', reject);
      listener.listen({ port: at, host, reusePort }, resolve);
    });
  await bound(server, port);
  const listeners: TcpServer[] = [server];
  if (reusePort) {
    for (let more = 1; more < LISTENERS; more++) {
      const listener = new TcpServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
        server.emit('connection', socket),
      );
      await bound(listener, (server.address() as { port: number }).port);
      server.once('close', () => listener.close());
      listeners.push(listener);
    }
    for (const listener of listeners) listener.maxConnections = Math.ceil(server.maxConnections / LISTENERS);
  }
  log.info({ port: (server.address() as { port: number }).port }, 'listening');
  if (runtime.isOwn) collectAfterStart();

  const stop = async (why: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ why }, 'stopping');
    failReadiness();
    const allGo = why === LAUNCHER_GONE;
    const underWayMs = allGo ? UNDER_WAY_ALL_GO_MS : UNDER_WAY_MS;
    setTimeout(
      () => {
        log.error('did not stop in time');
        runtime.exit(1);
      },
      lameDuckMs + underWayMs + CLOSE_MS,
    ).unref();
    if (lameDuckMs > 0 && !allGo) {
      if (reusePort) await leavePort(listeners);
      await new Promise((resolve) => setTimeout(resolve, lameDuckMs));
    }
    await afterReading();
    const closed = Promise.all(listeners.map((one) => new Promise((resolve) => one.close(resolve))));
    void (async () => drain?.())().catch((error: unknown) => log.warn({ err: error }, 'did not drain cleanly'));
    const idle = setInterval(() => void afterReading().then(() => server.closeIdleConnections()), 50);
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, underWayMs).unref())]);
    clearInterval(idle);
    server.closeAllConnections();
    for (const part of close) {
      try {
        await Promise.race([part(), new Promise((resolve) => setTimeout(resolve, 3_000).unref())]);
      } catch (error) {
        log.warn({ err: error }, 'a part did not close cleanly');
      }
    }
    log.info('stopped');
    runtime.exit(0);
  };
  runtime.onStop((why) => void stop(why));
  // The launcher may have exited during the start.
  if (runtime.isLauncherGone()) void stop(LAUNCHER_GONE);
  return server;
}

/**
 * Resolves after data that has arrived was read: immediates run after the sockets, timers and signals run before them.
 * Node considers a connection idle while its next request is unread, which can take long on a busy machine. Closing the
 * connection then would reset that request.
 */
const afterReading = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** An event-loop turn shorter than this, in ms, has no time to accept a new connection. */
const QUIET_TURN_MS = 0.5;
const MAX_TURNS = 1_000;

/**
 * Stops accepting but leaves open connections unchanged. (`close` of `node:http` would end idle connections on which a
 * request is in transit.) Linux resets connections in this listener's backlog unless `net.ipv4.tcp_migrate_req` is 1,
 * and libuv accepts one connection per turn. So this continues to accept until two short turns have brought no new
 * connection.
 */
async function leavePort(listeners: TcpServer[]): Promise<void> {
  let came = 0;
  for (const listener of listeners) listener.on('connection', () => came++);
  // The first turn does not count, because it is the rest of the current turn.
  for (let turn = 0, quiet = 0; turn < MAX_TURNS && quiet < 2; turn++) {
    const before = came;
    const began = performance.now();
    await new Promise((resolve) => setImmediate(resolve));
    quiet = turn > 0 && came === before && performance.now() - began < QUIET_TURN_MS ? quiet + 1 : 0;
  }
  for (const listener of listeners) TcpServer.prototype.close.call(listener);
}
