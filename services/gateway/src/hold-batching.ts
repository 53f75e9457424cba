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
import { HttpProblem, noteProblemCode, problemHeaders, problemText, unauthenticated } from '@beltway/kit/problems';
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
  /** Shared with ticketing, which accepts batches only from services. */
  internalToken: Secrets;
  log: Logger;
  trustedHops: number;
  /** Headers of every API answer. */
  headers: Record<string, string>;
  bodies: ArrivingBodies;
  /** Counts a purchase for an IP address. Undefined: purchases are not limited. */
  buy?: { limit: Quota; take: (address: string) => Promise<Taken> } | undefined;
  /** Maximum number of holds waiting for an answer. Default 2,000. */
  maxWaiting?: number;
  timeouts?: ProxyTimeouts | undefined;
  isBehind?: (() => boolean) | undefined;
  /** The request's span if its trace is recorded. */
  spanOf?: ((req: IncomingMessage) => Span | undefined) | undefined;
}

/** The options, with the open batches to ticketing and the gate of waiting holds. */
export interface HoldBatching extends HoldBatchingOptions {
  batches: HoldBatches;
  /** `headers` in the form that `writeHead` accepts. */
  headerLines: string[];
  /** Limits the holds that wait for an answer. */
  waiting: Gate;
}

const PATH = '/api/holds';
const MAX_BYTES = 4_096;
/** Identity's tokens have about 700 characters. */
const AUTHORIZATION = /^[\x20-\x7e]{1,4096}$/;
/**
 * Pauses before each retry of a hold. Their total is long enough for another instance to take over the sales of a
 * crashed instance.
 */
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

/** Rejects headers that none of our clients send, before they take up space in a shared batch. */
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
 * Handles a plain `POST /api/holds` without Express: adds it to a batch for the instance that sells its event
 * (docs/architecture.md#hold-batching). Limits, headers and answers are the same as for every other call. Responds 503
 * immediately when `maxWaiting` holds wait, or when most holds have waited for two seconds. Returns false for any other
 * request.
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
  else {
    noteProblemCode(res, 'hold-refused');
    headers.push(...problemHeaders(answer.retryAfter).flat());
  }
  const bytes = Buffer.byteLength(answer.body);
  headers.push('content-length', String(bytes));
  // Node sends a string body in the same write as the head, but a buffer in a second write. ASCII needs no encoding.
  res.writeHead(answer.status, headers).end(answer.body, bytes === answer.body.length ? 'latin1' : 'utf8');
}

/**
 * Every hold has an idempotency key, so it can be retried when a connection breaks, even on another instance: ticketing
 * executes only the first copy that arrives. A key that the gateway made is not sent to the client.
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

/**
 * Reads which sale a hold belongs to, and whether the hold replaces another one, which requires a call to the card
 * provider. Validates nothing.
 */
function routingHint(body: string): { sale?: number; replaces: boolean } {
  try {
    const { eventId, replaces } = JSON.parse(body) as { eventId?: unknown; replaces?: unknown };
    return { ...(typeof eventId === 'number' && { sale: eventId }), replaces: replaces !== undefined };
  } catch {
    return { replaces: false };
  }
}

/**
 * Maximum concurrent batches over all instances while the instances respond quickly. With this limit for each of two
 * instances, they would process twice as many batches of half the size, and each batch costs a commit. One instance
 * gets at least two, so that one batch is in transit while the instance processes the other.
 */
const CONCURRENCY = 4;
const CONCURRENCY_EACH = 2;
/** Maximum concurrent batches of one instance while it is slow, so that one slow hold does not delay other holds. */
const MAX_CONCURRENCY = 64;
const MAX_HOLDS = 250;
/** Maximum size of a batch's encoded body. Ticketing accepts 4 MB (its `checkout/hold-routes.ts`). */
const MAX_BATCH_BYTES = 3 * 1_048_576;
/**
 * How many answers of one batch are written per tick of the event loop. Each takes about 40 µs. Writing 250 in one tick
 * would delay other requests, and the next holds of those 250 clients would then all arrive in one tick. In `bench --
 * isolation`, 4 keep the p99 of browsing at 2.6 to 2.9 times the quiet one; 16 at 2.5 to 3.1.
 */
const ANSWERS_PER_TURN = 4;
/** An answer has a few hundred bytes for each hold. */
const MAX_ANSWER_BYTES = MAX_HOLDS * 4_096;

/** The connections of each instance, and the batches on them. */
export type HoldBatches = PerInstance<{ pool: Pool; batches: Batcher<string, HoldAnswer> }>;

/**
 * Holds that arrive while others are in transit to the same instance are batched in the next request. No timer delays a
 * hold: a single hold is sent immediately. Batches grow with the load: a hundred holds may cost one HTTP request.
 */
export function openBatches(instances: Instances, internalToken: Secrets, timeouts: ProxyTimeouts): HoldBatches {
  const limits = {
    concurrency: () => Math.max(CONCURRENCY_EACH, Math.floor(CONCURRENCY / instances.all.length)),
    maxConcurrency: MAX_CONCURRENCY,
    maxItems: MAX_HOLDS,
    maxSize: MAX_BATCH_BYTES,
    resultsPerTurn: ANSWERS_PER_TURN,
    // Ticketing rejects a whole batch (413) when one of its holds is too large. Sent separately, the other holds
    // succeed.
    retryEach: (error: unknown) => error instanceof HttpProblem && error.status === 413,
  };
  const open = (url: string) => {
    const pool = connectionsTo(instances.service, url, MAX_CONCURRENCY, timeouts);
    return { pool, batches: batcher(poster(pool, internalToken), limits) };
  };
  // When an instance is gone, its connections are closed, so its waiting holds fail and are sent to another instance.
  return perInstance(instances, open, ({ pool }) => void pool.close());
}

/**
 * Sends a hold to this instance. `alone`: sends a slow hold in a separate request, so that no other hold waits for it.
 * Rejects with undici's error `code` when no complete answer arrived.
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

/** Sends encoded holds in one request. Returns an answer for each hold, or rejects. */
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
