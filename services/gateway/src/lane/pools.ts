import { Pool, type Dispatcher } from 'undici';
import type { Instances } from '@beltway/kit/instances';
import type { Patience } from '../proxy/forward.ts';

export interface Passed {
  status: number;
  headers: Dispatcher.ResponseData['headers'];
  body: Buffer;
}

export interface Pools {
  /** Sends to this one of the instances. Rejects with `code` as undici names it when no whole answer came. */
  post(url: string, path: string, headers: Record<string, string>, body: Buffer): Promise<Passed>;
  close(): void;
}

/** An answer of the lane's services is a few hundred bytes. */
const MAX_ANSWER_BYTES = 65_536;

/** Kept connections to each instance of a service, without Express or Node's own client in between. */
export function openPools({ all }: Instances, { connectMs, idleMs }: Patience): Pools {
  const open = (url: string) =>
    new Pool(url, {
      connections: 64,
      pipelining: 1,
      connect: { timeout: connectMs },
      headersTimeout: idleMs,
      bodyTimeout: idleMs,
      // Less than the services keep an idle connection, so that none is sent into a closing one.
      keepAliveTimeout: 30_000,
      keepAliveMaxTimeout: 30_000,
    });
  const pools = new Map(all.map((url) => [url, open(url)]));

  const post: Pools['post'] = (origin, path, headers, body) =>
    new Promise((resolve, reject) => {
      let status = 0;
      let answerHeaders: Passed['headers'] = {};
      let bytes = 0;
      const chunks: Buffer[] = [];
      pools.get(origin)!.dispatch(
        { path, method: 'POST', headers, body },
        {
          onRequestStart: () => undefined,
          onResponseStart: (_controller, statusCode, given) => {
            status = statusCode;
            answerHeaders = given as Passed['headers'];
          },
          onResponseData: (controller, chunk) => {
            bytes += chunk.length;
            if (bytes > MAX_ANSWER_BYTES) controller.abort(new Error('The answer is too long.'));
            else chunks.push(chunk);
          },
          onResponseEnd: () => resolve({ status, headers: answerHeaders, body: Buffer.concat(chunks) }),
          onResponseError: (_controller, error) => reject(error),
        },
      );
    });

  return {
    post,
    close: () => pools.forEach((pool) => void pool.destroy().catch(() => undefined)),
  };
}
