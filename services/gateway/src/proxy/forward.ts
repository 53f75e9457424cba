import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable, type Stream, type Writable } from 'node:stream';
import { createProxyMiddleware, debugProxyErrorsPlugin, proxyEventsPlugin } from 'http-proxy-middleware';
import type { RequestHandler } from 'http-proxy-middleware';
import { wasCutOff } from '@beltway/kit/connection-faults';
import type { Instances } from '@beltway/kit/instances';
import type { Logger } from '@beltway/kit/logger';
import { sendProblem } from '@beltway/kit/problems';
import { bufferedBodyOf } from '../inbound/bodies.ts';
import { cleanAnswer } from '../inbound/headers.ts';
import { pathOf } from '../inbound/target.ts';
import { codeOf, problemOf, timedOut } from './faults.ts';
import { KEEP_ALIVE_MS, type ProxyTimeouts } from './timeouts.ts';

/** More connections to one instance than requests may be under way to a service (`proxy.ts`): the agent queues none. */
const MAX_SOCKETS = 1_024;

/** Which instance a request is meant for; nothing: any. */
export type Choose = (req: IncomingMessage) => string | undefined;

export interface Forward {
  /**
   * Resolves when the service has nothing more to do with it: the end of the answer may still be on its way to the
   * client.
   */
  handler: (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => Promise<void>;
  close(): void;
}

interface Attempt {
  url: string;
  tried: Set<string>;
  /** The second one, on a connection of its own; there is no third. */
  isRepeat: boolean;
  proxyReq?: ClientRequest;
  /** A connection stands: something of the request may have arrived. */
  connected: boolean;
  /** The service has answered. */
  done: () => void;
}

/** Delays reading the body until there is a connection: what was read could not be sent to another instance. */
const onceConnected = (socket: Socket, body: Readable, begin: () => void): Stream =>
  ({
    pipe: (to: Writable) => {
      socket.once('connect', () => {
        begin();
        body.pipe(to);
      });
      return to;
    },
  }) as unknown as Stream;

/**
 * Hands requests to the instances of one service, on kept connections. A body that was read before (`bodies.ts`) is
 * sent from memory, a larger one streams through. Nothing is parsed.
 */
export function forwardTo(
  service: string,
  instances: Instances,
  log: Logger,
  { connectMs, idleMs }: ProxyTimeouts,
  choose: Choose = () => undefined,
): Forward {
  const kept = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS, maxFreeSockets: 64, timeout: KEEP_ALIVE_MS });
  const unkept = new Agent({ keepAlive: false });
  const attempts = new WeakMap<IncomingMessage, Attempt>();

  /**
   * Where to send it once more, if that is safe: to another instance when no connection came to be, for nothing was
   * sent. A GET or HEAD, which have no body, also when the connection ended under it, as those of a restarting service
   * do: to another instance, or on a new connection. Anything else is for the client to repeat, with its idempotency
   * key.
   */
  const repeated = (error: Error, req: IncomingMessage, res: ServerResponse, last: Attempt): Attempt | undefined => {
    if (res.destroyed) return; // the client left, which says nothing of the instance
    if (!last.connected) instances.failed(last.url);
    if (res.headersSent || last.isRepeat) return;
    const changesNothing = req.method === 'GET' || req.method === 'HEAD';
    if (last.connected && !(changesNothing && wasCutOff(codeOf(error)))) return;
    const url = instances.pick(last.tried.add(last.url)) ?? (last.connected ? last.url : undefined);
    return url === undefined ? undefined : { ...last, url, isRepeat: true, connected: true };
  };

  const proxy: RequestHandler = createProxyMiddleware({
    router: (req, _res, options) => {
      const { url, isRepeat } = attempts.get(req)!;
      options.agent = isRepeat ? unkept : kept;
      return url;
    },
    // Without the default logger, which formats two URLs for each answer.
    ejectPlugins: true,
    plugins: [debugProxyErrorsPlugin, proxyEventsPlugin],
    on: {
      proxyReq: (proxyReq, req, _res, options) => {
        const attempt = attempts.get(req)!;
        attempt.proxyReq = proxyReq;
        const giveUp = () => proxyReq.destroy(timedOut());
        proxyReq.setTimeout(idleMs, giveUp);
        const body = bufferedBodyOf(req);
        if (body) options.buffer = Readable.from([body]);
        const { socket } = proxyReq;
        attempt.connected = !socket?.connecting;
        if (attempt.connected) return;
        const timer = setTimeout(giveUp, connectMs);
        socket!.once('close', () => clearTimeout(timer));
        socket!.once('connect', () => {
          clearTimeout(timer);
          attempt.connected = true;
        });
        if (!body) options.buffer = onceConnected(socket!, req, () => delete options.buffer);
      },
      proxyRes: (answer, req, res) => {
        answer.once('end', attempts.get(req)!.done);
        cleanAnswer(answer.headers);
        // As the client asked for its own connection; what the service wants for ours does not concern it.
        answer.headers.connection = res.shouldKeepAlive ? 'keep-alive' : 'close';
      },
      error: (error, req, res) => {
        const response = res as ServerResponse;
        const again = repeated(error, req, response, attempts.get(req)!);
        if (again) {
          attempts.set(req, again);
          return void proxy(req, response);
        }
        const requestId = req.headers['x-request-id'];
        // Without its query, in which a secret may stand.
        log.warn({ err: error, service, path: pathOf(req.url ?? ''), requestId }, 'no answer');
        if (response.headersSent || response.destroyed) return void response.destroy();
        sendProblem(response, problemOf(error), String(requestId ?? ''));
      },
    },
  });

  return {
    handler: (req, res, next) =>
      new Promise((done) => {
        attempts.set(req, {
          url: choose(req) ?? instances.pick()!,
          tried: new Set(),
          isRepeat: false,
          connected: true,
          done,
        });
        res.once('close', () => {
          // Answered by the gateway (408) before the body was complete: the service must not wait for the rest.
          if (!req.complete) attempts.get(req)?.proxyReq?.destroy();
          done();
        });
        void proxy(req, res, next);
      }),
    close: () => kept.destroy(),
  };
}
