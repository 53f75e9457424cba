import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createProxyMiddleware, debugProxyErrorsPlugin, proxyEventsPlugin } from 'http-proxy-middleware';
import type { RequestHandler } from 'http-proxy-middleware';
import type { Logger } from '@beltway/kit/logger';
import { sendProblem } from '@beltway/kit/problems';
import { cleanAnswer } from '../inbound/headers.ts';
import { codeOf, problemOf, timedOut } from './faults.ts';

export interface Patience {
  /** Until a connection stands. */
  connectMs: number;
  /** Without a byte in either direction. */
  idleMs: number;
}
export const PATIENCE: Patience = { connectMs: 3_000, idleMs: 30_000 };

/** Less than the 65 s after which our services close an idle connection (`@beltway/kit/serve`): so we close first, and no request is sent into a closing one. */
const KEEP_ALIVE_MS = 30_000;

export interface Forward {
  handler: RequestHandler;
  /** Answers what could not be handed over, on whatever is left of the connection. */
  close(): void;
}

/** Hands requests to one service on kept connections. Bodies stream through, nothing is parsed. */
export function forwardTo(service: string, target: string, log: Logger, { connectMs, idleMs }: Patience): Forward {
  const agent = new Agent({ keepAlive: true, maxSockets: 1_024, maxFreeSockets: 64, timeout: KEEP_ALIVE_MS });
  const sent = new WeakMap<IncomingMessage, ClientRequest>();

  /**
   * A restarting service closes the connections it does not use; a request that was on its way into one comes to nothing. What
   * changes nothing and has no body is sent once more, on a new connection (and so never a third time). Anything else is the client's to repeat: it has the key.
   */
  const maySendAgain = (error: Error, req: IncomingMessage, res: ServerResponse): boolean =>
    (req.method === 'GET' || req.method === 'HEAD') &&
    /^(ECONNRESET|EPIPE)$/.test(codeOf(error)) &&
    sent.get(req)?.reusedSocket === true &&
    !res.headersSent &&
    !res.destroyed &&
    req.headers['transfer-encoding'] === undefined &&
    Number(req.headers['content-length'] ?? 0) === 0;

  const make = (connections: Agent): RequestHandler =>
    createProxyMiddleware({
      target,
      agent: connections,
      // Without the default logger, which builds addresses for nobody on every answer.
      ejectPlugins: true,
      plugins: [debugProxyErrorsPlugin, proxyEventsPlugin],
      on: {
        proxyReq: (proxyReq, req) => {
          sent.set(req, proxyReq);
          const giveUp = () => proxyReq.destroy(timedOut());
          proxyReq.setTimeout(idleMs, giveUp);
          if (!proxyReq.socket?.connecting) return;
          const timer = setTimeout(giveUp, connectMs);
          proxyReq.socket.once('connect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
        },
        proxyRes: (answer, _req, res) => {
          cleanAnswer(answer.headers);
          // The client's wish for its own connection, not the service's for ours.
          answer.headers.connection = res.shouldKeepAlive ? 'keep-alive' : 'close';
        },
        error: (error, req, res) => {
          const response = res as ServerResponse;
          if (maySendAgain(error, req, response)) return void unkept(req, response);
          log.warn({ err: error, service, path: req.url, requestId: req.headers['x-request-id'] }, 'no answer');
          if (response.headersSent || response.destroyed) return void response.destroy();
          sendProblem(response, problemOf(error), String(req.headers['x-request-id'] ?? ''));
        },
      },
    });

  const unkept = make(new Agent({ keepAlive: false }));
  return { handler: make(agent), close: () => agent.destroy() };
}
