import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher, Pool } from 'undici';
import { wasCutOff, wasNotReached } from '@beltway/kit/connection-faults';
import type { Instances } from '@beltway/kit/instances';
import { shortBodyOf } from '../inbound/bodies.ts';
import { cleanAnswer } from '../inbound/headers.ts';
import { connectionsTo } from './connections.ts';
import { codeOf } from './faults.ts';
import type { Patience } from './timeouts.ts';

/** An answer up to here goes out whole, with its head in one write. */
const WHOLE = 64 * 1_024;
/** More than may be under way to one service. */
const CONNECTIONS = 1_024;

export interface ShortWay {
  /**
   * Hands on what `isShort`, to the instance at `first`. Resolves when the service has answered, whether or not the client has read all of it;
   * rejects when no answer came, or the rest of one did not.
   */
  send(req: IncomingMessage, res: ServerResponse, first: string): Promise<void>;
  close(): void;
}

interface Call {
  req: IncomingMessage;
  res: ServerResponse;
  body: Buffer | null;
}

/**
 * Requests with small bodies on kept connections by undici, which costs less than the streaming proxy. A body is read before it
 * is sent, so it can be sent again where that is safe: to another instance when no connection came to be; what changes nothing and
 * has no body also when its connection was cut off, as those of a restarting service are. Once. Anything else is the client's to
 * repeat: it has the key.
 */
export function shortWay(instances: Instances, patience: Patience): ShortWay {
  const pools = new Map(instances.all.map((url) => [url, connectionsTo(url, CONNECTIONS, patience)]));

  return {
    async send(req, res, first) {
      const body = shortBodyOf(req);
      const call = { req, res, body };
      try {
        await exchange(pools.get(first)!, call);
      } catch (error) {
        if (res.destroyed) return; // the client left, which says nothing of the instance
        const code = codeOf(error as Error);
        const notReached = wasNotReached(code);
        if (notReached) instances.failed(first);
        const changesNothing = (req.method === 'GET' || req.method === 'HEAD') && body === null;
        if (res.headersSent || !(notReached || (changesNothing && wasCutOff(code)))) throw error;
        const other = instances.pick(new Set([first])) ?? (notReached ? undefined : first);
        if (other === undefined) throw error;
        await exchange(pools.get(other)!, call).catch((failure: unknown) => {
          if (wasNotReached(codeOf(failure as Error))) instances.failed(other);
          throw failure;
        });
      }
    },
    close: () => pools.forEach((pool) => void pool.destroy().catch(() => undefined)),
  };
}

/** Resolves when the answer was handed on, or its reader has left. */
function exchange(pool: Pool, { req, res, body }: Call): Promise<void> {
  return new Promise((resolve, reject) => {
    let sending: Dispatcher.DispatchController | undefined;
    let gone = false;
    const leave = () => {
      gone = true;
      sending?.abort(new Error('the client left'));
      resolve();
    };
    if (res.destroyed) return leave();
    res.once('close', leave);
    /** Of a small answer, until all of it is there. */
    let kept: Buffer[] | undefined;

    pool.dispatch(
      { path: req.url!, method: req.method as Dispatcher.HttpMethod, headers: req.headers, body },
      {
        onRequestStart: (controller) => {
          sending = controller;
          if (gone) controller.abort(new Error('the client left'));
        },
        onResponseStart: (_controller, status, headers, message) => {
          if (gone || res.headersSent) return;
          cleanAnswer(headers);
          res.statusCode = status;
          if (message) res.statusMessage = message;
          for (const name in headers) res.setHeader(name, headers[name]!);
          // The client's wish for its own connection, not the service's for ours.
          res.setHeader('connection', res.shouldKeepAlive ? 'keep-alive' : 'close');
          if (Number(headers['content-length'] ?? Infinity) <= WHOLE) kept = [];
        },
        onResponseData: (controller, chunk) => {
          if (gone || res.writableEnded) return;
          if (kept) return void kept.push(chunk);
          if (res.write(chunk)) return;
          controller.pause();
          res.once('drain', () => controller.resume());
        },
        onResponseEnd: () => {
          res.removeListener('close', leave);
          if (!gone && !res.writableEnded) {
            if (kept && kept.length > 0) res.end(kept.length === 1 ? kept[0] : Buffer.concat(kept));
            else res.end();
          }
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
