import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { renewCertificate, type ReadCertificate } from '../http/instances/service-tls.ts';
import { METRICS_TYPE, metricsText } from './metrics.ts';

/** Prometheus keeps one connection; operators with curl need a few more. */
const MAX_CONNECTIONS = 32;
const REQUEST_MS = 5_000;

/**
 * Serves `GET /metrics` on its own port, which is not reachable from outside. The port responds even while the service
 * starts, drains or is overloaded, when metrics matter most. Concurrent scrapes share one response. Uses TLS with the
 * service's certificate, if there is one. Rejects if it cannot listen.
 */
export async function serveMetrics(port: number, host: string, tls?: ReadCertificate): Promise<Server> {
  let underWay: Promise<string> | undefined;
  const text = () =>
    (underWay ??= metricsText().finally(() => {
      underWay = undefined;
    }));
  const listener: RequestListener = (req, res) => {
    const isAsked = req.url?.split('?')[0] === '/metrics';
    if (!isAsked || req.method !== 'GET') return void res.writeHead(isAsked ? 405 : 404).end();
    text().then(
      (found) => res.writeHead(200, { 'content-type': METRICS_TYPE }).end(found),
      () => res.writeHead(500).end(),
    );
  };
  const limits = { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS };
  const server: Server = tls ? createTlsServer({ ...limits, ...tls() }, listener) : createServer(limits, listener);
  // Errors are ignored, because the service's own port reports a certificate that cannot be used.
  if (tls) renewCertificate(server as TlsServer, tls, () => undefined);
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    throw new Error(`METRICS_PORT: ${String((error as Error).message)}`, { cause: error });
  });
  // `unref`, because the service's own port keeps the process running.
  return server.unref();
}
