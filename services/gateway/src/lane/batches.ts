import { HoldBatchAnswer, type HoldAnswer, type HoldRequest } from '@beltway/contracts/ticketing';
import type { Instances } from '@beltway/kit/instances';
import { batcher } from '@beltway/kit/batcher';
import { HttpProblem } from '@beltway/kit/problems';
import { connectionsTo } from '../proxy/connections.ts';
import type { Patience } from '../proxy/timeouts.ts';

export interface Batches {
  /**
   * Hands a hold to this one of the instances; `alone` one that may take long, so that no other waits for it. Rejects with `code`
   * as undici names it when no whole answer came.
   */
  ask(url: string, hold: HoldRequest, alone?: boolean): Promise<HoldAnswer>;
  close(): void;
}

/**
 * Requests at once, while they are answered soon, to all instances together: were it as many to each, two instances would get twice
 * as many groups of half the size, and each group costs a commit. An instance has two, so that one is on its way while it decides another.
 */
const CONCURRENCY = 4;
const CONCURRENCY_EACH = 2;
/** To one, while it is slow: one slow hold must not keep others waiting. */
const MAX_CONCURRENCY = 64;
const MAX_HOLDS = 250;
/** Of a request's body, encoded; ticketing takes 4 MB (its `checkout/hold-routes.ts`). */
const MAX_BYTES = 3 * 1_048_576;
/**
 * Answers of a request that are written in one turn of the event loop. Each takes some 40 µs: a page that somebody loads meanwhile must not
 * wait for 250, nor for the next holds of those 250 clients, which would all be read in the turn after.
 */
const ANSWERS_PER_TURN = 16;
/** An answer is a few hundred bytes a hold. */
const MAX_ANSWER_BYTES = MAX_HOLDS * 4_096;

/**
 * Holds that arrive while others are on their way to the same instance go together in the next request. No timer holds anything
 * back: a single hold goes at once, and requests grow with the crowd, whose HTTP then costs one request for a hundred holds.
 */
export function openBatches({ all }: Instances, internalToken: string, patience: Patience): Batches {
  const limits = {
    concurrency: Math.max(CONCURRENCY_EACH, Math.floor(CONCURRENCY / all.length)),
    maxConcurrency: MAX_CONCURRENCY,
    maxItems: MAX_HOLDS,
    maxSize: MAX_BYTES,
    resultsPerTurn: ANSWERS_PER_TURN,
    // A hold that is too large for ticketing must not cost the others their answer.
    retryEach: (error: unknown) => error instanceof HttpProblem && error.status === 413,
  };
  const posters = all.map((url) => [url, poster(url, internalToken, patience)] as const);
  const batchers = new Map(posters.map(([url, post]) => [url, batcher(post, limits)]));
  return {
    ask(url, hold, alone) {
      const encoded = JSON.stringify(hold);
      return batchers.get(url)!.add(encoded, alone, Buffer.byteLength(encoded) + 1);
    },
    close() {
      batchers.forEach((one) => one.close(new Error('the gateway closes')));
      posters.forEach(([, post]) => post.close());
    },
  };
}

const tooLarge = () => new HttpProblem(413, 'too-large', 'The request is too large.');

/** Kept connections to an instance, without Express or Node's own client in between. */
function poster(url: string, internalToken: string, patience: Patience) {
  const pool = connectionsTo(url, MAX_CONCURRENCY, patience);
  const headers = { 'content-type': 'application/json', 'x-internal-token': internalToken };

  const post = (holds: string[]): Promise<HoldAnswer[]> =>
    new Promise((resolve, reject) => {
      let status = 0;
      let bytes = 0;
      const chunks: Buffer[] = [];
      pool.dispatch(
        { path: '/internal/holds', method: 'POST', headers, body: `{"holds":[${holds.join(',')}]}` },
        {
          onRequestStart: () => undefined,
          onResponseStart: (_controller, statusCode) => void (status = statusCode),
          onResponseData: (controller, chunk) => {
            bytes += chunk.length;
            if (bytes > MAX_ANSWER_BYTES) controller.abort(new Error('The answer is too long.'));
            else chunks.push(chunk);
          },
          onResponseEnd: () => {
            try {
              const text = Buffer.concat(chunks).toString('utf8');
              if (status === 413) throw tooLarge();
              if (status !== 200) throw new Error(`ticketing answered ${status}: ${text.slice(0, 500)}`);
              resolve(HoldBatchAnswer.parse(JSON.parse(text)).answers);
            } catch (error) {
              reject(error as Error);
            }
          },
          onResponseError: (_controller, error) => reject(error),
        },
      );
    });

  return Object.assign(post, { close: () => void pool.destroy().catch(() => undefined) });
}
