import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable, Stream, Writable } from 'node:stream';
import { createProxyMiddleware, debugProxyErrorsPlugin, proxyEventsPlugin } from 'http-proxy-middleware';
import type { RequestHandler } from 'http-proxy-middleware';
import { wasCutOff } from '@beltway/kit/connection-faults';
import type { Instances } from '@beltway/kit/instances';
import type { Logger } from '@beltway/kit/logger';
import { sendProblem } from '@beltway/kit/problems';
import { isShort } from '../inbound/bodies.ts';
import { cleanAnswer } from '../inbound/headers.ts';
import { KEEP_ALIVE_MS } from './connections.ts';
import { codeOf, problemOf, timedOut } from './faults.ts';
import { shortWay } from './short.ts';
import type { Patience } from './timeouts.ts';

/** Which instance a request is meant for; nothing: any. */
export type Choose = (req: IncomingMessage) => string | undefined;

export interface Forward {
  /** Resolves when the service has nothing more to do with it: small answers may still be on their way to the client. */
  handler: (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => Promise<unknown>;
  /** Answers what could not be handed over, on whatever is left of the connection. */
  close(): void;
}

/** How a request was sent so far. */
interface Sent {
  url: string;
  tried: Set<string>;
  /** On a connection that was not kept from before: once that fails too, it is enough. */
  fresh: boolean;
  proxyReq?: ClientRequest;
  /** A connection stands: something of it may have arrived. */
  connected: boolean;
}

/** For the proxy, which would begin to read the body before there is a connection, and so could not send it to another instance. */
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

/** Hands requests to the instances of one service, on kept connections: small ones whole (`short.ts`), others stream through. Nothing is parsed. */
export function forwardTo(
  service: string,
  instances: Instances,
  log: Logger,
  { connectMs, idleMs }: Patience,
  choose: Choose = () => undefined,
): Forward {
  const kept = new Agent({ keepAlive: true, maxSockets: 1_024, maxFreeSockets: 64, timeout: KEEP_ALIVE_MS });
  const unkept = new Agent({ keepAlive: false });
  const under = new WeakMap<IncomingMessage, Sent>();
  const short = shortWay(instances, { connectMs, idleMs });

  /**
   * Where to send it once more, if that is safe: to another instance when no connection came to be, for nothing was sent and nothing
   * read of its body. What changes nothing and has no body also when its connection ended under it, as those of a restarting
   * service do: to another instance, or on a new connection. Anything else is the client's to repeat: it has the key.
   */
  const onceMore = (error: Error, req: IncomingMessage, res: ServerResponse, sent: Sent): Sent | undefined => {
    if (res.destroyed) return; // the client left, which says nothing of the instance
    if (!sent.connected) instances.failed(sent.url);
    if (res.headersSent || sent.fresh) return;
    const changesNothing =
      (req.method === 'GET' || req.method === 'HEAD') &&
      req.headers['transfer-encoding'] === undefined &&
      Number(req.headers['content-length'] ?? 0) === 0;
    const cutOff = wasCutOff(codeOf(error));
    if (sent.connected && !(changesNothing && cutOff)) return;

    const other = instances.pick(sent.tried.add(sent.url));
    const again = { tried: sent.tried, fresh: true, connected: true };
    if (other !== undefined) return { ...again, url: other };
    return sent.proxyReq?.reusedSocket ? { ...again, url: sent.url } : undefined;
  };

  const proxy: RequestHandler = createProxyMiddleware({
    router: (req, _res, options) => {
      const sent = under.get(req)!;
      options.agent = sent.fresh ? unkept : kept;
      return sent.url;
    },
    // Without the default logger, which builds addresses for nobody on every answer.
    ejectPlugins: true,
    plugins: [debugProxyErrorsPlugin, proxyEventsPlugin],
    on: {
      proxyReq: (proxyReq, req, _res, options) => {
        const sent = under.get(req)!;
        sent.proxyReq = proxyReq;
        const giveUp = () => proxyReq.destroy(timedOut());
        proxyReq.setTimeout(idleMs, giveUp);
        const { socket } = proxyReq;
        sent.connected = !socket?.connecting;
        if (sent.connected) return;
        const timer = setTimeout(giveUp, connectMs);
        socket!.once('close', () => clearTimeout(timer));
        socket!.once('connect', () => {
          clearTimeout(timer);
          sent.connected = true;
        });
        options.buffer = onceConnected(socket!, req, () => delete options.buffer);
      },
      proxyRes: (answer, _req, res) => {
        cleanAnswer(answer.headers);
        // The client's wish for its own connection, not the service's for ours.
        answer.headers.connection = res.shouldKeepAlive ? 'keep-alive' : 'close';
      },
      error: (error, req, res) => {
        const response = res as ServerResponse;
        const again = onceMore(error, req, response, under.get(req)!);
        if (again) {
          under.set(req, again);
          return void proxy(req, response);
        }
        tellFault(error, req, response);
      },
    },
  });

  /** On whatever is left of the connection. */
  function tellFault(error: Error, req: IncomingMessage, res: ServerResponse): void {
    // Without its query, in which a secret may stand.
    const path = req.url?.split('?')[0];
    log.warn({ err: error, service, path, requestId: req.headers['x-request-id'] }, 'no answer');
    if (res.headersSent || res.destroyed) return void res.destroy();
    sendProblem(res, problemOf(error), String(req.headers['x-request-id'] ?? ''));
  }

  return {
    handler: (req, res, next) => {
      const url = choose(req) ?? instances.pick()!;
      if (isShort(req)) return short.send(req, res, url).catch((error: Error) => tellFault(error, req, res));
      under.set(req, { url, tried: new Set(), fresh: false, connected: true });
      const answered = new Promise((resolve) => res.once('close', resolve)).then(() => {
        // Answered by us (408) before it had come: the service must not wait for the rest.
        if (!req.complete) under.get(req)?.proxyReq?.destroy();
      });
      void proxy(req, res, next);
      return answered;
    },
    close: () => {
      kept.destroy();
      short.close();
    },
  };
}
