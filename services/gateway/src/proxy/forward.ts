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

/** More connections to one instance than requests may be under way to a service (`proxy.ts`): none waits for one. */
const MAX_CONNECTIONS = 1_024;

/** Instances that are tried for one request: more than may stop at a time, fewer than a client has patience for (3 s each). */
const MAX_TRIES = 4;

/** Which instance a request is meant for; nothing: any. */
export type Choose = (req: IncomingMessage) => string | undefined;

/** Gets the head of each answer before it is handed on, and may change its headers. */
export type OnAnswer = (req: IncomingMessage, status: number, headers: IncomingHttpHeaders) => void;

type OnWait = () => void;

export interface Forward {
  /**
   * Resolves when the service is done with it: the end of the answer may still be on its way to the client. `onWait` is
   * called when the answer begins to wait for its reader.
   */
  handler: (req: IncomingMessage, res: ServerResponse, onWait?: () => void) => Promise<void>;
  /** Closes the connections to the instances. */
  close(): void;
}

/**
 * Hands requests to the instances of one service, on kept connections. A body that was read before (`bodies.ts`) is
 * sent from memory, a larger one streams through. Nothing is parsed.
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
    (url) => connectionsTo(url, MAX_CONNECTIONS, timeouts),
    (pool) => void pool.close(),
  );

  async function send(req: IncomingMessage, res: ServerResponse, url: string, onWait: OnWait): Promise<void> {
    await exchange(pools.get(url), req, res, onAnswer, onWait).catch((error: unknown) => {
      // That the client left says nothing of the instance.
      if (!res.destroyed && wasNotReached(codeOf(error as Error))) instances.failed(url);
      throw error;
    });
  }

  /**
   * Sends a request again if that is safe: to other instances when no connection came to be, for nothing was sent. A GET
   * or HEAD, which have no body, once more also when the connection ended under it, as those of a restarting service do:
   * to another instance, or on a new connection. Anything else is for the client to repeat, with its idempotency key.
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
        // Without its path and query, in which a secret may stand.
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

/** A body as it arrives, from when there is a connection to send it on. What a service does not want is thrown away. */
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

/** Resolves when the answer was handed on, or its reader has left. */
function exchange(
  pool: Pool,
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
    pool.dispatch(
      { path: req.url!, method: req.method as Dispatcher.HttpMethod, headers, body },
      {
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
          // As the client asked for its own connection; what the service wants for ours does not concern it.
          res.setHeader('connection', res.shouldKeepAlive ? 'keep-alive' : 'close');
        },
        onResponseData: (controller, chunk) => {
          if (isGone || res.writableEnded || res.write(chunk)) return;
          controller.pause();
          res.once('drain', () => controller.resume());
          // A piece that the system takes immediately is drained by then.
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
      },
    );
  });
}
