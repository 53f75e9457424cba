import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher, Pool } from 'undici';
import { hasBody } from '@beltway/kit/arriving-bodies';
import { wasCutOff, wasNotReached } from '@beltway/kit/connection-faults';
import { noInstance, type Instances } from '@beltway/kit/instances';
import type { Logger } from '@beltway/kit/logger';
import { UNMATCHED } from '@beltway/kit/metrics';
import { perInstance } from '@beltway/kit/per-instance';
import { sendProblem } from '@beltway/kit/problems';
import { bufferedBodyOf } from '../inbound/bodies.ts';
import { cleanAnswer } from '../inbound/headers.ts';
import { pathOf } from '../inbound/target.ts';
import type { RouteTable } from '../routes/table.ts';
import { codeOf, problemOf } from './faults.ts';
import { connectionsTo, type ProxyTimeouts } from './connections.ts';

/**
 * More connections to an instance than the concurrent requests that `proxy.ts` admits to a service. So no request waits
 * for a connection.
 */
const MAX_CONNECTIONS = 1_024;

/**
 * Maximum instances tried for one request: more than are likely to be down at a time, but few enough for the client to
 * wait (3 s for each).
 */
const MAX_TRIES = 4;

/** Returns the instance that a request must reach. Undefined: any instance. */
export type Choose = (req: IncomingMessage) => string | undefined;

/** Called with the head of each answer before the answer is passed on. May change the headers. */
export type OnAnswer = (req: IncomingMessage, status: number, headers: IncomingHttpHeaders) => void;

type OnWait = () => void;

export interface Forward {
  /**
   * Resolves when the service is done, even if the end of the answer is still in transit to the client. `onWait` is
   * called when the answer begins to wait for its reader.
   */
  handler: (req: IncomingMessage, res: ServerResponse, onWait?: () => void) => Promise<void>;
  /** Closes the connections to the instances. */
  close(): void;
}

/**
 * Forwards requests to the instances of one service, on keep-alive connections. A body that `bodies.ts` has already
 * read is sent from memory; a larger body streams through. No body is parsed.
 */
export function forwardTo(
  service: string,
  instances: Instances,
  log: Logger,
  timeouts: ProxyTimeouts,
  choose: Choose = () => undefined,
  onAnswer: OnAnswer = () => undefined,
  labelOf: RouteTable['labelOf'] = () => UNMATCHED,
): Forward {
  const pools = perInstance(
    instances,
    (url) => connectionsTo(instances.service, url, MAX_CONNECTIONS, timeouts),
    (pool) => void pool.close(),
  );

  async function send(req: IncomingMessage, res: ServerResponse, url: string, onWait: OnWait): Promise<void> {
    await exchange(pools.get(url), instances.service, req, res, onAnswer, onWait).catch((error: unknown) => {
      // If the client left, the failure is not the instance's fault.
      if (!res.destroyed && wasNotReached(codeOf(error as Error))) instances.failed(url);
      throw error;
    });
  }

  /**
   * Retries a request if that is safe. If no connection was established, nothing was sent, and the request is sent to
   * other instances. If the connection of a GET or HEAD breaks, as happens when a service restarts, the request is
   * retried once: on another instance, or on a new connection. All other requests are retried by the client, with an
   * idempotency key.
   */
  async function sendSafely(req: IncomingMessage, res: ServerResponse, onWait: OnWait): Promise<void> {
    const changesNothing = req.method === 'GET' || req.method === 'HEAD';
    const tried = new Set<string>();
    const chosen = choose(req) ?? instances.pick();
    if (chosen === undefined) throw noInstance();
    for (let url = chosen; ;) {
      try {
        return await send(req, res, url, onWait);
      } catch (error) {
        const code = codeOf(error as Error);
        const isFirst = tried.size === 0;
        const mayRepeat = wasNotReached(code) || (isFirst && changesNothing && wasCutOff(code));
        const other: string | undefined = instances.pick(tried.add(url)) ?? (wasNotReached(code) ? undefined : url);
        if (res.destroyed || res.headersSent || !mayRepeat || other === undefined || tried.size >= MAX_TRIES)
          throw error;
        url = other;
      }
    }
  }

  return {
    handler: (req, res, onWait = () => undefined) =>
      sendSafely(req, res, onWait).catch((error: Error) => {
        if (res.destroyed) return;
        const requestId = req.headers['x-request-id'];
        // The log gets the route's label without path and query, which may contain a secret.
        const route = labelOf(req.method ?? '', pathOf(req.url ?? ''));
        log.warn({ err: error, service, route, requestId }, 'no answer');
        if (res.headersSent) return void res.destroy();
        sendProblem(res, problemOf(error), String(requestId ?? ''));
      }),
    close: () => {
      for (const pool of pools.values()) void pool.destroy().catch(() => undefined);
    },
  };
}

/**
 * A stream of the arriving body, which starts to read when there is a connection to send the body on. Whatever the
 * service does not read is discarded.
 */
function arriving(req: IncomingMessage): Readable {
  async function* pieces() {
    try {
      yield* req.iterator({ destroyOnReturn: false });
    } finally {
      req.resume();
    }
  }
  return Readable.from(pieces(), { objectMode: false });
}

/** Resolves when the answer has been passed on or its reader has left. */
function exchange(
  pool: Pool,
  service: string,
  req: IncomingMessage,
  res: ServerResponse,
  onAnswer: OnAnswer,
  onWait: OnWait,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sending: Dispatcher.DispatchController | undefined;
    let isGone = false;
    const leave = () => {
      isGone = true;
      sending?.abort(new Error('the client left'));
      resolve();
    };
    if (res.destroyed) return leave();
    res.once('close', leave);
    const { 'transfer-encoding': _framing, ...headers } = req.headers;
    const body = bufferedBodyOf(req) ?? (hasBody(req) ? arriving(req) : null);
    const method = req.method as Dispatcher.HttpMethod;
    // The service's certificate contains the service's own name. Without `servername`, undici would compare the
    // certificate with the client's `Host`.
    const request = { path: req.url!, method, headers, body, servername: service };
    pool.dispatch(request, {
      onRequestStart: (controller) => {
        sending = controller;
        if (isGone) controller.abort(new Error('the client left'));
      },
      onResponseStart: (_controller, status, answered, message) => {
        if (isGone || res.headersSent) return;
        cleanAnswer(answered);
        onAnswer(req, status, answered);
        res.statusCode = status;
        if (message) res.statusMessage = message;
        for (const name in answered) res.setHeader(name, answered[name]!);
        // The service's `Connection` header concerned its connection to the gateway. This header concerns the client's
        // connection.
        res.setHeader('connection', res.shouldKeepAlive ? 'keep-alive' : 'close');
      },
      onResponseData: (controller, chunk) => {
        if (isGone || res.writableEnded || res.write(chunk)) return;
        controller.pause();
        res.once('drain', () => controller.resume());
        // Waits one tick, because the operating system may accept a chunk immediately.
        setImmediate(() => res.writableNeedDrain && onWait());
      },
      onResponseEnd: () => {
        res.removeListener('close', leave);
        if (!isGone && !res.writableEnded) res.end();
        resolve();
      },
      onResponseError: (_controller, error) => {
        res.removeListener('close', leave);
        reject(error);
      },
    });
  });
}
