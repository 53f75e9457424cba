import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as TcpServer } from 'node:net';
import { failReadiness } from './health.ts';
import { collectAfterStart } from '../observe/idle-memory.ts';
import type { Logger } from '../observe/logger.ts';
import { LAUNCHER_GONE, runtime } from '../service/runtime.ts';

export interface ServeOptions {
  log: Logger;
  handler: RequestListener;
  port: number;
  host: string;
  /** The port is shared with other instances; the system spreads the connections over them. Linux only. */
  reusePort?: boolean;
  /** How long it says that it is not ready, and still takes what comes, before it stops accepting (`LAME_DUCK_MS`). Default 0. */
  lameDuckMs?: number;
  /** Connections at a time, idle ones too; one more is closed without an answer. Default 10,000. What is open but asks nothing costs memory all the same. */
  maxConnections?: number;
  /** Ran in this order after the last request was answered: consumers, timers, relay, pools. Each may take 3 s. */
  close: Array<() => unknown>;
  /** Called with the server before it listens: socket.io and upgrades attach here. */
  attach?: (server: Server) => void;
  /** Called once nothing new is accepted: ends connections that would never end by themselves (sockets), so that they go elsewhere. */
  drain?: () => unknown;
}

/**
 * Listening sockets of a port that is shared. libuv accepts one connection per socket and turn of the event loop, and in a turn every
 * open connection may be served: under load new ones would wait for seconds where no limit sees them. With 200 busy connections and
 * half a millisecond of work per request one socket let in 3 a second, these 8 let in 30 (`chaos --only restarts --beside-load`).
 */
const LISTENERS = 8;
/** As long as a request may take at the gateway's proxy, nearly; under the 30 s for which Kubernetes waits. When everybody goes, nobody is left to wait for. */
const UNDER_WAY_MS = 20_000;
const UNDER_WAY_ALL_GO_MS = 4_000;
const CLOSE_MS = 5_000;
/** How long a stop takes at most, after `lameDuckMs`: whoever kills a process that was told to stop waits longer. */
export const STOP_MS = UNDER_WAY_MS + CLOSE_MS;
/** A connection with a request under way on which no byte moves for so long is closed: its client does not read the answer. The longest calls take 30 s. */
export const UNREAD_MS = 60_000;
/** How long a connection may stand idle: longer than balancers in front keep theirs (60 s), so that these end it first. */
export const KEEP_ALIVE_MS = 65_000;

/**
 * Listens, and stops in order on SIGTERM, SIGINT, or when the launcher that started us is gone (IPC disconnect): fail readiness;
 * for `lameDuckMs` still take what comes, and ask for each connection to be ended with its answer, so that whoever balances goes
 * elsewhere and nobody sends into a closing connection; stop accepting, answer what was accepted (20 s at most; 4 s when all go),
 * close the parts, and end at the latest after 5 s more. A shared port is left at once: what would come there goes to the other instances.
 */
export async function serve(options: ServeOptions): Promise<Server> {
  const { log, handler, port, host, reusePort = false, lameDuckMs = 0, close, attach, drain } = options;
  let stopping = false;
  // Slow senders are looked for more often than Node would: the limits below would mean up to half a minute more.
  const server = createServer({ connectionsCheckingInterval: 5_000 }, (req, res) => {
    if (stopping) res.shouldKeepAlive = false;
    handler(req, res);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = 20_000;
  // Only what `arriving-bodies.ts` does not watch: it ends bodies that arrive too slowly, and the largest may take an hour on a slow line.
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
  // It may have gone while we were starting.
  if (runtime.isLauncherGone()) void stop(LAUNCHER_GONE);
  return server;
}

/**
 * Resolves when what has arrived was read: immediates come after the sockets, timers and signals before them. A connection is idle for Node as
 * long as its next request lies unread, which on a busy machine is for long, and closing it then would reset that request.
 */
const afterReading = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A turn of the event loop in which so little happened leaves no time for somebody to come. */
const QUIET_TURN_MS = 0.5;
const MAX_TURNS = 1_000;

/**
 * Accepts nothing more, and leaves every connection as it is (the close of `node:http` would end the idle ones under a request that
 * is on its way). Linux resets what waits to be accepted on this listener, unless `net.ipv4.tcp_migrate_req` is 1; libuv accepts one
 * in each turn. So this goes on accepting until two short turns in which nobody came.
 */
async function leavePort(listeners: TcpServer[]): Promise<void> {
  let came = 0;
  for (const listener of listeners) listener.on('connection', () => came++);
  // The first turn is the rest of one that is under way.
  for (let turn = 0, quiet = 0; turn < MAX_TURNS && quiet < 2; turn++) {
    const before = came;
    const began = performance.now();
    await new Promise((resolve) => setImmediate(resolve));
    quiet = turn > 0 && came === before && performance.now() - began < QUIET_TURN_MS ? quiet + 1 : 0;
  }
  for (const listener of listeners) TcpServer.prototype.close.call(listener);
}
