import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RequestHandler } from 'express';
import { createProxyMiddleware, type RequestHandler as ProxyHandler } from 'http-proxy-middleware';
import type { Logger } from '@beltway/kit/logger';
import { HttpProblem, notFound, sendProblem, unavailable } from '@beltway/kit/problems';
import type { Config } from './config.ts';
import { serviceFor, urlsOf, type Service } from './routes.ts';

const TIMEOUT_MS = 30_000;

/** Headers a client must not set: what they say is ours to say. */
const OURS = /^(x-user-|x-internal-|x-forwarded-|x-real-ip$|forwarded$|via$)/;

/** Who sends: the socket's address, or what our own proxies in front wrote last. */
export function clientAddress(req: IncomingMessage, trustedHops: number): string {
  const socket = req.socket.remoteAddress ?? 'unknown';
  if (trustedHops === 0) return socket;
  const chain = [
    ...String(req.headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
    socket,
  ];
  return chain.at(-1 - trustedHops) ?? chain[0] ?? socket;
}

/** Takes away what is not the client's to say, then says it. Runs before anything else looks at the request. */
export function cleanHeaders(req: IncomingMessage, trustedHops: number, requestId: string, protocol: string): void {
  const address = clientAddress(req, trustedHops);
  for (const name of Object.keys(req.headers)) if (OURS.test(name)) delete req.headers[name];
  req.headers['x-forwarded-for'] = address;
  req.headers['x-forwarded-proto'] = protocol;
  req.headers['x-request-id'] = requestId;
}

function problemOf(error: NodeJS.ErrnoException): HttpProblem {
  if (error.code === 'ECONNREFUSED' || error.code === 'ENOTFOUND')
    return unavailable('A part of Beltway does not answer right now. Nothing was lost; please try again.', 1);
  if (error.code === 'ETIMEDOUT' || error.code === 'ESOCKETTIMEDOUT')
    return new HttpProblem(504, 'timeout', 'A part of Beltway took too long to answer. Please try again.', {
      retryAfter: 2,
    });
  return unavailable(
    'A part of Beltway broke off while answering. It is safe to try again with the same Idempotency-Key.',
    1,
  );
}

export interface Proxy {
  handler: RequestHandler;
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** One keep-alive agent and one proxy per service; bodies stream through, nothing is parsed here. */
export function createProxy(config: Config, log: Logger): Proxy {
  const urls = urlsOf(config);
  const embedded = config.BELTWAY_MODE === 'embedded';
  const proxies = new Map<Service, ProxyHandler>();
  for (const [service, target] of Object.entries(urls) as Array<[Service, string | undefined]>) {
    if (!target) continue;
    proxies.set(
      service,
      createProxyMiddleware({
        target,
        agent: new Agent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 64 }),
        proxyTimeout: TIMEOUT_MS,
        timeout: TIMEOUT_MS,
        on: {
          error: (error, req, res) => {
            log.warn({ err: error, service, path: req.url }, 'a service did not answer');
            if (!('setHeader' in res)) return void res.destroy();
            const response = res as ServerResponse;
            if (response.headersSent) return void response.destroy();
            sendProblem(response, problemOf(error), String(req.headers['x-request-id'] ?? ''));
          },
        },
      }),
    );
  }
  return {
    handler: (req, res, next) => {
      const service = serviceFor(req.path, embedded);
      const proxy = service && proxies.get(service);
      if (proxy) return proxy(req, res, next);
      if (/^\/(api|media|sandbox|dev|internal|socket\.io)(\/|$)/.test(req.path))
        throw notFound(`${req.method} ${req.path}`);
      return next();
    },
    upgrade: (req, socket, head) => {
      cleanHeaders(req, config.TRUSTED_HOPS, randomUUID(), config.PUBLIC_URL.startsWith('https:') ? 'https' : 'http');
      const service = serviceFor(new URL(req.url ?? '/', 'http://x').pathname, embedded);
      const proxy = service === 'realtime' ? proxies.get(service) : undefined;
      if (proxy) proxy.upgrade(req as never, socket as never, head);
      else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
    },
  };
}
