import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Pool } from 'undici';
import { inSpan, type Span } from '@beltway/tracing';
import { HoldBatchAnswer, type HoldAnswer, type HoldRequest } from '@beltway/contracts/ticketing/tickets';
import type { ArrivingBodies } from '@beltway/kit/arriving-bodies';
import { batcher, type Batcher } from '@beltway/kit/batcher';
import { wasCutOff, wasNotReached } from '@beltway/kit/connection-faults';
import { checkedKey } from '@beltway/kit/idempotency-key';
import { noInstance, type Instances } from '@beltway/kit/instances';
import type { Logger } from '@beltway/kit/logger';
import { gate, type Gate } from '@beltway/kit/overload';
import { perInstance, type PerInstance } from '@beltway/kit/per-instance';
import { HttpProblem, problemHeaders, problemText, unauthenticated } from '@beltway/kit/problems';
import { limitHeaders, tooManyRequests, type Quota, type Taken } from '@beltway/kit/rate-limit';
import { firstSecret, type Secrets } from '@beltway/kit/secrets';
import { noteRoute, requestIdOf } from './inbound/access.ts';
import { clientAddress } from './inbound/headers.ts';
import { codeOf, problemOf } from './proxy/faults.ts';
import { PROXY_TIMEOUTS, connectionsTo, type ProxyTimeouts } from './proxy/connections.ts';
import { MAX_WAIT_MS } from './proxy/gates.ts';
import { KEEP_NOTHING } from './security.ts';

export interface HoldBatchingOptions {
  ticketing: Instances;
  /** Shared with ticketing: such requests are for services alone. */
  internalToken: Secrets;
  log: Logger;
  trustedHops: number;
  /** What every answer of the API carries. */
  headers: Record<string, string>;
  /** Reads the bodies. */
  bodies: ArrivingBodies;
  /** Counts one more purchase from an address; undefined: not limited. */
  buy?: { limit: Quota; take: (address: string) => Promise<Taken> } | undefined;
  /** Holds that may wait for an answer at once. Default 2,000. */
  maxWaiting?: number;
  timeouts?: ProxyTimeouts | undefined;
  isBehind?: (() => boolean) | undefined;
  /** The request's span, where its trace is recorded. */
  spanOf?: ((req: IncomingMessage) => Span | undefined) | undefined;
}

/** Holds of clients, and their batches to the instances of ticketing. */
export interface HoldBatching extends HoldBatchingOptions {
  batches: HoldBatches;
  /** `headers` as `writeHead` takes them. */
  headerLines: string[];
  /** Bounds the holds that wait for an answer. */
  waiting: Gate;
}

const PATH = '/api/holds';
const MAX_BYTES = 4_096;
/** Identity's tokens have about 700 characters. */
const AUTHORIZATION = /^[\x20-\x7e]{1,4096}$/;
/** Pauses before a hold is sent again: within their sum another instance has taken over the sales of one that died. */
const RETRY_PAUSES_MS = [0, 100, 300, 600];

function isPlainHold({ method, url, headers }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    url === PATH &&
    Number(headers['content-length']) <= MAX_BYTES &&
    /^application\/json\b/i.test(headers['content-type'] ?? '') &&
    headers['content-encoding'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined
  );
}

/** Refuses a header that no client of ours sends, before it takes room in a batch that others are in. */
function assertBounded({ authorization, 'idempotency-key': key }: IncomingMessage['headers']): void {
  if (authorization !== undefined && !AUTHORIZATION.test(authorization)) throw unauthenticated();
  checkedKey(key === undefined ? undefined : String(key));
}

export const openHoldBatching = (options: HoldBatchingOptions): HoldBatching => ({
  ...options,
  batches: openBatches(options.ticketing, options.internalToken, options.timeouts ?? PROXY_TIMEOUTS),
  headerLines: Object.entries(options.headers).flat(),
  waiting: gate(options.maxWaiting ?? 2_000, { maxWaitMs: MAX_WAIT_MS, isBehind: options.isBehind }),
});

/**
 * Answers a plain `POST /api/holds` past Express: it is sent with others to the instance that its sale is routed to
 * (docs/architecture.md#hold-batching). Same limits, headers and answers as every other call. Beyond `maxWaiting`, or when most have
 * waited for two seconds, it is 503 immediately. Returns false for any other request.
 */
export function answerHold(holds: HoldBatching, req: IncomingMessage, res: ServerResponse): boolean {
  if (!isPlainHold(req)) return false;
  noteRoute(res, PATH);
  holds.bodies.read(req, res, (body) => void answerWith(holds, req, res, body.toString('utf8')));
  return true;
}

async function answerWith(holds: HoldBatching, req: IncomingMessage, res: ServerResponse, body: string): Promise<void> {
  const { buy, trustedHops, waiting, spanOf, log } = holds;
  const requestId = requestIdOf(res);
  const headers = [...holds.headerLines, 'x-request-id', requestId];
  const address = clientAddress(req, trustedHops);
  let answer: HoldAnswer;
  try {
    if (buy) {
      const taken = await buy.take(address);
      headers.push(...limitHeaders(buy.limit, taken).flat());
      if (!taken.allowed) throw tooManyRequests(taken);
    }
    assertBounded(req.headers);
    const leave = waiting.enter();
    try {
      answer = await sendToTicketing(holds, req, { address, requestId, body });
    } finally {
      leave();
    }
  } catch (error) {
    const isOurs = error instanceof HttpProblem;
    if (!isOurs)
      inSpan(spanOf?.(req), () => log.warn({ err: error, service: 'ticketing', route: PATH, requestId }, 'no answer'));
    const problem = isOurs ? error : problemOf(error as Error);
    answer = { status: problem.status, body: problemText(problem, requestId) };
    if (problem.retryAfter !== undefined) answer.retryAfter = problem.retryAfter;
  }
  if (answer.status < 400)
    headers.push('content-type', 'application/json; charset=utf-8', 'cache-control', KEEP_NOTHING);
  else headers.push(...problemHeaders(answer.retryAfter).flat());
  const bytes = Buffer.byteLength(answer.body);
  headers.push('content-length', String(bytes));
  // As text it goes out in one write with the head, as bytes in a second one. What is ASCII needs no encoding.
  res.writeHead(answer.status, headers).end(answer.body, bytes === answer.body.length ? 'latin1' : 'utf8');
}

/**
 * Every hold has an idempotency key, so it can be sent again, also to another instance, when a connection breaks: the first to arrive
 * decides. A key that the gateway made is not sent to the client.
 */
async function sendToTicketing(
  { ticketing, batches, spanOf }: HoldBatching,
  req: IncomingMessage,
  from: Pick<HoldRequest, 'address' | 'requestId' | 'body'>,
): Promise<HoldAnswer> {
  const { authorization, 'idempotency-key': key } = req.headers;
  const hold: HoldRequest =
    key === undefined ? { key: randomUUID(), gatewayKey: true, ...from } : { key: String(key), ...from };
  if (authorization !== undefined) hold.authorization = authorization;
  const span = spanOf?.(req);
  if (span) hold.traceparent = span.traceparent;
  const { sale, replaces } = routingHint(from.body);
  for (let tries = 0; ; tries++) {
    const url = sale === undefined ? ticketing.pick() : ticketing.forKey(sale);
    try {
      if (url === undefined) throw noInstance();
      return await sendHold(batches, url, hold, replaces);
    } catch (error) {
      const code = codeOf(error as Error);
      if (url !== undefined && wasNotReached(code)) ticketing.failed(url);
      const pause = RETRY_PAUSES_MS[tries];
      if (pause === undefined || !(wasNotReached(code) || wasCutOff(code))) throw error;
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** The sale of a hold, and whether it replaces another one and so waits for the card provider. Validates nothing. */
function routingHint(body: string): { sale?: number; replaces: boolean } {
  try {
    const { eventId, replaces } = JSON.parse(body) as { eventId?: unknown; replaces?: unknown };
    return { ...(typeof eventId === 'number' && { sale: eventId }), replaces: replaces !== undefined };
  } catch {
    return { replaces: false };
  }
}

/**
 * Concurrent batches to all instances together, while they are answered soon. With as many to each, two instances would
 * decide twice as many groups of half the size, and each group costs a commit. An instance gets two, so that one
 * travels while it decides the other.
 */
const CONCURRENCY = 4;
const CONCURRENCY_EACH = 2;
/** To one instance while it is slow: one slow hold must not delay others. */
const MAX_CONCURRENCY = 64;
const MAX_HOLDS = 250;
/** Of a request's body, encoded; ticketing takes 4 MB (its `checkout/hold-routes.ts`). */
const MAX_BATCH_BYTES = 3 * 1_048_576;
/**
 * Answers of a batch that are written in one turn of the event loop. Each takes some 40 µs: other requests must not
 * wait for 250 of them, nor for the next holds of those 250 clients, which would all be read in the next turn.
 */
const ANSWERS_PER_TURN = 16;
/** An answer is a few hundred bytes a hold. */
const MAX_ANSWER_BYTES = MAX_HOLDS * 4_096;

/** By instance: its connections, and the batches on them. */
export type HoldBatches = PerInstance<{ pool: Pool; batches: Batcher<string, HoldAnswer> }>;

/**
 * Holds that arrive while others are on their way to the same instance are batched in the next request. No timer holds anything back: a
 * single hold goes immediately, and batches grow with the load, whose HTTP then costs one request for a hundred holds.
 */
export function openBatches(instances: Instances, internalToken: Secrets, timeouts: ProxyTimeouts): HoldBatches {
  const limits = {
    concurrency: () => Math.max(CONCURRENCY_EACH, Math.floor(CONCURRENCY / instances.all.length)),
    maxConcurrency: MAX_CONCURRENCY,
    maxItems: MAX_HOLDS,
    maxSize: MAX_BATCH_BYTES,
    resultsPerTurn: ANSWERS_PER_TURN,
    // A hold that is too large for ticketing must not cost the others their answer.
    retryEach: (error: unknown) => error instanceof HttpProblem && error.status === 413,
  };
  const open = (url: string) => {
    const pool = connectionsTo(url, MAX_CONCURRENCY, timeouts);
    return { pool, batches: batcher(poster(pool, internalToken), limits) };
  };
  // What waits for an instance that is gone finds its connections closed, and is sent to another one.
  return perInstance(instances, open, ({ pool }) => void pool.close());
}

/**
 * Sends a hold to this one of the instances; `alone` one that may take long, so that no other waits for it. Rejects with `code` as
 * undici names it when no whole answer came.
 */
export function sendHold(batches: HoldBatches, url: string, hold: HoldRequest, alone?: boolean): Promise<HoldAnswer> {
  const encoded = JSON.stringify(hold);
  return batches.get(url).batches.add(encoded, alone, Buffer.byteLength(encoded) + 1);
}

export function closeBatches(perInstance: HoldBatches): void {
  for (const { pool, batches } of perInstance.values()) {
    batches.close(new Error('the gateway closes'));
    void pool.destroy().catch(() => undefined);
  }
}

/** Sends encoded holds in one request; gives an answer for each, or rejects. */
function poster(pool: Pool, internalToken: Secrets): (holds: string[]) => Promise<HoldAnswer[]> {
  const headers = { 'content-type': 'application/json', 'x-internal-token': firstSecret(internalToken) };
  return (holds) =>
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
              if (status === 413) throw new HttpProblem(413, 'too-large.request');
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
}
