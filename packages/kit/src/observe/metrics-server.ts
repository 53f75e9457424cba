import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { METRICS_TYPE, metricsText } from './metrics.ts';

/** Prometheus keeps one connection, people with curl have a few. */
const MAX_CONNECTIONS = 32;
const REQUEST_MS = 5_000;

/**
 * Answers `GET /metrics` on a port of its own, which nothing routes to from outside. It answers while the service starts, drains
 * and is overloaded too: then its figures matter most. Scrapes that come while one is under way share its answer. Rejects when it
 * cannot listen there.
 */
export async function serveMetrics(port: number, host: string): Promise<Server> {
  let underWay: Promise<string> | undefined;
  const text = () =>
    (underWay ??= metricsText().finally(() => {
      underWay = undefined;
    }));
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (req, res) => {
    const isAsked = req.url?.split('?')[0] === '/metrics';
    if (!isAsked || req.method !== 'GET') return void res.writeHead(isAsked ? 405 : 404).end();
    text().then(
      (found) => res.writeHead(200, { 'content-type': METRICS_TYPE }).end(found),
      () => res.writeHead(500).end(),
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    throw new Error(`METRICS_PORT: ${String((error as Error).message)}`, { cause: error });
  });
  // The service's own port keeps the process running.
  return server.unref();
}
