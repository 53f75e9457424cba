import { createServer, type RequestListener, type Server } from 'node:http';
import { ConfigError } from './config.ts';
import { failReadiness } from './health.ts';
import type { Logger } from './logger.ts';

export interface ServeOptions {
  log: Logger;
  handler: RequestListener;
  port: number;
  host: string;
  /** The port is shared with other instances; the system spreads the connections over them. Linux only. */
  reusePort?: boolean;
  /** Ran in this order after the last request was answered: consumers, timers, relay, pools. Each may take 3 s. */
  close: Array<() => unknown>;
  /** Called with the server before it listens: socket.io and upgrades attach here. */
  attach?: (server: Server) => void;
  /** Called once nothing new is accepted: ends connections that would never end by themselves (sockets), so that they go elsewhere. */
  drain?: () => unknown;
}

const GRACE_MS = 8_000;

/**
 * Listens, and stops in order on SIGTERM, SIGINT, or when the launcher that started us is gone (IPC disconnect):
 * fail readiness, stop accepting, answer what was accepted, close the parts, and end at the latest after 8 s.
 */
export async function serve(options: ServeOptions): Promise<Server> {
  const { log, handler, port, host, reusePort = false, close, attach, drain } = options;
  // Slow senders are looked for more often than Node would: the limits below would mean up to half a minute more.
  const server = createServer({ connectionsCheckingInterval: 5_000 }, handler);
  server.keepAliveTimeout = 65_000;
  server.headersTimeout = 20_000;
  server.requestTimeout = 60_000;
  attach?.(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, reusePort }, resolve);
  });
  log.info({ port: (server.address() as { port: number }).port }, 'listening');

  let stopping = false;
  const stop = async (why: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ why }, 'stopping');
    failReadiness();
    setTimeout(() => {
      log.error('did not stop in time');
      process.exit(1);
    }, GRACE_MS).unref();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    void (async () => drain?.())().catch((error: unknown) => log.warn({ err: error }, 'did not drain cleanly'));
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 4_000).unref())]);
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
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  process.on('disconnect', () => void stop('the launcher is gone'));
  return server;
}

/** Runs a service's `main`: a wrong configuration or a failed start ends the process with a message, not a stack. */
export function run(main: () => Promise<unknown>): void {
  process.on('unhandledRejection', (reason) => {
    console.error(
      JSON.stringify({ level: 60, msg: 'unhandled rejection', err: String((reason as Error)?.stack ?? reason) }),
    );
    process.exit(1);
  });
  main().catch((error: unknown) => {
    console.error(error instanceof ConfigError ? error.message : error);
    process.exit(1);
  });
}
